/**
 * Amounts of money are whole numbers of 10⁻¹² of the currency, as `bigint`: a token at a price per million tokens with six
 * decimals is exactly one such number. In the database they are `numeric` with twelve decimals.
 */
export type Amount = bigint

const decimals = 12
const unit = 10n ** BigInt(decimals)

/** Reads a decimal as the database and operators write it: `12`, `0.25`, `-3.5`. @throws RangeError for anything else */
export function parseAmount(text: string): Amount {
  const match = /^(-?)(\d{1,18})(?:\.(\d{1,12}))?$/.exec(text)
  if (match === null) throw new RangeError(`${JSON.stringify(text)} is no amount: write a decimal such as 0.25.`)
  const [, sign, whole = '0', fraction = ''] = match
  const value = BigInt(whole) * unit + BigInt(fraction.padEnd(decimals, '0'))
  return sign === '-' ? -value : value
}

/** What a number in a setting stands for, to six decimals. */
export const amountOf = (value: number): Amount => parseAmount(value.toFixed(6))

/** As the database takes it, with all decimals. */
export function formatAmount(amount: Amount): string {
  const size = amount < 0n ? -amount : amount
  return `${amount < 0n ? '-' : ''}${size / unit}.${String(size % unit).padStart(decimals, '0')}`
}

/** As JSON shows it, rounded to six decimals. Nothing is summed from it. */
export const toNumber = (amount: Amount): number => Number(formatAmount(rounded(amount, 6)))

/** A decimal of the database as JSON shows it. */
export const numberOf = (text: string): number => toNumber(parseAmount(text))

/** As people read it: two decimals, or as many as a small amount needs to show two digits. */
export function showAmount(amount: Amount, currency: string): string {
  const size = amount < 0n ? -amount : amount
  const shown = size === 0n || size >= unit / 10n ? 2 : size >= unit / 1_000n ? 4 : 6
  const text = formatAmount(rounded(amount, shown))
  return `${text.slice(0, text.indexOf('.') + 1 + shown)} ${currency}`
}

function rounded(amount: Amount, digits: number): Amount {
  const step = 10n ** BigInt(decimals - digits)
  const half = amount < 0n ? -step / 2n : step / 2n
  return ((amount + half) / step) * step
}
