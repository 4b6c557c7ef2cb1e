import type { Tx } from '../../../core/contract/database.ts'
import { type BackupTable, quoteIdentifier, quoteName } from './tables.ts'

/** After a restore. The embedded database does not do it by itself. */
export async function analyzeTables(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.query(`analyze ${names.map(quoteName).join(', ')}`)
}

/** `select` of a table's rows as lines: a JSON list of each column's text, as every PostgreSQL reads and writes it. */
export interface RowQuery {
  /** What is selected instead of a column. */
  replace?: Readonly<Record<string, string>>
  where?: string
}

export function lineQuery({ name, columns, key }: BackupTable, { replace = {}, where = 'true' }: RowQuery): string {
  const values = columns.map(column => `(${replace[column.name] ?? quoteIdentifier(column.name)})::text`)
  // Texts are put in the order of their bytes: collations differ between servers.
  const order = (key.length > 0 ? key : columns.map(column => column.name)).map(column =>
    isText(columns, column) || key.length === 0
      ? `${quoteIdentifier(column)}::text collate "C"`
      : quoteIdentifier(column)
  )
  return `select json_build_array(${values.join(', ')})::text as line from ${quoteName(name)} where ${where} order by ${order.join(', ')}`
}

const isText = (columns: BackupTable['columns'], name: string) =>
  columns.some(column => column.name === name && /^(text|character|varchar|jobs\.)/.test(column.type))

/** Rows fetched at once, by how long they are: a few texts of megabytes, or some hundred short rows. */
const fetchSizes = [1, 8, 64, 512]
const wantedCharacters = 1024 * 1024

/** Runs a query through a cursor, so that about a megabyte is held. */
export async function* eachLine(tx: Tx, sql: string): AsyncGenerator<string[]> {
  await tx.query(`declare backup_rows no scroll cursor for ${sql}`)
  for (let size = 8; ; ) {
    const rows = await tx.query<{ line: string }>(`fetch ${size} from backup_rows`)
    if (rows.length === 0) break
    yield rows.map(({ line }) => line)
    const longest = Math.max(...rows.map(({ line }) => line.length))
    size = fetchSizes.findLast(count => count * longest <= wantedCharacters) ?? 1
  }
  await tx.query('close backup_rows')
}

/**
 * Inserts rows that come as a JSON list of lists of texts. The table and its columns are as `listTables` found them here;
 * `index` is where in a row the column's text is. The queue's library may have put rows of its own there already.
 */
export async function insertRows(
  tx: Tx,
  { name, columns }: Pick<BackupTable, 'name'> & { columns: readonly { name: string; type: string; index: number }[] },
  json: string
): Promise<void> {
  const names = columns.map(column => quoteIdentifier(column.name)).join(', ')
  const values = columns.map(({ index, type }) => `(line->>${index})::${type}`).join(', ')
  await tx.query(
    `insert into ${quoteName(name)} (${names}) overriding system value
     select ${values} from jsonb_array_elements($1::jsonb) line${name.startsWith('jobs.') ? ' on conflict do nothing' : ''}`,
    [json]
  )
}
