import type { Db, Delivery } from '#core'
import type { GateDecision, Held } from '#plugins/gates'
import type { Posts } from '#plugins/posts'
import type { Notice, NoticeSubject } from './index.ts'
import type { Outbox } from './messages.ts'
import { alertNotice, failureNotice, heldNotice } from './notices.ts'
import { dropPending } from './repository.ts'

/** What the operator is told of. An event that is delivered again makes no second message: its id names the source. */
export function createSubscriptions(db: Db, outbox: Outbox, posts: Pick<Posts, 'previewUrl'> | undefined) {
  const tell = ({ id }: Delivery, notice: Notice, subject: NoticeSubject | null = null) =>
    db.transaction(tx => outbox.tell(tx, `event:${id}`, notice, subject))
  return {
    held: async (held: Held, delivery: Delivery) => {
      const link = held.post_id === null ? null : ((await posts?.previewUrl(held.post_id)) ?? null)
      await tell(delivery, heldNotice(held, link), held)
    },
    decided: ({ gate_name, subject_id }: GateDecision) => dropPending(db, gate_name, subject_id),
    failed: (task: { task_id: string; topic: string; error: string }, delivery: Delivery) =>
      tell(delivery, failureNotice(task)),
    alerted: (alert: { title: string; payload: Record<string, unknown> }, delivery: Delivery) =>
      tell(delivery, alertNotice(alert))
  }
}
