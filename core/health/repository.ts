import type { Queryable } from '../db/db.ts'

/** Resolves when the database answers. */
export async function ping(db: Queryable): Promise<void> {
  await db.query('select 1')
}
