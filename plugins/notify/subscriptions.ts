import type { BatchedEvent, Db, Delivery } from '#core'
import type { GateDecision, Held } from '#plugins/gates'
import type { Posts } from '#plugins/posts'
import { alertNotice } from './alerts.ts'
import type { Notice } from './index.ts'
import type { Outbox, Telling } from './messages.ts'
import {
  failureNotice,
  heldNotice,
  outcomeOf,
  type Parked,
  parkedNotice,
  passedOverNotice,
  refusalNotice
} from './notices.ts'
import type { MessageKind } from './repository.ts'

const sourceOf = ({ id }: { id: string }): string => `event:${id}`
const replaced = 'It has changed since: a newer message tells of it.'

export interface SubscriptionDeps {
  db: Db
  outbox: Outbox
  posts: Pick<Posts, 'previewUrl'> | undefined
  /** The operator's. */
  timeZone(): string
}

/** What the operator is told of. An event that is delivered again makes no second message: its id names the source. */
export function createSubscriptions({ db, outbox, posts, timeZone }: SubscriptionDeps) {
  const tell = (source: string, notice: Notice, kind: MessageKind) =>
    db.transaction(tx => outbox.tellMany(tx, [{ source, notice, kind, subject: null }]))
  const tellingOf = async ({ id, payload: held }: BatchedEvent<Held>): Promise<Telling & { subject: Held }> => {
    const link = held.post_id === null ? null : ((await posts?.previewUrl(held.post_id)) ?? null)
    return { source: sourceOf({ id }), notice: heldNotice(held, link, timeZone()), kind: 'held', subject: held }
  }
  return {
    held: async (events: readonly BatchedEvent<Held>[]) => {
      const tellings = await Promise.all(events.map(tellingOf))
      await db.transaction(async tx => {
        await outbox.tellMany(tx, tellings)
        const earlier = tellings.map(({ source, subject }) => ({ ...subject, outcome: replaced, before: source }))
        await outbox.settle(tx, earlier)
      })
    },
    decided: (events: readonly BatchedEvent<GateDecision>[]) => {
      const over = events.map(({ payload }) => ({ ...payload, outcome: outcomeOf(payload), before: null }))
      return db.transaction(tx => outbox.settle(tx, over))
    },
    failed: (task: { task_id: string; topic: string; error: string }, delivery: Delivery) =>
      tell(sourceOf(delivery), failureNotice(task), 'failed'),
    refused: (task: { task_id: string; topic: string; reason: string }, delivery: Delivery) =>
      tell(sourceOf(delivery), refusalNotice(task), 'failed'),
    passedOver: (post: { post_id: string; title: string }, delivery: Delivery) =>
      tell(sourceOf(delivery), passedOverNotice(post), 'failed'),
    parked: (job: Parked) => tell(`parked:${job.id}`, parkedNotice(job), 'failed'),
    alerted: (alert: { title: string; payload: Record<string, unknown> }, delivery: Delivery) =>
      tell(sourceOf(delivery), alertNotice(alert), 'alert')
  }
}
