import type { Db, Delivery, Told } from '#core'
import type { GateDecision, Held } from '#plugins/gates'
import type { Posts } from '#plugins/posts'
import type { Notice } from './index.ts'
import type { Outbox } from './messages.ts'
import { alertNotice, failureNotice, heldNotice } from './notices.ts'
import { dropPending } from './repository.ts'

/** What the operator is told of. An event that is delivered again makes no second message: its id names the source. */
export function createSubscriptions(db: Db, outbox: Outbox, posts: Pick<Posts, 'previewUrl'> | undefined) {
  const sourceOf = ({ id }: { id: string }) => `event:${id}`
  const tell = (delivery: Delivery, notice: Notice) =>
    db.transaction(tx => outbox.tell(tx, sourceOf(delivery), notice, null))
  const tellingOf = async ({ id, payload: held }: Told<Held>) => {
    const link = held.post_id === null ? null : ((await posts?.previewUrl(held.post_id)) ?? null)
    return { source: sourceOf({ id }), notice: heldNotice(held, link), subject: held }
  }
  return {
    held: async (events: readonly Told<Held>[]) => {
      const tellings = await Promise.all(events.map(tellingOf))
      await db.transaction(tx => outbox.tellMany(tx, tellings))
    },
    decided: (events: readonly Told<GateDecision>[]) =>
      dropPending(
        db,
        events.map(({ payload }) => payload)
      ),
    failed: (task: { task_id: string; topic: string; error: string }, delivery: Delivery) =>
      tell(delivery, failureNotice(task)),
    alerted: (alert: { title: string; payload: Record<string, unknown> }, delivery: Delivery) =>
      tell(delivery, alertNotice(alert))
  }
}
