import type { Queryable } from '#core'
import type { IdRange } from '#lists'
import { type StateRow, stateColumns } from './state-changes.ts'

/** Posts that wait at a gate, the longest waiting first. */
export function listHeld(
  db: Queryable,
  gate_name: string,
  limit: number | null = null,
  [first, last]: IdRange | [null, null] = [null, null]
): Promise<StateRow[]> {
  return db.query<StateRow>(
    `select ${stateColumns} from posts where awaiting_gate = $1 and status = 'scheduled'
       and ($3::uuid is null or post_id between $3 and $4 or task_id between $3 and $4)
     order by published_at, post_id limit $2`,
    [gate_name, limit, first, last]
  )
}

export async function countHeld(db: Queryable, gate_name: string): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    "select count(*) as total from posts where awaiting_gate = $1 and status = 'scheduled'",
    [gate_name]
  )
  return row?.total ?? 0
}

/** A drafted post waits with its task, which is counted there. */
const handMade = `status = 'awaiting_approval' and task_id is null`

/** Hand-made posts that wait for approval, the longest waiting first. */
export function listAwaiting(
  db: Queryable,
  limit: number,
  [first, last]: IdRange | [null, null] = [null, null]
): Promise<(StateRow & { updated_at: string })[]> {
  return db.query<StateRow & { updated_at: string }>(
    `select ${stateColumns}, updated_at from posts
     where ${handMade} and ($2::uuid is null or post_id between $2 and $3) order by updated_at, post_id limit $1`,
    [limit, first, last]
  )
}

export async function countAwaiting(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: number }>(`select count(*) as total from posts where ${handMade}`)
  return row?.total ?? 0
}
