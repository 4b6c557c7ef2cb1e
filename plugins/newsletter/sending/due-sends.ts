import { performance } from 'node:perf_hooks'
import {
  type Changes,
  type Db,
  type Enqueue,
  type Installation,
  type Job,
  job,
  type Log,
  type Settings,
  type Tx
} from '#core'
import type { Notify } from '#plugins/notify'
import { retryDelaySeconds } from '#time'
import type { Keys } from '../keys.ts'
import type { Mailer } from '../mailer.ts'
import { pausedNotice, serverNotice } from '../notices.ts'
import {
  addRecipients,
  type BegunRecipient,
  countLostInRow,
  findNextRecipient,
  listQueued,
  requeueUnanswered
} from '../repository/recipients.ts'
import {
  delayAfterFailure,
  delaySend,
  findDueSend,
  findNextSend,
  moveSend,
  readContentToSend,
  type SendRow
} from '../repository/sends.ts'
import { sumOfRate } from '../repository/signups.ts'
import type { newsletterSettings } from '../settings.ts'
import { readerLink } from '../texts/read-texts.ts'
import type { Copies } from './copies.ts'
import type { PostFollower } from './follow-posts.ts'
import { SendNewsletters } from './jobs.ts'
import { LeaseLost, leaseSeconds, withSendLease } from './lease.ts'
import { createLedger } from './ledger.ts'
import { createPace } from './pace.ts'
import { type RunEnd, runSend } from './send-run.ts'

const pageSize = 200
/** Rows that one statement adds. */
const rowsAtOnce = 10_000
/** Afterwards others have their turn. */
const maxRunMs = 600_000
const dayMinutes = 24 * 60
const limitPauseMs = 600_000
const maxServerDelaySeconds = 900
/** Failures in a row of which the operator is notified. */
const failuresBeforeNotice = 3

interface SenderDeps {
  db: Db
  changes: Changes
  mailer: Mailer
  keys: Keys
  copies: Copies
  follower: Pick<PostFollower, 'checkPublic'>
  /** Makes the mail of the new posts when it is time. */
  createDigestIfDue(): Promise<void>
  settings: Settings<typeof newsletterSettings>
  enqueue: Enqueue
  installation: Installation
  notify: Notify | undefined
  log: Log
  now(): Date
}

/** Sends what is due, unless another process does, and queues the next run. */
export async function sendDue(deps: SenderDeps, signal: AbortSignal): Promise<void> {
  const { db, enqueue, now } = deps
  try {
    const hadLease = await withSendLease(db, signal, async (holder, leaseSignal) => {
      await deps.copies.check()
      await deps.createDigestIfDue()
      const limit = AbortSignal.any([leaseSignal, AbortSignal.timeout(maxRunMs)])
      for (let send = await findDueSend(db); send !== undefined && !limit.aborted; send = await findDueSend(db))
        await sendOne(deps, send, holder, limit)
    })
    const next = await findNextSend(db)
    const takeoverAt = new Date(now().getTime() + leaseSeconds * 1000).toISOString()
    const startAt = hadLease ? next : takeoverAt
    if (startAt !== null)
      await db.transaction(tx => enqueue(tx, SendNewsletters, {}, { key: 'all', startAt: new Date(startAt) }))
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    deps.log.warn({ reason: error.message }, 'the sending of a newsletter is left to another process')
  }
}

async function sendOne(deps: SenderDeps, send: SendRow, holder: string, signal: AbortSignal): Promise<void> {
  const { db, mailer } = deps
  const { send_id } = send
  const fault = mailer.fault()
  if (fault !== null) return delaySend(db, send_id, new Date(deps.now().getTime() + 60_000), fault)
  // A withdrawal may not have come here yet.
  if (!(await deps.follower.checkPublic(send))) return
  await addAllRecipients(db, send, signal)
  if (signal.aborted) return
  const lost = await db.transaction(async tx => {
    await moveSend(tx, send_id, 'start', null)
    return requeueUnanswered(tx, send_id)
  })
  if (lost > 0)
    deps.log.warn({ send_id, recipients: lost }, 'mails whose answer a killed process did not see are sent again')
  const end = await runSend(await runDepsOf(deps, send_id, holder), signal)
  if (!signal.aborted) await conclude(deps, send, end)
}

/** A row for everybody who is subscribed at this moment. Done again after a stop, it adds the missing ones. */
async function addAllRecipients(db: Db, { send_id, started_at }: SendRow, signal: AbortSignal): Promise<void> {
  // Of one that goes on, everybody has a row: who came later gets the next one.
  if (started_at !== null) return
  let last: string | undefined
  do {
    last = await addRecipients(db, send_id, last ?? null, rowsAtOnce)
  } while (last !== undefined && !signal.aborted)
}

async function runDepsOf(deps: SenderDeps, send_id: string, holder: string) {
  const { db, changes, mailer, keys, settings, installation, copies } = deps
  const limits = { perSecond: settings.get('newsletter_per_second'), perDay: settings.get('newsletter_per_day') }
  const usedToday = limits.perDay === 0 ? 0 : await sumOfRate(db, 'mail', dayMinutes)
  return {
    mailer,
    send_id,
    ledger: createLedger({ db, changes, send_id, holder }),
    pace: createPace(limits, usedToday, () => performance.now()),
    connections: settings.get('newsletter_connections'),
    lostBefore: await countLostInRow(db, send_id),
    async nextPage() {
      await copies.recordPosition()
      // Read for each page: a post of a digest may have been withdrawn.
      const content = await readContentToSend(db, send_id)
      return content === undefined
        ? { content: null, rows: [] }
        : { content, rows: await listQueued(db, send_id, pageSize) }
    },
    unsubscribeUrl: async ({ subscriber_id, language }: BegunRecipient) =>
      readerLink(`${installation.baseUrl()}/unsubscribe?token=${await keys.unsubscribeToken(subscriber_id)}`, language)
  }
}

/** Ends a send, or has it wait for what it waits for. */
async function conclude(deps: SenderDeps, send: SendRow, end: RunEnd): Promise<void> {
  const { db, now } = deps
  const { send_id } = send
  await deps.copies.recordPosition()
  if (end?.kind === 'down') return db.transaction(tx => waitForServer(deps, tx, send, end))
  if (end?.kind === 'refused' || end?.kind === 'unanswered')
    return db.transaction(tx => pauseSend(deps, tx, send, `${pauseReasons[end.kind]}${end.response}`))
  if (end?.kind === 'limit') {
    const at = new Date(now().getTime() + limitPauseMs)
    return delaySend(db, send_id, at, 'The mails of 24 hours that newsletter_per_day allows are used up.')
  }
  await db.transaction(async tx => {
    const next = await findNextRecipient(tx, send_id)
    if (next === null) await moveSend(tx, send_id, 'finish', null)
    else await delaySend(tx, send_id, new Date(next), null)
  })
}

async function waitForServer(
  deps: SenderDeps,
  tx: Tx,
  send: SendRow,
  { response: error, hasSent }: { response: string; hasSent: boolean }
): Promise<void> {
  const failures = hasSent ? 1 : send.failures + 1
  const seconds = retryDelaySeconds(failures, { maxSeconds: maxServerDelaySeconds })
  await delayAfterFailure(tx, send.send_id, { seconds, failures, error })
  deps.log.warn({ send_id: send.send_id, failures, reason: error }, 'the mail server took no mail: it is tried again')
  if (failures !== failuresBeforeNotice) return
  const source = `newsletter:server:${send.send_id}:${deps.now().toISOString().slice(0, 10)}`
  await deps.notify?.queue(tx, [{ source, notice: serverNotice(send, error), kind: 'failed' }])
}

const pauseReasons = {
  refused: 'The mail server refused many recipients in a row, the last one with: ',
  unanswered:
    'Many mails in a row were handed to the mail server, and its answers were lost. Their readers may have got them. First look at the mail server, and at the firewalls before it. When you resume, those lost once are sent once more, those lost twice are not. The last one ended with: '
}

async function pauseSend(deps: SenderDeps, tx: Tx, send: SendRow, reason: string): Promise<void> {
  await moveSend(tx, send.send_id, 'pause', reason)
  const source = `newsletter:paused:${send.send_id}:${deps.now().toISOString()}`
  await deps.notify?.queue(tx, [{ source, notice: pausedNotice(send, reason), kind: 'failed' }])
}

export const newsletterJob = (deps: SenderDeps): Job =>
  job(SendNewsletters, (_, { signal }) => sendDue(deps, signal), {
    retries: 20,
    timeoutSeconds: 1200,
    cron: '* * * * *'
  })
