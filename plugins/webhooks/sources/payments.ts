import { InputError, type Tx } from '#core'
import type { WebhookDelivery, WebhookIdentity, WebhookOrder, WebhookRequest } from '../index.ts'
import { type Fields, parsePayload, payloadText } from '../payload.ts'
import type { Payment } from '../payments/payment.ts'
import { paymentOf } from '../payments/read-payment.ts'
import { isFarAhead } from '../read-instant.ts'
import { recordRevenue } from '../repository/revenue.ts'
import { verifyPayment, verifyStripe } from '../signatures.ts'
import { typeOfEvent } from './event-type.ts'
import type { SourceDefinition } from './sources.ts'

/** Payments as most shops and billing systems report them. */
export const paymentsSource = (secret: () => string): SourceDefinition => ({
  name: 'payments-provider',
  operationId: 'receivePayment',
  describe: 'A payment event, stored and counted',
  landing: 'revenue_events',
  secret: { setting: 'payments_webhook_secret', value: secret },
  requestHeaders: { 'X-Signature': 'HMAC-SHA256 of the raw body in hex.' },
  verify: verifyPayment,
  identify: request => identityOf(request, payload => payloadText(payload.event_id, 200)),
  ...paymentHandlers
})

/** Stripe's own signatures and ids. */
export const stripeSource = (secret: () => string): SourceDefinition => ({
  name: 'stripe',
  operationId: 'receiveStripeEvent',
  describe: 'An event of Stripe, stored and counted',
  landing: 'revenue_events',
  secret: { setting: 'stripe_webhook_secret', value: secret },
  requestHeaders: {
    'Stripe-Signature': '`t=` seconds and `v1=` HMAC-SHA256 of `<t>.<raw body>` in hex, at most 300 s off.'
  },
  verify: verifyStripe,
  // Its redeliveries have the same id, and other bytes.
  identify: request =>
    identityOf(request, ({ id }) => {
      const text = payloadText(id, 200)
      if (text === null) throw new InputError({ body: 'must be an event of Stripe: it has no id' })
      return text
    }),
  ...paymentHandlers
})

function identityOf(request: WebhookRequest, idOf: (payload: Fields) => string | null): WebhookIdentity {
  const payload = parsePayload(request.body)
  return { id: idOf(payload), type: typeOfEvent(payload), order: orderOf(payload) }
}

/** What cannot be read is stored all the same, and parked by its handler. */
function orderOf(payload: Fields): WebhookOrder | null {
  try {
    const payment = paymentOf(payload)
    const at = payment?.saidAt ?? payment?.at ?? null
    return payment === null || payment.object === null || at === null ? null : { object: objectOf(payment), at }
  } catch (error) {
    if (error instanceof InputError) return null
    throw error
  }
}

/** A payment and its refund are reported separately, and so are tests: none is late because of another. */
const objectOf = ({ kind, object, isTest }: Payment & { isTest: boolean }): string =>
  `${isTest ? 'test:' : ''}${kind}:${object}`

const paymentHandlers = {
  handle: (tx: Tx, delivery: WebhookDelivery) => record(tx, delivery, true),
  handleLate: (tx: Tx, delivery: WebhookDelivery) => record(tx, delivery, false)
}

async function record(tx: Tx, { id, body, order, receivedAt }: WebhookDelivery, isCounted: boolean): Promise<void> {
  const payment = paymentOf(parsePayload(body))
  if (payment === null) return
  const { kind, amount, currency, plan, at, isTest } = payment
  const occurred_at = at === null || isFarAhead(at, new Date(receivedAt)) ? receivedAt : at.toISOString()
  const facts = { id, kind, object: order?.object ?? null, amount, currency, plan, occurred_at, is_test: isTest }
  await recordRevenue(tx, facts, isCounted && !isTest)
}
