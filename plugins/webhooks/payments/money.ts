import { InputError } from '#core'
import { type Fields, payloadText } from '../payload.ts'

/** Larger ones are no amounts of money. */
const wholePattern = /^\d{1,15}$/
const decimalPattern = /^\d{1,15}(\.\d{1,6})?$/

/** An amount in units of its currency, as decimal text, and the currency in capitals. */
export interface Money {
  amount: string
  currency: string
}

/** Reads `amount` (decimal) or `amount_minor` (the smallest unit of the currency). @throws InputError */
export function moneyOf(fields: Fields): Money {
  const minor = fields.amount_minor ?? fields.amount_cents
  if (minor !== undefined) return minorMoney(minor, fields.currency)
  const amount = payloadText(fields.amount ?? fields.total, 100)
  if (amount === null) throw new InputError({ body: `has no amount: ${decimalForm}, in amount, or amount_minor` })
  if (!decimalPattern.test(amount))
    throw new InputError({ body: `has an amount that cannot be counted, ${amount}: it must be ${decimalForm}` })
  const currency = currencyOf(fields.currency)
  const digits = minorDigits(currency)
  if (significantDecimals(amount) > digits)
    throw new InputError({ body: `has an amount of ${amount} ${currency}, which has ${digits} decimals` })
  return { amount, currency }
}

const decimalForm = 'a decimal such as "19.99", not negative and below 10^15'

const significantDecimals = (decimal: string): number => /\.(\d*?)0*$/.exec(decimal)?.[1]?.length ?? 0

/** A number of the smallest unit: cents of most currencies. @throws InputError */
export function minorMoney(value: unknown, currencyCode: unknown, digitsOf = minorDigits): Money {
  const currency = currencyOf(currencyCode)
  const minor = payloadText(value, 100)
  if (minor === null) throw new InputError({ body: `has no amount: ${wholeForm}` })
  if (!wholePattern.test(minor))
    throw new InputError({ body: `has an amount that cannot be counted, ${minor}: it must be ${wholeForm}` })
  const digits = digitsOf(currency)
  if (digits === 0) return { amount: BigInt(minor).toString(), currency }
  const padded = minor.padStart(digits + 1, '0')
  const whole = BigInt(padded.slice(0, -digits)).toString()
  return { amount: `${whole}.${padded.slice(-digits)}`, currency }
}

const wholeForm = 'a whole number of the smallest unit of the currency, not negative and below 10^15'

/** Of ISO 4217. `Intl` follows how people write prices: no decimals for HUF, IDR or COP, whose smallest unit is a hundredth. */
const digitsOfCurrency = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map(code => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map(code => [code, 3] as const),
  ...'CLF UYW'.split(' ').map(code => [code, 4] as const)
])

export const minorDigits = (currency: string): number => digitsOfCurrency.get(currency) ?? 2

const currencies = new Set(Intl.supportedValuesOf('currency'))

function currencyOf(value: unknown): string {
  const currency = payloadText(value, 10)?.toUpperCase() ?? ''
  if (currencies.has(currency)) return currency
  throw new InputError({ body: 'has no currency: three letters of ISO 4217 such as EUR' })
}
