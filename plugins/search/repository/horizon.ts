import type { Queryable } from '#core'

/**
 * SQL for the oldest transaction that is still open: a number of 64 bits as text. What is committed after the statement was
 * written by this transaction or a later one.
 */
export const horizonSql = 'pg_snapshot_xmin(pg_current_snapshot())::text'

/** The horizon. Read before the rows, it finds all that may be new later: `version >= horizon`. */
export async function readHorizon(db: Queryable): Promise<string> {
  const [row] = await db.query<{ horizon: string }>(`select ${horizonSql} as horizon`)
  return row?.horizon ?? '0'
}
