import { randomUUID } from 'node:crypto'
import { ConflictError, type Db, type Enqueue, type Job, job, type Log, type Tx } from '#core'
import { retryDelaySeconds } from '#time'
import { type Channel, DeliveryError, type Notice } from './index.ts'
import { digestNotice } from './notices.ts'
import { type Channels, SendDue } from './outbox.ts'
import { combineInto, listExceeding, lockCombinable } from './repository/combining.ts'
import { findMessage, type MessageView } from './repository/lists.ts'
import {
  type ClaimedMessage,
  claimNext,
  claimOwn,
  findNextDue,
  insertMessages,
  markFailed,
  markSent,
  requeueLost
} from './repository/messages.ts'
import { claimEdit, markEdited } from './repository/outcomes.ts'

/** The delay doubles from one second up to this. */
const maxDelaySeconds = 300
/** Messages live no longer. */
const maxRetryAfterSeconds = 24 * 60 * 60
/** A run waits for chat services: processes that are killed meanwhile are hardly its doing. */
const maxDeaths = 10

interface DeliveryDeps {
  db: Db
  enqueue: Enqueue
  channels: Channels
  log: Log
  /** Messages of one kind for a channel in a minute. */
  perMinute(): number
}

/** Sends messages and records their outcome. */
export interface Deliveries {
  /** Sends the due messages of a channel, and queues the next run. */
  sendDue(channel: string, signal: AbortSignal): Promise<void>
  /** Queues the next run for a channel, if a message waits. */
  wakeNext(tx: Tx, channel: string): Promise<void>
  /** Sends a message once, now, over every channel in use. @throws ConflictError when there is none */
  sendNow(notice: Notice): Promise<MessageView[]>
}

export function createDeliveries(parts: DeliveryDeps): Deliveries {
  const deps = { ...parts, claims: new Set<string>() }
  const { db, enqueue, channels } = deps
  const wakeNext = async (tx: Tx, channel: string) => {
    const at = await findNextDue(tx, channel, deps.perMinute())
    if (at !== null) await enqueue(tx, SendDue, { channel }, { key: channel, startAt: new Date(at) })
  }
  return {
    wakeNext,
    async sendDue(name, signal) {
      const channel = channels.find(name)
      // The messages wait; setting it up wakes them.
      if (channel === undefined || channel.target() === null) return
      await requeueLostMessages(deps, name)
      await combineExcess(deps, name)
      while (!signal.aborted && (await sendNext(deps, channel, signal)));
      while (!signal.aborted && (await editNext(deps, channel, signal)));
      await db.transaction(tx => wakeNext(tx, name))
    },
    async sendNow(notice) {
      const inUse = channels.inUse()
      if (inUse.length === 0) {
        const why = channels.faults().join(' ')
        const remedy = 'set telegram_bot_token and telegram_chat_id, or chat_webhook_url, with galley settings set.'
        throw new ConflictError(`No chat is set up: ${why === '' ? remedy : why}`)
      }
      return Promise.all(inUse.map(channel => sendOnce(deps, channel, notice)))
    }
  }
}

export const sendJob = (deliveries: Deliveries): Job =>
  job(SendDue, ({ channel }, { signal }) => deliveries.sendDue(channel, signal), {
    concurrency: 4,
    timeoutSeconds: 600,
    maxDeaths
  })

interface Sending extends DeliveryDeps {
  /** Claims of this process. */
  readonly claims: Set<string>
}

/** Sends one due message. False when there is none, or the channel is down. */
async function sendNext(deps: Sending, channel: Channel, signal: AbortSignal): Promise<boolean> {
  const claim = randomUUID()
  deps.claims.add(claim)
  try {
    const message = await claimNext(deps.db, channel.name, claim, deps.perMinute())
    if (message === undefined) return false
    const failure = await send(deps, channel, message, claim, signal)
    return failure === null || !failure.isChannelDown
  } finally {
    deps.claims.delete(claim)
  }
}

/** Sends a claimed message and records the outcome. */
async function send(
  deps: DeliveryDeps,
  channel: Channel,
  message: ClaimedMessage,
  claim: string,
  signal: AbortSignal
): Promise<DeliveryError | null> {
  try {
    const { message_id } = await channel.send(noticeOf(message), message.reply_to, signal)
    await markSent(deps.db, message.id, claim, message_id)
    return null
  } catch (error) {
    // A database error or a bug: whether the message arrived is unknown, and the claim expires.
    if (!(error instanceof DeliveryError)) throw error
    // This process is stopping: the next one finds the claimed message.
    if (error.outcome === 'unknown' && signal.aborted) return error
    await recordFailure(deps, channel, message, claim, error)
    return error
  }
}

async function recordFailure(
  { db, log }: DeliveryDeps,
  channel: Channel,
  { id, attempts }: ClaimedMessage,
  claim: string,
  error: DeliveryError
): Promise<void> {
  const { retryAfterSeconds: askedSeconds } = error
  const delaySeconds = Math.min(
    retryDelaySeconds(attempts, { maxSeconds: maxDelaySeconds, askedSeconds }),
    maxRetryAfterSeconds
  )
  const state = await markFailed(db, id, claim, {
    error: error.message,
    delaySeconds,
    isFinal: error.outcome === 'refused',
    wasUnanswered: error.outcome === 'unknown',
    holdsChannel: error.isChannelDown
  })
  const facts = { channel: channel.name, message: id, attempts, outcome: error.outcome, reason: error.message }
  if (state === 'pending') log.warn(facts, 'a message to the operator is tried again')
  else if (state === 'dropped') log.info(facts, 'a message to the operator was dropped: its item was decided')
  // Otherwise another process has claimed it.
  else if (state !== undefined) log.error(facts, 'a message to the operator was given up')
}

/** Chat services do not recognise a repeated message: it says that it may have arrived before. */
const noticeOf = ({ notice, unanswered }: ClaimedMessage): Notice =>
  unanswered === 0 ? notice : { ...notice, lines: [...notice.lines, '(This may have reached you before.)'] }

/** Combines messages beyond the limit into one. */
async function combineExcess({ db, perMinute }: DeliveryDeps, channel: string): Promise<void> {
  for (const { kind, free } of await listExceeding(db, channel, perMinute())) {
    await db.transaction(async tx => {
      const found = await lockCombinable(tx, channel, kind)
      if (found.length <= free) return
      const notice = digestNotice(
        kind,
        found.map(({ notice }) => notice)
      )
      await combineInto(
        tx,
        found.map(({ id }) => id),
        { channel, kind, notice }
      )
    })
  }
}

/** Edits one message to show its outcome. False when there is none, or the channel is down. */
async function editNext({ db, log }: DeliveryDeps, channel: Channel, signal: AbortSignal): Promise<boolean> {
  const message = await claimEdit(db, channel.name)
  if (message === undefined) return false
  const { id, message_id, notice, outcome } = message
  try {
    if (message_id !== null) await channel.showOutcome?.(message_id, notice, outcome, signal)
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    log.debug({ channel: channel.name, message: id, reason: error.message }, 'a message could not be edited')
    // Retried in a minute.
    if (error.outcome !== 'refused') return !error.isChannelDown
  }
  await markEdited(db, id)
  return true
}

async function requeueLostMessages({ db, claims, log }: Sending, channel: string): Promise<void> {
  // The embedded database has one process: claims of others are lost.
  const lost = await requeueLost(db, channel, { own: [...claims], isAlone: db.kind === 'pglite' })
  if (lost.length > 0) log.warn({ channel, messages: lost }, 'whether these messages arrived is not known')
}

async function sendOnce(deps: Sending, channel: Channel, notice: Notice): Promise<MessageView> {
  const source = `now:${randomUUID()}`
  const claim = randomUUID()
  deps.claims.add(claim)
  try {
    return await sendClaimed(deps, channel, notice, { source, claim })
  } finally {
    deps.claims.delete(claim)
  }
}

async function sendClaimed(
  { db }: Pick<Sending, 'db'>,
  channel: Channel,
  notice: Notice,
  { source, claim }: { source: string; claim: string }
): Promise<MessageView> {
  // In one transaction, so that a worker never sees it waiting.
  const message = await db.transaction(async tx => {
    await insertMessages(tx, [{ source, channel: channel.name, notice, reply_to: null, is_sent_once: true }])
    return claimOwn(tx, source, claim)
  })
  if (message === undefined) throw new TypeError('A message that was just stored is missing.')
  try {
    const { message_id } = await channel.send(notice, null, new AbortController().signal)
    await markSent(db, message.id, claim, message_id)
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    await markFailed(db, message.id, claim, {
      error: error.message,
      delaySeconds: 0,
      isFinal: true,
      wasUnanswered: error.outcome === 'unknown',
      holdsChannel: false
    })
  }
  const view = await findMessage(db, message.id)
  if (view === undefined) throw new TypeError('A message that was just sent is missing.')
  return view
}
