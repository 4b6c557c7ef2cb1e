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
  if (amount === null || !decimalPattern.test(amount))
    throw new InputError({ body: 'has no amount: a decimal such as "19.99" in amount, or amount_minor' })
  return { amount, currency: currencyOf(fields.currency) }
}

/** A number of the smallest unit: cents of most currencies. @throws InputError */
export function minorMoney(value: unknown, currencyCode: unknown, digitsOf = minorDigits): Money {
  const currency = currencyOf(currencyCode)
  const minor = payloadText(value, 100)
  if (minor === null || !wholePattern.test(minor))
    throw new InputError({ body: 'has no amount: it must be a whole number of the smallest unit of the currency' })
  const digits = digitsOf(currency)
  if (digits === 0) return { amount: BigInt(minor).toString(), currency }
  const padded = minor.padStart(digits + 1, '0')
  const whole = BigInt(padded.slice(0, -digits)).toString()
  return { amount: `${whole}.${padded.slice(-digits)}`, currency }
}

/** By ISO 4217: 2 for most, 0 for JPY, 3 for KWD. */
export const minorDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

function currencyOf(value: unknown): string {
  const currency = payloadText(value, 10)?.toUpperCase() ?? ''
  if (/^[A-Z]{3}$/.test(currency)) return currency
  throw new InputError({ body: 'has no currency: three letters such as EUR' })
}
