import type { Db, Told, Tx } from '#core'
import type { PostEvent, PostRef, Posts } from '#plugins/posts'
import { transition } from './approval.ts'
import { insertEvents } from './event-repository.ts'
import { lockTaskOfPost, lockTasksOfPosts, moveTasksOfPosts } from './post-repository.ts'
import type { TaskRow } from './repository.ts'

type Deps = { posts: Posts }

/** Posts that went live take their tasks along: from their slots, or by an operator's hand. */
export function followPosts(db: Db, deps: Deps) {
  return async (events: readonly Told<PostEvent>[]): Promise<void> => {
    const byActor = Map.groupBy(events, ({ payload }) => payload.actor)
    await db.transaction(async tx => {
      for (const [actor, of] of byActor) {
        const post_ids = of.map(({ payload }) => payload.post_id)
        await goneLive(deps, tx, post_ids, actor)
      }
    })
  }
}

async function goneLive({ posts }: Deps, tx: Tx, post_ids: readonly string[], actor: string): Promise<void> {
  await lockTasksOfPosts(tx, post_ids)
  const present = [...(await posts.refs(tx, post_ids)).values()]
  // Told late, of a publication that was undone since: the post's next draft waits.
  const live = present.filter(({ status }) => !waits.includes(status)).map(({ post_id }) => post_id)
  const moved = await moveTasksOfPosts(tx, live, 'went_live', { progress: 100 })
  const history = moved.map(({ task_id, from, status: to, post_id }) => ({
    ...{ task_id, type: 'went_live', from, to, actor, detail: { post_id } }
  }))
  if (history.length > 0) await insertEvents(tx, history)
}

const waits: readonly string[] = ['awaiting_approval', 'approved', 'scheduled']

/** A post turned down at its slot takes its task along: what nobody will publish is not approved. */
export function followRejected(db: Db, deps: Deps) {
  return ({ post_id, actor, reason }: PostEvent & { reason: string | null }): Promise<void> =>
    db.transaction(async tx => {
      const { task, post } = await readBoth(deps, tx, post_id)
      // Told late, after somebody published it all the same.
      if (task === undefined || post?.status !== 'draft') return
      const changes = { publish_at: null, reason: reason ?? 'Rejected at its slot.' }
      await transition(tx, task.task_id, 'slot_rejected', { actor, changes, detail: { post_id, reason } })
    })
}

/** A post as it is now with its task, whose lock comes first, as in every decision on it: events may be told late, and twice. */
async function readBoth(
  { posts }: Deps,
  tx: Tx,
  post_id: string
): Promise<{ task: TaskRow | undefined; post: PostRef | undefined }> {
  const task = await lockTaskOfPost(tx, post_id)
  return { task, post: (await posts.refs(tx, [post_id])).get(post_id) }
}
