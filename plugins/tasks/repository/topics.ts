import type { Queryable, Tx } from '#core'
import { fetchLimit, type IdRange, type PageRequest } from '#lists'

/** An open topic or a published post that a proposal nearly repeats; similarity 0–1. */
export interface NearDuplicate {
  type: 'topic' | 'post'
  id: string
  title: string
  similarity: number
}

/** A topic that waits for a decision, with what it was proposed with. */
export interface TopicRow {
  task_id: string
  topic: string
  primary_keyword: string | null
  tags: string[]
  category: string | null
  source: string
  target_length: number
  style: string
  tone: string
  status: string
  awaiting_gate: string | null
  created_at: string
  /** What it nearly repeated when it was proposed; null when nothing. */
  near_duplicate: NearDuplicate | null
}

const columns = `task_id, topic, primary_keyword, tags, category, source, target_length, style, tone, status, awaiting_gate,
  created_at, near_duplicate`
const waiting = `status = 'awaiting_gate' and awaiting_gate = 'topic_decision'`

/** Waiting topics, oldest first; the row after the page tells that there is more. */
export function listTopics(
  db: Queryable,
  source: string | null,
  page: PageRequest,
  [first, last]: IdRange | [null, null] = [null, null]
): Promise<TopicRow[]> {
  const [created_at = null, task_id = null] = page.after ?? []
  return db.query<TopicRow>(
    `select ${columns} from tasks where ${waiting} and ($1::text is null or source = $1)
       and ($4::timestamptz is null or (created_at, task_id) > ($4::timestamptz, $5::uuid))
       and ($6::uuid is null or task_id between $6 and $7)
     order by created_at, task_id limit $2 offset $3`,
    [source, fetchLimit(page), page.offset, created_at, task_id, first, last]
  )
}

export async function countTopics(db: Queryable, source: string | null): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from tasks where ${waiting} and ($1::text is null or source = $1)`,
    [source]
  )
  return row?.count ?? 0
}

export async function findTopic(db: Queryable, task_id: string): Promise<TopicRow | undefined> {
  const [row] = await db.query<TopicRow>(`select ${columns} from tasks where task_id = $1`, [task_id])
  return row
}

/** Proposals take turns, so that two at once cannot both take the last place in the queue. */
export async function lockQueue(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('galley.topic_queue'))`)
}

/** The newest topics that are proposed, being written, or waiting: what a new one could repeat. */
export function listOpenTopics(db: Queryable, limit: number): Promise<{ task_id: string; topic: string }[]> {
  return db.query(
    `select task_id, topic from tasks
     where status in ('awaiting_gate', 'pending', 'in_progress', 'rejected_retry', 'awaiting_approval', 'approved')
     order by created_at desc, task_id desc limit $1`,
    [limit]
  )
}
