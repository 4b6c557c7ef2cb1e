import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { InputError } from '../../../core/index.ts'
import { parsePayload } from '../../../plugins/webhooks/payload.ts'
import { paymentOf } from '../../../plugins/webhooks/payments/read-payment.ts'

const read = (event: object | string) =>
  paymentOf(parsePayload(Buffer.from(typeof event === 'string' ? event : JSON.stringify(event))))
const moneyOf = (event: object | string) => {
  const payment = read(event)
  return payment === null ? null : `${payment.kind} ${payment.amount} ${payment.currency}`
}

describe('an amount is exact', () => {
  for (const [written, money] of [
    ['{"amount":0.1,"currency":"eur"}', '0.1 EUR'],
    ['{"amount":"19.90","currency":"EUR"}', '19.90 EUR'],
    ['{"amount":123456789012345.67,"currency":"EUR"}', '123456789012345.67 EUR'],
    ['{"amount_minor":1999,"currency":"USD"}', '19.99 USD'],
    ['{"amount_minor":5,"currency":"USD"}', '0.05 USD'],
    ['{"amount_minor":"0","currency":"USD"}', '0.00 USD'],
    ['{"amount_minor":500,"currency":"JPY"}', '500 JPY'],
    ['{"amount_minor":1234,"currency":"KWD"}', '1.234 KWD'],
    ['{"amount_minor":199900,"currency":"HUF"}', '1999.00 HUF'],
    ['{"amount":"5.000000","currency":"JPY"}', '5.000000 JPY'],
    ['{"amount_cents":999999999999999,"currency":"USD"}', '9999999999999.99 USD']
  ] as const)
    test(written, () => {
      assert.equal(moneyOf(`{"type":"payment.succeeded",${written.slice(1)}`), `payment ${money}`)
    })

  for (const fields of [
    { amount: -5, currency: 'EUR' },
    { amount: '1,50', currency: 'EUR' },
    { amount: '1e3', currency: 'EUR' },
    { amount: 'NaN', currency: 'EUR' },
    { amount: '5' },
    { amount: '5', currency: 'Euro' },
    { amount: '5', currency: 'XXQ' },
    { amount: '5.55', currency: 'JPY' },
    { amount: 1e15, currency: 'EUR' },
    { amount_minor: 19.99, currency: 'EUR' },
    { amount_minor: 1e21, currency: 'EUR' },
    { currency: 'EUR' }
  ])
    test(`and ${JSON.stringify(fields)} is none`, () => {
      assert.throws(() => read({ type: 'payment.succeeded', ...fields }), InputError)
    })
})

describe('only what says that money moved counts', () => {
  for (const [type, kind] of [
    ['payment.succeeded', 'payment'],
    ['invoice.paid', 'payment'],
    ['PAYMENT.SALE.COMPLETED', 'payment'],
    ['payment_refunded', 'refund'],
    ['refund', 'refund'],
    ['payment.failed', null],
    ['payment.pending', null],
    ['charge.dispute.created', null],
    ['subscription.cancelled', null],
    ['refund.failed', null],
    ['repaid', null],
    ['', null]
  ] as const)
    test(type || 'no type', () => {
      assert.equal(read({ type, amount: '5.00', currency: 'EUR' })?.kind ?? null, kind)
    })
})

test('parts of a refund are told apart by their own id, and payments by that of the payment', () => {
  const part = { type: 'payment.refunded', payment_id: 'p-1', refund_id: 'r-1', amount: '5.00', currency: 'EUR' }
  assert.equal(read(part)?.object, 'r-1')
  assert.equal(read({ ...part, refund_id: undefined })?.object, 'p-1')
  assert.equal(read({ ...part, type: 'payment.succeeded' })?.object, 'p-1')
})

describe('an event of a test', () => {
  const stripe = {
    type: 'charge.refunded',
    created: 1_790_000_000,
    data: { object: { id: 'ch_1', amount_refunded: 5, currency: 'eur' } }
  }
  const lemon = {
    meta: { event_name: 'order_created' },
    data: { type: 'orders', id: '1', attributes: { status: 'paid', total: 100, currency: 'EUR' } }
  }
  const plain = { type: 'payment.succeeded', amount: '5', currency: 'EUR' }
  for (const [what, event, isTest] of [
    ['Stripe, live', { ...stripe, livemode: true }, false],
    ['Stripe, without a word', stripe, false],
    ['Stripe, test', { ...stripe, livemode: false }, true],
    ['Lemon Squeezy, live', lemon, false],
    ['Lemon Squeezy, test', { ...lemon, meta: { ...lemon.meta, test_mode: true } }, true],
    ['others, live', { ...plain, test_mode: false }, false],
    ['others, test', { ...plain, test_mode: true }, true]
  ] as const)
    test(`is told by what it says: ${what}`, () => {
      assert.equal(read(event)?.isTest, isTest)
    })
})

describe('Stripe', () => {
  const event = (type: string, object: object) => ({ id: 'evt_1', type, created: 1_790_000_000, data: { object } })
  const invoice = {
    id: 'in_1',
    amount_paid: 1200,
    currency: 'usd',
    status_transitions: { paid_at: 1_789_999_999 },
    lines: { data: [{ price: { id: 'price_1', nickname: 'Pro' } }] }
  }

  test('a paid invoice is a payment with its plan and time', () => {
    const payment = read(event('invoice.paid', invoice))
    assert.deepEqual(
      { ...payment, at: payment?.at?.getTime(), saidAt: payment?.saidAt?.getTime() },
      {
        kind: 'payment',
        object: 'in_1',
        isTest: false,
        amount: '12.00',
        currency: 'USD',
        plan: 'Pro',
        at: 1_789_999_999_000,
        saidAt: 1_790_000_000_000
      }
    )
  })

  for (const [type, object, money] of [
    ['invoice.paid', { ...invoice, amount_paid: 0 }, null],
    ['charge.succeeded', { id: 'ch_1', amount: 1200, currency: 'usd' }, null],
    ['payment_intent.succeeded', { id: 'pi_1', amount: 1200, currency: 'usd' }, null],
    [
      'checkout.session.completed',
      { id: 'cs_1', mode: 'payment', payment_status: 'paid', amount_total: 500, currency: 'jpy' },
      'payment 500 JPY'
    ],
    ['checkout.session.completed', { id: 'cs_2', mode: 'payment', payment_status: 'unpaid', amount_total: 500 }, null],
    ['checkout.session.completed', { id: 'cs_3', mode: 'subscription', payment_status: 'paid', amount_total: 1 }, null],
    [
      'checkout.session.completed',
      { id: 'cs_4', mode: 'payment', payment_status: 'paid', amount_total: 900, currency: 'gbp', invoice: 'in_2' },
      null
    ],
    [
      'checkout.session.async_payment_succeeded',
      {
        id: 'cs_5',
        mode: 'payment',
        payment_status: 'paid',
        amount_total: 900,
        currency: 'gbp',
        invoice: null,
        invoice_creation: { enabled: true }
      },
      null
    ],
    [
      'checkout.session.completed',
      {
        id: 'cs_6',
        mode: 'payment',
        payment_status: 'paid',
        amount_total: 900,
        currency: 'gbp',
        invoice: null,
        invoice_creation: { enabled: false }
      },
      'payment 9.00 GBP'
    ],
    ['charge.refunded', { id: 'ch_1', amount_refunded: 250, currency: 'eur' }, 'refund 2.50 EUR'],
    ['charge.refunded', { id: 'ch_2', amount_refunded: 50_000, currency: 'isk' }, 'refund 500.00 ISK'],
    ['customer.created', { id: 'cus_1' }, null]
  ] as const)
    test(`${type} of ${object.id} is ${money ?? 'no money'}`, () => {
      assert.equal(moneyOf(event(type, object)), money)
    })
})
