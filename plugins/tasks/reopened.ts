import type { Db, Tx } from '#core'
import type { Posts } from '#plugins/posts'
import { transition } from './approval.ts'
import { lockTask, lockTaskOfPost, setPublishAt, type TaskRow } from './repository.ts'

type Deps = { posts: Posts }

/**
 * Brings an approved task back whose post waits for approval again: a decision may come before the event does.
 * The task's lock is taken first, as in every decision on it, so that the post is read as the last one left it.
 */
export async function catchUp(deps: Deps, tx: Tx, task_id: string): Promise<void> {
  const task = await lockTask(tx, task_id)
  if (task !== undefined) await reopen(deps, tx, task, { actor: 'posts', reason: null })
}

async function reopen(
  { posts }: Deps,
  tx: Tx,
  task: TaskRow,
  { actor, reason }: { actor: string; reason: string | null }
): Promise<void> {
  if (task.status !== 'approved' || task.post_id === null) return
  const post = (await posts.refs(tx, [task.post_id])).get(task.post_id)
  if (post?.status !== 'awaiting_approval') return
  const why = reason ?? 'the content changed after the approval'
  const changes = { publish_at: null, progress: 90, reason: why }
  await transition(tx, task.task_id, 'reopened', { actor, changes, detail: { reason: why, post_id: post.post_id } })
}

/** An approved post whose content changed takes its task back to the sign-off. */
export function followReopened(db: Db, deps: Deps) {
  return ({ post_id, actor, reason }: { post_id: string; actor: string; reason: string }): Promise<void> =>
    db.transaction(async tx => {
      const task = await lockTaskOfPost(tx, post_id)
      if (task !== undefined) await reopen(deps, tx, task, { actor, reason })
    })
}

/** A post that got a slot by hand is signed off, and its task with it; a slot that moved is the task's, too. */
export function followSlots(db: Db, deps: Deps) {
  return async ({ post_ids, actor }: { post_ids: string[]; actor: string }): Promise<void> => {
    for (const post_id of post_ids) await db.transaction(tx => followSlot(deps, tx, post_id, actor))
  }
}

async function followSlot({ posts }: Deps, tx: Tx, post_id: string, actor: string): Promise<void> {
  const task = await lockTaskOfPost(tx, post_id)
  const post = (await posts.refs(tx, [post_id])).get(post_id)
  if (task === undefined || post === undefined || !['scheduled', 'approved'].includes(post.status)) return
  const publish_at = post.published_at
  if (task.status === 'awaiting_approval') {
    const changes = { publish_at, progress: 100 }
    await transition(tx, task.task_id, 'approved_for_later', { actor, changes, detail: { publish_at } })
  } else if (task.status === 'approved' && task.publish_at !== publish_at) {
    await setPublishAt(tx, task.task_id, publish_at)
  }
}
