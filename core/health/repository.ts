import type { Queryable } from '../contract/database.ts'

/** Resolves when the database answers. */
export async function ping(db: Queryable): Promise<void> {
  await db.query('select 1')
}
