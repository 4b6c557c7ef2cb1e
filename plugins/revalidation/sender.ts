import { randomUUID } from 'node:crypto'
import { type Db, type Job, job, type Log, type Tx } from '#core'
import type { Notify } from '#plugins/notify'
import { retryDelaySeconds } from '#time'
import type { PublicChange, RevalidationItem, RevalidationTarget } from './index.ts'
import { deadLettersNotice } from './notices.ts'
import { type RevalidationQueue, SendToTargets } from './queue.ts'
import {
  backOffTarget,
  claimItems,
  delayItems,
  deleteUnclaimed,
  lockWaiting,
  recordFailure,
  recordSuccess,
  releaseItems,
  removeSent,
  retryAll
} from './repository.ts'
import { TargetError } from './target-error.ts'
import type { Targets } from './targets.ts'

/** One item is tried again after at most so long. */
const maxItemDelaySeconds = 300
/** A target that is down is asked again after at most so long: that it is back must not be noticed late. */
const maxTargetDelaySeconds = 15
/** A run waits for others: processes that are killed meanwhile are hardly its doing. */
const maxDeaths = 10

interface TargetSenderDeps {
  db: Db
  targets: Targets
  queue: RevalidationQueue
  /** Absent without the plugin `notify`. */
  notify: Notify | undefined
  log: Log
  now: () => Date
}

/** Notifies the targets and records what became of it. */
export interface TargetSender {
  /** Notifies a target of what is due, and queues the next run. */
  sendDue(name: string, signal: AbortSignal): Promise<void>
  /** Notifies every target of a change now; where that fails it is queued. @returns whether all that are set up were notified, and one is */
  sendNow(change: PublicChange): Promise<boolean>
}

export function createTargetSender(deps: TargetSenderDeps): TargetSender {
  const { db, targets, queue } = deps
  return {
    async sendDue(name, signal) {
      const target = targets.find(name)
      // Nobody is there any more to be notified.
      if (target?.isSetUp() !== true) return changeWaiting(db, name, tx => deleteUnclaimed(tx, name))
      while (!signal.aborted && (await sendNext(deps, target, signal)));
      await db.transaction(tx => queue.wakeNext(tx, name))
    },
    async sendNow(change) {
      const affected = targets.affectedBy(change)
      const wereNotified = await Promise.all(affected.map(({ target, items }) => sendOrQueue(deps, target, items)))
      return wereNotified.length > 0 && wereNotified.every(Boolean)
    }
  }
}

export const sendToTargetsJob = (sender: TargetSender, targets: Targets): Job =>
  job(
    SendToTargets,
    async ({ target }, { signal }) => {
      const names = target === undefined ? targets.all().map(({ name }) => name) : [target]
      await Promise.all(names.map(name => sender.sendDue(name, signal)))
    },
    // A run that was lost with its process is made up for.
    { concurrency: 4, timeoutSeconds: 600, maxDeaths, cron: '* * * * *' }
  )

const changeWaiting = (db: Db, target: string, change: (tx: Tx) => Promise<void>) =>
  db.transaction(async tx => {
    await lockWaiting(tx, target)
    await change(tx)
  })

/** Notifies a target of a part of what is due. False when nothing is, or the target is down. */
async function sendNext(deps: TargetSenderDeps, target: RevalidationTarget, signal: AbortSignal): Promise<boolean> {
  const { db } = deps
  const claim = randomUUID()
  const items = await claimItems(db, target.name, claim, target.maxItems)
  if (items.length === 0) return false
  const outcome = await send(deps, target, items, signal)
  if (!(outcome instanceof TargetError)) {
    await changeWaiting(db, target.name, async tx => {
      await removeSent(tx, target.name, claim)
      await succeed(deps, tx, target.name, outcome)
    })
    return true
  }
  // This process is stopping: the next one takes them.
  const change = signal.aborted
    ? (tx: Tx) => releaseItems(tx, target.name, claim)
    : (tx: Tx) => fail(deps, tx, { target, claim, items, error: outcome })
  await changeWaiting(db, target.name, change)
  return !outcome.isTargetDown
}

/** The status of the answer, or why there is none that counts. */
async function send(
  { log }: TargetSenderDeps,
  target: RevalidationTarget,
  items: readonly RevalidationItem[],
  signal: AbortSignal
): Promise<number | TargetError> {
  try {
    return await target.send(items, signal)
  } catch (error) {
    if (error instanceof TargetError) return error
    log.error({ err: error, target: target.name }, 'a revalidation target failed')
    return new TargetError(`The target ${target.name} failed: see the log.`)
  }
}

/** Records a success. When it is the first after failures, what waits for its retry need not. */
async function succeed({ queue }: TargetSenderDeps, tx: Tx, name: string, status: number): Promise<void> {
  if (!(await recordSuccess(tx, name, status))) return
  await retryAll(tx, name)
  await queue.wakeNext(tx, name)
}

interface Failure {
  target: RevalidationTarget
  claim: string
  items: readonly { attempts: number }[]
  error: TargetError
}

async function fail(deps: TargetSenderDeps, tx: Tx, { target: { name }, claim, items, error }: Failure): Promise<void> {
  const askedSeconds = error.retryAfterSeconds
  const attempts = items[0]?.attempts ?? 1
  const delay = retryDelaySeconds(attempts, { maxSeconds: maxItemDelaySeconds, askedSeconds })
  const parked = await delayItems(tx, name, claim, delay)
  await backOff(tx, name, error)
  const facts = { target: name, items: items.length, attempts, status: error.status, reason: error.message }
  if (parked < items.length) deps.log.warn(facts, 'a target was not notified of changes: it is tried again')
  if (parked === 0) return
  deps.log.error({ target: name, items: parked }, 'changes that a target was not notified of for a day are parked')
  const day = deps.now().toISOString().slice(0, 10)
  const notice = deadLettersNotice(name, parked, error.message)
  await deps.notify?.queue(tx, [{ source: `revalidation:${name}:${day}`, notice, kind: 'failed' }])
}

/** Records a failure, and leaves a target that is down alone for a while. */
async function backOff(tx: Tx, name: string, error: TargetError): Promise<void> {
  const failures = await recordFailure(tx, name, { status: error.status, error: error.message })
  if (!error.isTargetDown) return
  const options = { maxSeconds: maxTargetDelaySeconds, askedSeconds: error.retryAfterSeconds }
  await backOffTarget(tx, name, retryDelaySeconds(failures, options))
}

async function sendOrQueue(
  deps: TargetSenderDeps,
  target: RevalidationTarget,
  items: readonly RevalidationItem[]
): Promise<boolean> {
  const { db, queue } = deps
  // Whoever asked may have gone: that is no reason to break off what others are sent.
  const { signal } = new AbortController()
  for (let at = 0; at < items.length; at += target.maxItems) {
    const outcome = await send(deps, target, items.slice(at, at + target.maxItems), signal)
    if (!(outcome instanceof TargetError)) {
      await changeWaiting(db, target.name, tx => succeed(deps, tx, target.name, outcome))
      continue
    }
    await changeWaiting(db, target.name, async tx => {
      await queue.addFor(tx, target, items.slice(at))
      await backOff(tx, target.name, outcome)
      await queue.wakeNext(tx, target.name)
    })
    return false
  }
  return true
}
