import { type Fields, payloadFields, payloadText } from '../payload.ts'
import { readInstant } from '../read-instant.ts'
import { minorDigits, minorMoney } from './money.ts'
import type { Payment } from './payment.ts'

/**
 * Events of Stripe that move money. Stripe reports one payment by several events: of subscriptions and invoices only
 * `invoice.paid` counts, of sales without an invoice only a paid Checkout, and of refunds the sum that a charge says.
 */
export function stripePayment(payload: Fields): Payment | null {
  const object = payloadFields(payloadFields(payload.data).object)
  const shared = { object: payloadText(object.id, 200), saidAt: readInstant(payload.created) }
  switch (payload.type) {
    case 'invoice.paid':
      return isNothing(object.amount_paid)
        ? null
        : {
            ...shared,
            kind: 'payment',
            ...minorMoney(object.amount_paid, object.currency, stripeDigits),
            plan: planOf(object),
            at: readInstant(payloadFields(object.status_transitions).paid_at) ?? shared.saidAt
          }
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return !isPaidSale(object) || makesInvoice(object) || isNothing(object.amount_total)
        ? null
        : {
            ...shared,
            kind: 'payment',
            ...minorMoney(object.amount_total, object.currency, stripeDigits),
            plan: payloadText(payloadFields(object.metadata).plan, 200),
            at: shared.saidAt
          }
    case 'charge.refunded':
      return {
        ...shared,
        kind: 'refund',
        ...minorMoney(object.amount_refunded, object.currency, stripeDigits),
        plan: null,
        at: shared.saidAt
      }
    default:
      return null
  }
}

/** No subscription, and paid: with some methods the money comes days after the Checkout. */
const isPaidSale = ({ mode, payment_status }: Fields): boolean => mode === 'payment' && payment_status === 'paid'

/** Its `invoice.paid` reports the same money. */
const makesInvoice = ({ invoice, invoice_creation }: Fields): boolean =>
  payloadFields(invoice_creation).enabled === true || (invoice ?? null) !== null

/** A trial, or a discount of all of it. */
const isNothing = (amount: unknown): boolean => amount === '0'

/** Stripe writes these with two decimals that are always zero. */
const stripeDigits = (currency: string): number => (['ISK', 'UGX'].includes(currency) ? 2 : minorDigits(currency))

function planOf({ lines }: Fields): string | null {
  const { data } = payloadFields(lines)
  const line = payloadFields(Array.isArray(data) ? data[0] : undefined)
  const price = payloadFields(line.price)
  const plan = payloadFields(line.plan)
  const priced = payloadFields(payloadFields(line.pricing).price_details)
  const named = [price.nickname, plan.nickname, price.id, plan.id, priced.price, line.description]
  return named.map(name => payloadText(name, 200)).find(name => name !== null) ?? null
}
