import assert from 'node:assert/strict'
import type { Db } from '../../core/contract/database.ts'

/** What a task may be while its post is in a status, by the contract. */
const tasksOf: Record<string, readonly string[]> = {
  published: ['published'],
  scheduled: ['approved'],
  approved: ['approved'],
  awaiting_approval: ['awaiting_approval'],
  archived: ['dismissed'],
  // `awaiting_approval`: it was unpublished.
  draft: ['awaiting_approval', 'pending', 'in_progress', 'rejected', 'rejected_retry', 'rejected_final', 'failed'],
  none: ['pending', 'in_progress', 'awaiting_gate', 'rejected', 'dismissed', 'failed']
}
const waiting = ['awaiting_approval', 'approved', 'published']

interface Pair {
  task_id: string
  status: string
  publish_at: string | null
  slot: string | null
  post_status: string | null
  is_same: boolean
}

/** Fails where a task and its post, read in one statement, do not say the same. `historyOf` says what was done to a task. */
export async function assertAgree(
  db: Pick<Db, 'query'>,
  historyOf: (task: { task_id: string }) => string = () => ''
): Promise<void> {
  const pairs = await db.query<Pair>(
    `select t.task_id, t.status, t.publish_at, p.published_at as slot, p.status as post_status,
       (t.title, t.excerpt, t.content) is not distinct from (p.title, p.excerpt, p.content) as is_same
     from tasks t left join posts p on p.task_id = t.task_id`
  )
  for (const pair of pairs) {
    const { status, publish_at, slot, post_status } = pair
    const about = `${historyOf(pair)}: ${JSON.stringify(pair)}`
    assert.ok(tasksOf[post_status ?? 'none']?.includes(status), about)
    if (post_status === 'scheduled') assert.equal(publish_at, slot, about)
    else if (status === 'published') assert.ok(publish_at === null || publish_at === slot, about)
    else assert.equal(publish_at, null, about)
    if (waiting.includes(status)) assert.ok(pair.is_same, about)
  }
}
