import { type Fields, payloadFields, payloadText } from '../payload.ts'
import { readInstant } from '../read-instant.ts'
import { lemonSqueezyPayment } from './lemon-squeezy.ts'
import { moneyOf } from './money.ts'
import type { Payment } from './payment.ts'
import { stripePayment } from './stripe.ts'

/**
 * The money of an event, in the form of Lemon Squeezy, of Stripe, or a plain one; null when it is about none. All numbers of
 * `payload` are the text they were written as.
 * @throws InputError when its type says that money moved, and how much cannot be read
 */
export function paymentOf(payload: Fields): (Payment & { isTest: boolean }) | null {
  const payment = movedMoney(payload)
  return payment === null ? null : { ...payment, isTest: isOfTest(payload) }
}

/** No money moved: Stripe says so of an event, Lemon Squeezy of an event or an order, and others as one of them. */
const isOfTest = (payload: Fields): boolean =>
  payload.livemode === false ||
  [
    payload,
    payloadFields(payload.meta),
    payloadFields(payload.data),
    payloadFields(payloadFields(payload.data).attributes)
  ].some(({ test_mode }) => test_mode === true)

function movedMoney(payload: Fields): Payment | null {
  if (payloadText(payloadFields(payload.meta).event_name) !== null) return lemonSqueezyPayment(payload)
  if (Object.keys(payloadFields(payloadFields(payload.data).object)).length > 0) return stripePayment(payload)
  return plainPayment(payload)
}

const refunds = /refund/i
const payments = /(^|[._ -])(paid|payment|sale|purchase|charge|succeeded|completed|captured|renewed)([._ -]|$)/i
/** Of a payment that is none, not yet or not any more. */
const others = /fail|pending|cancel|void|expire|declin|dispute|chargeback|created|updated|requires|processing|attempt/i

function kindOf(type: string): Payment['kind'] | null {
  if (refunds.test(type)) return /fail|pending|cancel|request|created|updated/i.test(type) ? null : 'refund'
  return payments.test(type) && !others.test(type) ? 'payment' : null
}

/** `{type, id, amount | amount_minor, currency, plan, occurred_at}`, at the top or in `data`. */
function plainPayment(payload: Fields): Payment | null {
  const fields = { ...payload, ...payloadFields(payload.data) }
  const type = payloadText(payload.type ?? payload.event ?? payload.event_type) ?? ''
  const kind = kindOf(type)
  if (kind === null) return null
  const ids = ['payment_id', 'refund_id', 'charge_id', 'invoice_id', 'transaction_id', 'order_id']
  // A payment may be refunded in parts, each a refund of its own.
  const id = firstText(fields, kind === 'refund' ? ['refund_id', ...ids] : ids)
  const times = ['occurred_at', 'paid_at', 'refunded_at', 'created_at', 'created', 'timestamp', 'at']
  const at = times.map(name => readInstant(fields[name])).find(time => time !== null) ?? null
  return {
    kind,
    object: id,
    ...moneyOf(fields),
    plan: planOf(fields),
    at,
    saidAt: readInstant(payload.occurred_at) ?? at
  }
}

const planOf = (fields: Fields): string | null => {
  const { name, id } = payloadFields(fields.plan)
  return (
    payloadText(name, 200) ??
    payloadText(id, 200) ??
    firstText(fields, ['plan', 'plan_name', 'product_name', 'product'])
  )
}

const firstText = (fields: Fields, names: readonly string[]): string | null =>
  names.map(name => payloadText(fields[name], 200)).find(text => text !== null) ?? null
