import type { Db, Tx } from '#core'
import type { Posts } from '#plugins/posts'
import { transition } from './approval.ts'
import { insertEvents } from './event-repository.ts'
import { lockTaskOfPost, lockTasksOfPosts, moveTasksOfPosts, setSlots } from './post-repository.ts'
import { lockTask, type TaskRow } from './repository.ts'

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

/** Posts that got a slot by hand are signed off, and their tasks with them; a slot that moved is the task's, too. */
export function followSlots(db: Db, deps: Deps) {
  return async ({ post_ids, actor }: { post_ids: string[]; actor: string }): Promise<void> => {
    for (let at = 0; at < post_ids.length; at += postsAtOnce) {
      await db.transaction(tx => followSome(deps, tx, post_ids.slice(at, at + postsAtOnce), actor))
    }
  }
}

const postsAtOnce = 100

async function followSome({ posts }: Deps, tx: Tx, post_ids: readonly string[], actor: string): Promise<void> {
  const tasks = await lockTasksOfPosts(tx, post_ids)
  const refs = await posts.refs(tx, post_ids)
  const slots = tasks.flatMap(({ task_id, status, publish_at: before, post_id }) => {
    const post = refs.get(post_id)
    if (post === undefined || !['scheduled', 'approved'].includes(post.status)) return []
    return [{ task_id, status, before, post_id, publish_at: post.published_at }]
  })
  await signOff(
    tx,
    slots.filter(({ status }) => status === 'awaiting_approval'),
    actor
  )
  const isMoved = ({ status, before, publish_at }: (typeof slots)[number]) =>
    status === 'awaiting_approval' || (status === 'approved' && before !== publish_at)
  await setSlots(tx, slots.filter(isMoved))
}

async function signOff(
  tx: Tx,
  slots: readonly { post_id: string; publish_at: string | null }[],
  actor: string
): Promise<void> {
  if (slots.length === 0) return
  const slotOf = new Map(slots.map(({ post_id, publish_at }) => [post_id, publish_at]))
  const moved = await moveTasksOfPosts(tx, [...slotOf.keys()], 'approved_for_later', { progress: 100 })
  const history = moved.map(({ task_id, from, status: to, post_id }) => ({
    ...{ task_id, type: 'approved_for_later', from, to, actor, detail: { publish_at: slotOf.get(post_id) ?? null } }
  }))
  await insertEvents(tx, history)
}
