import type { Queryable } from '#core'
import { type StateRow, stateColumns } from './changes.ts'

/** Posts that wait at a gate, the longest waiting first. */
export function listHeld(db: Queryable, gate_name: string, limit: number | null = null): Promise<StateRow[]> {
  return db.query<StateRow>(
    `select ${stateColumns} from posts where awaiting_gate = $1 and status = 'scheduled'
     order by published_at, post_id limit $2`,
    [gate_name, limit]
  )
}

export async function countHeld(db: Queryable, gate_name: string): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    "select count(*) as total from posts where awaiting_gate = $1 and status = 'scheduled'",
    [gate_name]
  )
  return row?.total ?? 0
}

/** Posts that wait for the sign-off, the longest waiting first. */
export function listAwaiting(db: Queryable, limit: number): Promise<StateRow[]> {
  return db.query<StateRow>(
    `select ${stateColumns} from posts where status = 'awaiting_approval' order by updated_at, post_id limit $1`,
    [limit]
  )
}

export async function countAwaiting(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    "select count(*) as total from posts where status = 'awaiting_approval'"
  )
  return row?.total ?? 0
}
