import type { PageRequest, Queryable, Tx } from '#core'

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
}

const columns =
  'task_id, topic, primary_keyword, tags, category, source, target_length, style, tone, status, awaiting_gate, created_at'
const waiting = `status = 'awaiting_gate' and awaiting_gate = 'topic_decision'`

/** Waiting topics, oldest first; the row after the page tells that there is more. */
export function listTopics(db: Queryable, source: string | null, page: PageRequest): Promise<TopicRow[]> {
  return db.query<TopicRow>(
    `select ${columns} from tasks where ${waiting} and ($1::text is null or source = $1)
     order by created_at, task_id limit $2 offset $3`,
    [source, page.limit + 1, page.offset]
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
