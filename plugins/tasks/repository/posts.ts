import type { Queryable, Tx } from '#core'
import type { IdRange } from '#lists'
import type { TaskStatus } from '../states.ts'
import { givenSlots, type Slot } from './moves.ts'
import { type TaskRow, taskColumns } from './tasks.ts'

export async function findTaskOfPost(db: Queryable, post_id: string): Promise<TaskRow | undefined> {
  const [row] = await db.query<TaskRow>(`select ${taskColumns} from tasks where post_id = $1`, [post_id])
  return row
}

export async function findPostId(db: Queryable, task_id: string): Promise<string | null> {
  const [row] = await db.query<{ post_id: string | null }>('select post_id from tasks where task_id = $1', [task_id])
  return row?.post_id ?? null
}

/** Tasks whose draft awaits approval, the longest waiting first. */
export function listAwaitingTasks(
  db: Queryable,
  limit: number,
  [first, last]: IdRange | [null, null] = [null, null]
): Promise<{ task_id: string; post_id: string; since: string }[]> {
  return db.query(
    `select task_id, post_id, updated_at as since from tasks where status = 'awaiting_approval' and post_id is not null
       and ($2::uuid is null or task_id between $2 and $3 or post_id between $2 and $3)
     order by updated_at, task_id limit $1`,
    [limit, first, last]
  )
}

export async function countAwaitingTasks(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    `select count(*) as total from tasks where status = 'awaiting_approval' and post_id is not null`
  )
  return row?.total ?? 0
}

/** Writes the slots of approved tasks whose posts have another one now, or none. */
export async function setSlots(tx: Tx, slots: readonly Slot[]): Promise<void> {
  await tx.query(
    `update tasks set publish_at = was.published_at, updated_at = now()
     from (
       select task_id, given.published_at from tasks join ${givenSlots} using (post_id)
       where status = 'approved' and publish_at is distinct from given.published_at order by task_id for update of tasks
     ) as was
     where tasks.task_id = was.task_id`,
    [JSON.stringify(slots.map(({ post_id, published_at }) => ({ post_id, published_at })))]
  )
}

/** A post's text as its task shows it. */
interface DraftText {
  post_id: string
  title: string
  excerpt: string
  content: string
}

export type LockedTaskOfPost = Pick<TaskRow, 'task_id' | 'status' | 'stage'>

/** The task of a post, locked; undefined for none. */
export async function lockTaskOfPost(tx: Tx, post_id: string): Promise<LockedTaskOfPost | undefined> {
  const [row] = await tx.query<LockedTaskOfPost>(
    'select task_id, status, stage from tasks where post_id = $1 for update',
    [post_id]
  )
  return row
}

/**
 * Writes a post's text into its task; it is edited when it was another `before`, or was edited earlier. No check of an earlier text
 * goes on: a retry has it written again. A task with a newer draft than the one its post had `before` loses what is said of that
 * draft's writer; `qa` and `reason` still say why it was rejected.
 */
export async function updateText(
  tx: Tx,
  { post_id, title, excerpt, content }: DraftText,
  before: Omit<DraftText, 'post_id'>
): Promise<void> {
  await tx.query(
    `update tasks set title = $2, excerpt = $3, content = $4, checked = true, updated_at = now(),
       edited = post_edited or ($2::text, $3::text, $4::text) is distinct from ($5::text, $6::text, $7::text),
       post_edited = post_edited or ($2::text, $3::text, $4::text) is distinct from ($5::text, $6::text, $7::text),
       metadata = case when (title, excerpt, content) is distinct from ($5::text, $6::text, $7::text) then metadata - '{writer,source_ids,is_extractive}'::text[] else metadata end
     where post_id = $1`,
    [post_id, title, excerpt, content, before.title, before.excerpt, before.content]
  )
}

/** What the tasks of posts were before they were dismissed last, by the id of the post. */
export async function listStatusesBeforeDismissal(
  tx: Tx,
  post_ids: readonly string[]
): Promise<Map<string, TaskStatus | null>> {
  const rows = await tx.query<{ post_id: string; before: TaskStatus | null }>(
    `select post_id, (
       select from_status from pipeline_events event
       where event.task_id = tasks.task_id and to_status = 'dismissed' order by id desc limit 1
     ) as before
     from tasks where post_id = any($1::uuid[])`,
    [post_ids]
  )
  return new Map(rows.map(({ post_id, before }) => [post_id, before]))
}

/** A task that is not what its post says. */
export interface Disagreement {
  task_id: string
  status: TaskStatus
  post_id: string
  post_status: string
}

/** Some of the tasks whose posts say otherwise. */
export function listDisagreements(db: Queryable, limit: number): Promise<Disagreement[]> {
  return db.query<Disagreement>(
    `select tasks.task_id, tasks.status, post.post_id, post.status as post_status
     from tasks join indexed_posts post on post.task_id = tasks.task_id
     where not case post.status
       when 'published' then tasks.status = 'published'
       when 'scheduled' then tasks.status = 'approved' and tasks.publish_at is not distinct from post.published_at
       when 'approved' then tasks.status = 'approved' and tasks.publish_at is null
       when 'awaiting_approval' then tasks.status = 'awaiting_approval'
       when 'archived' then tasks.status = 'dismissed'
       else tasks.status not in ('approved', 'published', 'dismissed')
     end
     order by tasks.task_id limit $1`,
    [limit]
  )
}
