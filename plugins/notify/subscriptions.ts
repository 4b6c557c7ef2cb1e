import type { BatchedEvent, Db, Delivery } from '#core'
import type { GateDecision, Held } from '#plugins/gates'
import type { Posts } from '#plugins/posts'
import { alertNotice } from './alerts.ts'
import type { Notice } from './index.ts'
import {
  failureNotice,
  heldNotice,
  outcomeOf,
  type Parked,
  parkedNotice,
  refusalNotice,
  skippedNotice
} from './notices.ts'
import type { Outbox, QueuedNotice } from './outbox.ts'
import type { MessageKind } from './repository.ts'

const sourceOf = ({ id }: { id: string }): string => `event:${id}`
const replaced = 'It has changed since: see the newer message.'

export interface SubscriptionDeps {
  db: Db
  outbox: Outbox
  posts: Pick<Posts, 'previewUrl'> | undefined
  /** The operator's. */
  timeZone(): string
}

/** Turns events into messages. The event id is the source, so that a redelivery makes no second message. */
export function createSubscriptions({ db, outbox, posts, timeZone }: SubscriptionDeps) {
  const queue = (source: string, notice: Notice, kind: MessageKind) =>
    db.transaction(tx => outbox.queueMany(tx, [{ source, notice, kind, subject: null }]))
  const toQueued = async ({ id, payload: held }: BatchedEvent<Held>): Promise<QueuedNotice & { subject: Held }> => {
    const link = held.post_id === null ? null : ((await posts?.previewUrl(held.post_id)) ?? null)
    return { source: sourceOf({ id }), notice: heldNotice(held, link, timeZone()), kind: 'held', subject: held }
  }
  return {
    held: async (events: readonly BatchedEvent<Held>[]) => {
      const notices = await Promise.all(events.map(toQueued))
      await db.transaction(async tx => {
        await outbox.queueMany(tx, notices)
        const earlier = notices.map(({ source, subject }) => ({ ...subject, outcome: replaced, before: source }))
        await outbox.recordOutcomes(tx, earlier)
      })
    },
    decided: (events: readonly BatchedEvent<GateDecision>[]) => {
      const outcomes = events.map(({ payload }) => ({ ...payload, outcome: outcomeOf(payload), before: null }))
      return db.transaction(tx => outbox.recordOutcomes(tx, outcomes))
    },
    failed: (task: { task_id: string; topic: string; error: string }, delivery: Delivery) =>
      queue(sourceOf(delivery), failureNotice(task), 'failed'),
    refused: (task: { task_id: string; topic: string; reason: string }, delivery: Delivery) =>
      queue(sourceOf(delivery), refusalNotice(task), 'failed'),
    skipped: (post: { post_id: string; title: string }, delivery: Delivery) =>
      queue(sourceOf(delivery), skippedNotice(post), 'failed'),
    parked: (job: Parked) => queue(`parked:${job.id}`, parkedNotice(job), 'failed'),
    alerted: (alert: { title: string; payload: Record<string, unknown> }, delivery: Delivery) =>
      queue(sourceOf(delivery), alertNotice(alert), 'alert')
  }
}
