import type { Queryable } from '../db/db.ts'

/** Answers when the database does. */
export async function ping(db: Queryable): Promise<void> {
  await db.query('select 1')
}

/** The database's own time, as ISO 8601. */
export async function readClock(db: Queryable): Promise<string> {
  const [row] = await db.query<{ at: string }>('select clock_timestamp() as at')
  return row?.at ?? ''
}
