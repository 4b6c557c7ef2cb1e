import type { Queryable } from '#core'

/** The database's clock: the one that slots are compared with. */
export async function readDatabaseClock(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ at: string }>('select clock_timestamp()::timestamptz(3) as at')
  if (row === undefined) throw new TypeError('The database answered no time.')
  return new Date(row.at)
}
