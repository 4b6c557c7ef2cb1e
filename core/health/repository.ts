import type { Queryable } from '../db/db.ts'

/** Answers when the database does. */
export async function ping(db: Queryable): Promise<void> {
  await db.query('select 1')
}
