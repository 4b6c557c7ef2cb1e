import type { Queryable, Tx } from '#core'
import { assign, type Changes, type TaskRow, timesOfMove, whole } from './repository.ts'
import { type TaskStatus, type Transition, transitions } from './states.ts'

export async function findTaskOfPost(db: Queryable, post_id: string): Promise<TaskRow | undefined> {
  const [row] = await db.query<TaskRow>(`select ${whole} from tasks where post_id = $1`, [post_id])
  return row
}

/** The task of a post, locked: what is read after it cannot be decided by another until the transaction ends. */
export async function lockTaskOfPost(tx: Tx, post_id: string): Promise<TaskRow | undefined> {
  const [row] = await tx.query<TaskRow>(`select ${whole} from tasks where post_id = $1 for update`, [post_id])
  return row
}

/** A task as far as it follows its post. */
export type TaskOfPost = Pick<TaskRow, 'task_id' | 'status' | 'publish_at'> & { post_id: string }

/** The tasks of posts, locked in an order that all keep. */
export function lockTasksOfPosts(tx: Tx, post_ids: readonly string[]): Promise<TaskOfPost[]> {
  return tx.query<TaskOfPost>(
    `select task_id, status, publish_at, post_id from tasks where post_id = any($1::uuid[]) order by task_id for update`,
    [post_ids]
  )
}

/** Writes the slots of locked tasks; null for none. */
export async function setSlots(tx: Tx, tasks: readonly Pick<TaskRow, 'task_id' | 'publish_at'>[]): Promise<void> {
  await tx.query(
    `update tasks set publish_at = slots.publish_at, updated_at = now()
     from jsonb_to_recordset($1::jsonb) as slots (task_id uuid, publish_at timestamptz)
     where tasks.task_id = slots.task_id`,
    [JSON.stringify(tasks.map(({ task_id, publish_at }) => ({ task_id, publish_at })))]
  )
}

/** `moveTask` for the tasks of many posts; answers those it applied to. */
export function moveTasksOfPosts(
  db: Queryable,
  post_ids: readonly string[],
  transition: Transition,
  changes: Changes = {}
): Promise<(Pick<TaskRow, 'task_id' | 'status'> & { post_id: string; from: TaskStatus })[]> {
  const { from, to } = transitions[transition]
  const { assignments, values } = assign({ ...changes, status: to }, 4)
  return db.query(
    `update tasks set ${assignments}, ${timesOfMove}
     from (
       select task_id, status as from_status from tasks where post_id = any($1::uuid[]) order by task_id for update
     ) as was
     where tasks.task_id = was.task_id and was.from_status = any($3::text[])
     returning tasks.task_id, tasks.status, tasks.post_id, was.from_status as "from"`,
    [post_ids, to, [...from], ...values]
  )
}
