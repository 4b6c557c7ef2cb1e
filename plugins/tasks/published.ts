import type { Db, Told, Tx } from '#core'
import type { PostEvent } from '#plugins/posts'
import { transition } from './approval.ts'
import { insertEvents } from './event-repository.ts'
import { findTaskOfPost, moveTasksOfPosts } from './repository.ts'

/** Posts that went live take their tasks along: from their slots, or by an operator's hand. */
export function followPosts(db: Db) {
  return async (events: readonly Told<PostEvent>[]): Promise<void> => {
    const byActor = Map.groupBy(events, ({ payload }) => payload.actor)
    await db.transaction(async tx => {
      for (const [actor, of] of byActor) {
        const post_ids = of.map(({ payload }) => payload.post_id)
        await goneLive(tx, post_ids, actor)
      }
    })
  }
}

async function goneLive(tx: Tx, post_ids: readonly string[], actor: string): Promise<void> {
  const moved = await moveTasksOfPosts(tx, post_ids, 'went_live', { progress: 100 })
  const history = moved.map(({ task_id, from, status: to, post_id }) => ({
    ...{ task_id, type: 'went_live', from, to, actor, detail: { post_id } }
  }))
  if (history.length > 0) await insertEvents(tx, history)
}

/** A post turned down at its slot takes its task along: what nobody will publish is not approved. */
export function followRejected(db: Db) {
  return async ({ post_id, actor, reason }: PostEvent & { reason: string | null }): Promise<void> => {
    await db.transaction(async tx => {
      const task = await findTaskOfPost(tx, post_id)
      if (task === undefined) return
      const changes = { publish_at: null, reason: reason ?? 'Rejected at its slot.' }
      await transition(tx, task.task_id, 'slot_rejected', { actor, changes, detail: { post_id, reason } })
    })
  }
}
