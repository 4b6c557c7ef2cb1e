import { createHash, randomBytes } from 'node:crypto'
import { type Changes, type Db, type Enqueue, type Installation, type Job, job, type Log } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import { retryDelaySeconds } from '#time'
import { subscribersCacheTag } from '../cache-tags.ts'
import type { Link } from '../mail/link.ts'
import { type Outcome, outcomeOfError } from '../mail/outcome.ts'
import type { Mailer } from '../mailer.ts'
import { confirmationMail } from '../pages/confirmation-mail.ts'
import {
  claimConfirmations,
  type DueConfirmation,
  delayConfirmation,
  endConfirmation,
  findNextConfirmation,
  releaseConfirmations,
  setToken,
  takeToken
} from '../repository/confirmations.ts'
import { addToRate, removeExpiredSignups } from '../repository/signups.ts'
import { moveSubscriber } from '../repository/subscribers.ts'
import type { Copies } from '../sending/copies.ts'
import { localeFor, readerLink } from '../texts/read-texts.ts'
import { SendConfirmations } from './jobs.ts'

/** Within a day: greylisting lasts minutes, an outage hours. */
const maxTries = 12
const maxDelaySeconds = 4 * 3600
const batchSize = 20
/** What is still due after a run waits for the mail server. */
const pauseMs = 60_000

interface ConfirmationDeps {
  db: Db
  mailer: Mailer
  copies: Pick<Copies, 'check'>
  enqueue: Enqueue
  changes: Changes
  published: Pick<PublishedPosts, 'site'>
  installation: Installation
  log: Log
  now(): Date
}

export interface Confirmations {
  /** Sends what is due, and queues the next run. */
  send(signal: AbortSignal): Promise<void>
  /** Confirms by the token of a mail. False for one that is unknown, used or too old. */
  confirm(token: string): Promise<boolean>
}

export function createConfirmations(deps: ConfirmationDeps): Confirmations {
  const { db, changes, enqueue, now } = deps
  return {
    async send(signal) {
      await db.transaction(removeExpiredSignups)
      await deps.copies.check()
      // Without a mail server they wait for one.
      if (deps.mailer.fault() === null) while (!signal.aborted && (await sendBatch(deps, signal)));
      const at = await findNextConfirmation(db)
      if (at === null) return
      const startAt = new Date(Math.max(Date.parse(at), signal.aborted ? 0 : now().getTime() + pauseMs))
      await db.transaction(tx => enqueue(tx, SendConfirmations, {}, { key: 'all', startAt }))
    },
    confirm: token =>
      db.transaction(async tx => {
        const subscriber_id = await takeToken(tx, hashOfToken(token))
        if (subscriber_id === undefined) return false
        await changes.touch(tx, subscribersCacheTag)
        return moveSubscriber(tx, subscriber_id, 'confirm')
      })
  }
}

const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** False when nothing is due, or the server is down. */
async function sendBatch(deps: ConfirmationDeps, signal: AbortSignal): Promise<boolean> {
  const due = await claimConfirmations(deps.db, batchSize)
  if (due.length === 0) return false
  let link: Link | undefined
  let isUp = true
  while (isUp && !signal.aborted) {
    const confirmation = due.shift()
    if (confirmation === undefined) break
    const [outcome, open]: SendResult = await sendOne(deps, confirmation, link, signal)
    link = open
    isUp = outcome.kind !== 'down'
    await recordOutcome(deps, confirmation, outcome)
  }
  link?.close()
  // Nobody tried to send the rest: that is no attempt.
  await releaseConfirmations(
    deps.db,
    due.map(({ subscriber_id }) => subscriber_id)
  )
  return isUp
}

/** What became of a mail, and the connection for the next. */
type SendResult = [outcome: Outcome, link: Link | undefined]

async function sendOne(
  deps: ConfirmationDeps,
  { subscriber_id, email, language: own }: DueConfirmation,
  open: Link | undefined,
  signal: AbortSignal
): Promise<SendResult> {
  const { db, mailer, installation, published } = deps
  try {
    const link = open?.isOpen() === true ? open : await mailer.open(signal)
    const token = randomBytes(32).toString('base64url')
    await setToken(db, subscriber_id, hashOfToken(token))
    const { title, language } = published.site()
    const url = readerLink(`${installation.baseUrl()}/subscribe/confirm?token=${token}`, own)
    const id = `confirm.${randomBytes(16).toString('hex')}`
    const headers = { 'Auto-Submitted': 'auto-generated' }
    return [
      await mailer.send(link, {
        ...confirmationMail({ title, locale: localeFor(own, language), url }),
        to: email,
        id,
        headers
      }),
      link
    ]
  } catch (error) {
    return [outcomeOfError(error, false), undefined]
  }
}

async function recordOutcome(
  { db, log }: ConfirmationDeps,
  { subscriber_id, attempts }: DueConfirmation,
  outcome: Outcome
): Promise<void> {
  if (outcome.kind !== 'down') await addToRate(db, 'mail', 1)
  // One without an answer may have arrived: it is not sent twice.
  if (outcome.kind === 'sent' || outcome.kind === 'unanswered') return endConfirmation(db, subscriber_id, 'sent')
  const { kind, response } = outcome
  log.warn({ subscriber_id, kind, response }, 'a mail that asks for a confirmation was not taken')
  if (kind === 'refused' || attempts >= maxTries) return endConfirmation(db, subscriber_id, 'failed')
  await delayConfirmation(db, subscriber_id, retryDelaySeconds(attempts * 2, { maxSeconds: maxDelaySeconds }))
}

export const confirmationJob = (confirmations: Confirmations): Job =>
  job(SendConfirmations, (_, { signal }) => confirmations.send(signal), {
    retries: 10,
    timeoutSeconds: 1800,
    cron: '*/10 * * * *'
  })
