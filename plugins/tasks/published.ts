import type { Db } from '#core'
import type { PostEvent } from '#plugins/posts'
import { transition } from './approval.ts'
import { findTaskOfPost } from './repository.ts'

/** A post that went live takes its task along: from its slot, or by an operator's hand. */
export function followPost(db: Db) {
  return async ({ post_id, actor }: PostEvent): Promise<void> => {
    await db.transaction(async tx => {
      const task = await findTaskOfPost(tx, post_id)
      if (task !== undefined)
        await transition(tx, task.task_id, 'went_live', { actor, changes: { progress: 100 }, detail: { post_id } })
    })
  }
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
