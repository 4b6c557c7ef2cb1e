import { ConflictError, InputError, NotFoundError } from '../contract/errors.ts'
import { isUuid } from '../uuid.ts'
import type { Queryable } from './db.ts'

const minPrefixLength = 8
const template = '00000000-0000-0000-0000-000000000000'
const identifier = /^[a-z_]+(\.[a-z_]+)?$/
const maxListedMatches = 6

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
  const prefix = text.trim().toLowerCase()
  if (!isIdPrefix(prefix)) {
    throw new InputError({
      [field]: `is not an id: give a UUID or at least ${minPrefixLength} of its first characters`
    })
  }
  if (prefix.length === template.length && of === undefined) return prefix
  const columns = of === undefined ? [column] : [column, of]
  const ids = await findByPrefix(db, table, columns, prefix)
  const [only] = ids
  if (only === undefined && prefix.length === template.length) return prefix
  if (only === undefined) throw new NotFoundError(`No ${field} begins with ${prefix}: check it, or give more of it.`)
  if (ids.length === 1) return only
  throw new ConflictError(`${prefix} stands for several: ${listOfIds(ids)}. Give more of it.`, 'AMBIGUOUS_ID')
}

const isIdPrefix = (text: string): boolean =>
  text.length >= minPrefixLength && isUuid(text + template.slice(text.length))

/** A range over the ids' own order, so that the primary key's index finds them. */
async function findByPrefix(
  db: Queryable,
  table: string,
  columns: readonly string[],
  prefix: string
): Promise<string[]> {
  const wrong = [table, ...columns].find(name => !identifier.test(name))
  if (wrong !== undefined) throw new TypeError(`${wrong} is not the name of a table or a column`)
  const first = prefix + template.slice(prefix.length)
  const last = prefix + template.slice(prefix.length).replaceAll('0', 'f')
  const within = columns.map(column => `${column} between $1::uuid and $2::uuid`)
  const rows = await db.query<{ id: string }>(
    `select ${columns[0]} as id from ${table} where ${within.join(' or ')} order by 1 limit ${maxListedMatches}`,
    [first, last]
  )
  return rows.map(row => row.id)
}

function listOfIds(ids: readonly string[]): string {
  return ids.length < maxListedMatches ? ids.join(', ') : `${ids.slice(0, -1).join(', ')} and more`
}
