import { type Fields, payloadFields, payloadText } from '../payload.ts'
import { readInstant } from '../read-instant.ts'
import { minorMoney } from './money.ts'
import type { Payment } from './payment.ts'

/**
 * Events of Lemon Squeezy that move money. The first payment of a subscription comes as an order, too: it counts as that
 * order, once.
 */
export function lemonSqueezyPayment(payload: Fields): Payment | null {
  const { id, type, attributes } = payloadFields(payload.data)
  const fields = payloadFields(attributes)
  const object = `${payloadText(type) ?? 'object'}:${payloadText(id, 100) ?? ''}`
  const saidAt = readInstant(fields.updated_at)
  const isFirst = fields.billing_reason === 'initial'
  switch (payloadText(payloadFields(payload.meta).event_name)) {
    case 'order_created':
      return fields.status === 'paid' || fields.status === 'refunded'
        ? { ...payment(fields), object, plan: planOf(fields), saidAt }
        : null
    case 'subscription_payment_success':
    case 'subscription_payment_recovered':
      return isFirst ? null : { ...payment(fields), object, plan: planOf(fields), saidAt }
    case 'order_refunded':
      return { ...refund(fields), object, plan: planOf(fields), saidAt }
    case 'subscription_payment_refunded':
      return isFirst ? null : { ...refund(fields), object, plan: planOf(fields), saidAt }
    default:
      return null
  }
}

const payment = (fields: Fields) => ({
  kind: 'payment' as const,
  ...minorMoney(fields.total, fields.currency),
  at: readInstant(fields.created_at)
})

/** Of a refund in parts the sum so far. */
const refund = (fields: Fields) => ({
  kind: 'refund' as const,
  ...minorMoney(fields.refunded_amount ?? fields.total, fields.currency),
  at: readInstant(fields.refunded_at) ?? readInstant(fields.updated_at)
})

function planOf(fields: Fields): string | null {
  const item = payloadFields(fields.first_order_item)
  const named = [item.variant_name, item.product_name, fields.variant_name, fields.product_name]
  return named.map(name => payloadText(name, 200)).find(name => name !== null && name !== 'Default') ?? null
}
