import { ConflictError, InputError, isUuid, NotFoundError, type Queryable } from '#core'

const minPrefixLength = 8
const template = '00000000-0000-0000-0000-000000000000'
const identifier = /^[a-z_]+(\.[a-z_]+)?$/
const maxShown = 5
/** So many matches of a prefix are read: one more than a refusal names. */
export const maxIdMatches = maxShown + 1

/** Ids from the first to the last, both included. */
export type IdRange = readonly [first: string, last: string]

/** The lowest and the highest id that an id or a prefix of it stands for. @throws InputError for anything else, naming `field` */
export function idRange(text: string, field: string): IdRange {
  const prefix = text.trim().toLowerCase()
  const rest = template.slice(prefix.length)
  const first = prefix + rest
  if (prefix.length < minPrefixLength || !isUuid(first)) {
    throw new InputError({
      [field]: `is not an id: give a UUID or at least ${minPrefixLength} of its first characters`
    })
  }
  return [first, prefix + rest.replaceAll('0', 'f')]
}

/** `AMBIGUOUS_ID`, for a text that stands for each of `matches`: up to `maxIdMatches` are enough. */
export function ambiguousId(text: string, matches: readonly string[], remedy = 'Give more of it.'): ConflictError {
  const more = matches.length > maxShown ? ' and more' : ''
  const shown = matches.slice(0, maxShown).join(', ')
  return new ConflictError(`${text.trim()} stands for several: ${shown}${more}. ${remedy}`, 'AMBIGUOUS_ID')
}

/**
 * The full id for an id or a prefix of it, as clients and operators write them. A full id is answered as it is,
 * without asking whether it exists. `table` and `column` are names from the code; `field` (default: the column) is the one at fault.
 * With `of`, another unique column of the table, an id or a prefix in it stands for its row, too.
 * @throws InputError for what is neither, NotFoundError for no match, ConflictError `AMBIGUOUS_ID` for several, listing them.
 */
export async function resolveId(
  db: Queryable,
  table: string,
  column: string,
  text: string,
  { of, field = column }: { of?: string; field?: string } = {}
): Promise<string> {
  const range = idRange(text, field)
  const [first, last] = range
  const isWhole = first === last
  if (isWhole && of === undefined) return first
  const ids = await findInRange(db, table, of === undefined ? [column] : [column, of], range)
  const [only] = ids
  if (only === undefined && isWhole) return first
  if (only === undefined)
    throw new NotFoundError(`No ${field} begins with ${text.trim()}: check it, or give more of it.`)
  if (ids.length === 1) return only
  throw ambiguousId(text, ids)
}

/** A range over the ids' own order, so that the primary key's index finds them. */
async function findInRange(
  db: Queryable,
  table: string,
  columns: readonly string[],
  range: IdRange
): Promise<string[]> {
  const wrong = [table, ...columns].find(name => !identifier.test(name))
  if (wrong !== undefined) throw new TypeError(`${wrong} is not the name of a table or a column`)
  const within = columns.map(column => `${column} between $1::uuid and $2::uuid`)
  const rows = await db.query<{ id: string }>(
    `select distinct ${columns[0]} as id from ${table} where ${within.join(' or ')} order by 1 limit ${maxIdMatches}`,
    range
  )
  return rows.map(row => row.id)
}
