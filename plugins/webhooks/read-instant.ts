/** Later ones are in milliseconds. */
const maxSeconds = 100_000_000_000

/** A time that a sender wrote: ISO 8601 with an offset, or seconds or milliseconds since 1970 as text. Null for anything else. */
export function readInstant(value: unknown): Date | null {
  if (typeof value !== 'string') return null
  if (/^\d{9,14}(\.\d+)?$/.test(value)) {
    const number = Number(value)
    return new Date(number < maxSeconds ? number * 1000 : number)
  }
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(value)) return null
  const date = new Date(value)
  return isStorable(date) ? date : null
}

/** The database has no year 0. Senders write it for no time: the first moment of the year 1, in a zone ahead of UTC. */
export const isStorable = (at: Date): boolean => at.getUTCFullYear() > 0

const maxAheadMs = 86_400_000

/** A sender whose clock is this far ahead is not believed: its time would make every later event a late one. */
export const isFarAhead = (at: Date, now: Date): boolean => at.getTime() > now.getTime() + maxAheadMs
