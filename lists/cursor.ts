import { hash } from 'node:crypto'
import { InputError, isUuid } from '#core'

/** What a list is of: its name, then each filter it was asked with, always in the same order. */
export type ListIdentity = readonly [name: string, ...filters: (string | number | boolean | null | undefined)[]]

/** What a value of a cursor is: a moment as the database writes it, an id, a whole number from 0 on, or any text. */
export type CursorValue = 'timestamp' | 'uuid' | 'integer' | 'text'

/** What tells a list in its cursors. It is short, as cursors stand in addresses, and no secret. */
export const listFingerprint = (of: ListIdentity): string =>
  hash('sha256', JSON.stringify(of), 'base64url').slice(0, 10)

/** A cursor from the sort values of the row it stands for, for the list of a request. */
export function encodeCursor(values: readonly string[], { list = '' }: { list?: string }): string {
  return Buffer.from(JSON.stringify([...values, list])).toString('base64url')
}

export function decodeCursor(text: string, kinds: readonly CursorValue[], list: string): string[] {
  const refused = new InputError({
    cursor: 'is not a cursor of this list and these filters: use next_cursor of a page as it is, with the same filters'
  })
  let values: unknown
  try {
    values = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    throw refused
  }
  if (!Array.isArray(values) || values.length !== kinds.length + 1 || values.pop() !== list) throw refused
  if (!kinds.every((kind, at) => isStorableText(values[at]) && forms[kind](values[at]))) throw refused
  return values
}

const forms: Readonly<Record<CursorValue, (value: string) => boolean>> = {
  timestamp: isTimestamp,
  uuid: isUuid,
  integer: value => /^(0|[1-9]\d{0,14})$/.test(value),
  text: () => true
}

const timestamp = /^(\d{4,6})-(0[1-9]|1[0-2])-(\d\d)[T ]([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?(Z|\+00)$/
/** PostgreSQL's last year. */
const maxYear = 294_275

/** As a driver reads one, or as PostgreSQL writes it in full; a day that there is. */
function isTimestamp(value: string): boolean {
  const [, year, month, day] = (timestamp.exec(value) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  // Day 0 of the next month is the last of this one. The calendar repeats after 400 years; `UTC` takes years under 100 for 19xx.
  const days = new Date(Date.UTC(2_000 + (year % 400), month, 0)).getUTCDate()
  return year >= 1 && year <= maxYear && day >= 1 && day <= days
}

/** PostgreSQL takes neither NUL nor half a surrogate pair. */
const isStorableText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
