import { randomUUID } from 'node:crypto'
import { type Db, InputError, type Job, job, type Log, messageOf, type Tx, withTimeout } from '#core'
import type { Notify } from '#plugins/notify'
import { truncateText } from '#text/excerpts'
import { retryDelaySeconds } from '#time'
import type { WebhookDelivery, WebhookSource } from '../index.ts'
import { deadDeliveryNotice } from '../notices.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  findNextDueDelivery,
  lockClaimed,
  markHandled,
  moveWatermark,
  recordHandlingFailure,
  releaseDeliveries
} from '../repository/inbox.ts'
import type { Sources } from '../sources/sources.ts'
import { HandleDeliveries, type Waker } from './waker.ts'

const maxHandleMs = 15_000
/** A claim that lapses was lost with its process: what cannot end before that is given back. */
const leaseSeconds = 20
const maxClaimed = 10
/** Eight attempts are four minutes. */
const maxTries = 8
const maxDelaySeconds = 300
const maxErrorLength = 1_000

interface HandlingDeps {
  db: Db
  waker: Waker
  sources: Sources
  /** Absent without the plugin `notify`. */
  notify: Notify | undefined
  log: Log
}

export const handleJob = (deps: HandlingDeps): Job =>
  job(HandleDeliveries, (_, { signal }) => handleDue(deps, signal), {
    timeoutSeconds: 600,
    // What was restored from a backup, or woken by a run that was lost, is found again.
    cron: '* * * * *'
  })

/** Handles what is due, and queues the next run. */
async function handleDue(deps: HandlingDeps, signal: AbortSignal): Promise<void> {
  const { db, waker } = deps
  const sources = deps.sources.handled()
  while (!signal.aborted) {
    const claim = randomUUID()
    const deadline = performance.now() + leaseSeconds * 1000 - maxHandleMs
    const claimed = await claimDeliveries(db, claim, { sources, limit: maxClaimed, leaseSeconds })
    if (claimed.length === 0) break
    while (!signal.aborted && performance.now() < deadline) {
      const delivery = claimed.shift()
      if (delivery === undefined) break
      await handleOne(deps, delivery, claim)
    }
    // Behind slow ones their claims would lapse, and nobody tried to handle them: that is no attempt.
    const untried = claimed.map(({ id }) => id)
    if (untried.length > 0) await releaseDeliveries(db, untried, claim)
  }
  await db.transaction(async tx => {
    const at = await findNextDueDelivery(tx, sources)
    if (at !== null) await waker.wakeIn(tx, new Date(at))
  })
}

async function handleOne(deps: HandlingDeps, delivery: ClaimedDelivery, claim: string): Promise<void> {
  const source = deps.sources.find(delivery.source)
  if (source === undefined) return
  try {
    await deps.db.transaction(tx => handle(tx, source, delivery, claim))
  } catch (error) {
    await fail(deps, delivery, claim, error)
  }
}

/** Handles one, unless a later event of its object was handled before, and records it. */
async function handle(tx: Tx, source: WebhookSource, row: ClaimedDelivery, claim: string): Promise<void> {
  const body = await lockClaimed(tx, row.id, claim)
  if (body === undefined) return
  const delivery = deliveryOf(row, body)
  const { order } = delivery
  const isLatest = order === null || (await moveWatermark(tx, { ...order, source: row.source, rank: order.rank ?? 0 }))
  await withTimeout(maxHandleMs, handler(source, isLatest)(tx, delivery), () => {
    throw new Error(`The handler of ${source.name} took longer than ${maxHandleMs / 1000} s.`)
  })
  await markHandled(tx, row.id, isLatest ? 'handled' : 'late')
}

const handler = (source: WebhookSource, isLatest: boolean): WebhookSource['handle'] =>
  isLatest ? (tx, delivery) => source.handle(tx, delivery) : async (tx, delivery) => source.handleLate?.(tx, delivery)

const deliveryOf = (row: ClaimedDelivery, body: Buffer): WebhookDelivery => ({
  id: row.id,
  eventId: row.event_id,
  type: row.event_type,
  body,
  order:
    row.object === null || row.occurred_at === null
      ? null
      : { object: row.object, at: new Date(row.occurred_at), rank: row.rank },
  receivedAt: row.received_at,
  handledAt: row.handled_at,
  replays: row.replays,
  deliveries: row.deliveries
})

async function fail(
  { db, notify, log }: HandlingDeps,
  { id, source, event_type, attempts, replays }: ClaimedDelivery,
  claim: string,
  thrown: unknown
): Promise<void> {
  const reason = thrown instanceof InputError ? Object.values(thrown.fields).join(' ') : messageOf(thrown)
  // What the database takes as text.
  const error = truncateText(reason.replaceAll('\0', '').toWellFormed(), maxErrorLength)
  const isLast = thrown instanceof InputError || attempts >= maxTries
  const facts = { delivery: id, source, type: event_type, attempts, err: thrown }
  log.warn(facts, isLast ? 'a webhook is parked' : 'a webhook could not be handled: it is tried again')
  await db.transaction(async tx => {
    const delaySeconds = retryDelaySeconds(attempts, { maxSeconds: maxDelaySeconds })
    const isRecorded = await recordHandlingFailure(tx, id, claim, { error, isLast, delaySeconds })
    if (!isRecorded || !isLast) return
    const notice = deadDeliveryNotice({ id, source, event_type, error })
    await notify?.queue(tx, [{ source: `webhook-parked:${id}:${replays}`, notice, kind: 'failed' }])
  })
}
