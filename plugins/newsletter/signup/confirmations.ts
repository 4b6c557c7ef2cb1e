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
  claimConfirmation,
  type DueConfirmation,
  delayConfirmation,
  endConfirmation,
  findNextConfirmation,
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
      if (deps.mailer.fault() === null) await sendAll(deps, signal)
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

/** Sends mails over one connection, until none is due or the server is down. */
async function sendAll(deps: ConfirmationDeps, signal: AbortSignal): Promise<void> {
  let link: Link | undefined
  const connect = async () => {
    if (link?.isOpen() !== true) link = await deps.mailer.open(signal)
    return link
  }
  try {
    while (!signal.aborted) {
      const token = randomBytes(32).toString('base64url')
      const confirmation = await claimConfirmation(deps.db, hashOfToken(token))
      if (confirmation === undefined) return
      const outcome = await sendOne(deps, confirmation, token, connect)
      await recordOutcome(deps, confirmation, outcome)
      // What ended one connection would end the next: the others have the next run.
      if (outcome.kind === 'down' || outcome.kind === 'dropped') return
    }
  } finally {
    link?.close()
  }
}

async function sendOne(
  { mailer, installation, published }: ConfirmationDeps,
  { email, language: own }: DueConfirmation,
  token: string,
  connect: () => Promise<Link>
): Promise<Outcome> {
  try {
    const link = await connect()
    const { title, language } = published.site()
    const url = readerLink(`${installation.baseUrl()}/subscribe/confirm?token=${token}`, own)
    return await mailer.send(link, {
      ...confirmationMail({ title, locale: localeFor(own, language), url }),
      to: email,
      id: `confirm.${randomBytes(16).toString('hex')}`,
      headers: { 'Auto-Submitted': 'auto-generated' }
    })
  } catch (error) {
    return outcomeOfError(error, 'connect')
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
