import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountOf, formatAmount, parseAmount, showAmount, toNumber } from '../../../plugins/costs/money.ts'
import { monthOf, nextDay, periodNames } from '../../../plugins/costs/periods.ts'
import { costOf, priceFor } from '../../../plugins/costs/prices.ts'

test('amounts are read, written and summed exactly', () => {
  for (const text of ['0.000000000000', '12.000000000001', '-3.500000000000'])
    assert.equal(formatAmount(parseAmount(text)), text)
  let sum = 0n
  for (let times = 0; times < 10; times++) sum += amountOf(0.1)
  assert.equal(formatAmount(sum), '1.000000000000')
  for (const text of ['', '1e3', '1.', '.5', '1.0000000000001', 'NaN']) assert.throws(() => parseAmount(text))
})

test('amounts are shown rounded', () => {
  assert.equal(toNumber(parseAmount('0.0000005')), 0.000001)
  assert.equal(toNumber(parseAmount('-1.2345674')), -1.234567)
  const shown = ['20', '0.005', '0.00000012', '0'].map(text => showAmount(parseAmount(text), 'EUR'))
  assert.deepEqual(shown, ['20.00 EUR', '0.0050 EUR', '0.000000 EUR', '0.00 EUR'])
})

test('usage costs what its prices say', () => {
  const cost = (price: object, usage: object) => formatAmount(costOf(price, usage))
  const chat = { per_million_input_tokens: 0.15, per_million_output_tokens: 0.6 }
  assert.equal(cost(chat, { input_tokens: 1, output_tokens: 1 }), '0.000000750000')
  assert.equal(cost({ per_million_characters: 15 }, { characters: 400, seconds: 30 }), '0.006000000000')
  assert.equal(cost({ per_second: 0.0001 }, { characters: 400, seconds: 30.5 }), '0.003050000000')
  assert.equal(cost({ per_image: 0.04 }, { images: 1 }), '0.040000000000')
})

test('the price is that of the size, of the model, or of all others', () => {
  const all = { 'i@1x1': { per_image: 1 }, i: { per_image: 2 }, '*': { per_image: 3 } }
  const of = (model: string, size?: string) =>
    priceFor(all, { kind: 'image', model, ...(size === undefined ? {} : { size }) })?.per_image
  assert.deepEqual([of('i', '1x1'), of('i', '2x2'), of('other'), of('constructor')], [1, 2, 3, 3])
  assert.equal(priceFor(all, { kind: 'chat', model: 'i' }), null)
})

test('months and days are those of the time zone', () => {
  const at = new Date('2026-12-31T23:30:00Z')
  assert.deepEqual(periodNames(at, 'Europe/Berlin'), { month: '2027-01', day: '2027-01-01' })
  assert.deepEqual(periodNames(at, 'UTC'), { month: '2026-12', day: '2026-12-31' })
  assert.equal(monthOf(at, 'UTC').daysRemaining, 0)
  assert.equal(monthOf(at, 'Europe/Berlin').daysRemaining, 30)
  assert.equal(nextDay(at, 'Europe/Berlin').toISOString(), '2027-01-01T23:00:00.000Z')
})
