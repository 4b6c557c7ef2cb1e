/** A measured value beside what is wanted of it. */
export interface Measured {
  what: string
  measured: string
  target: string
  met: 'yes' | 'no' | ''
}

/** `limit` is the most (`<`) or the least (`≥`) that is wanted. */
export function measured(what: string, value: number, unit: string, sign: '<' | '≥', limit: number): Measured {
  const isMet = sign === '<' ? value < limit : value >= limit
  const shown = value >= 20 ? String(Math.round(value)) : value.toFixed(2)
  return { what, measured: `${shown} ${unit}`, target: `${sign} ${limit} ${unit}`, met: isMet ? 'yes' : 'no' }
}

/** The value below which `share` of all values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
