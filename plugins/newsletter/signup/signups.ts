import { type Db, type Enqueue, InputError, type Job, job, type Settings, type Tx } from '#core'
import type { Notify } from '#plugins/notify'
import { emailFault, parseAddress } from '../addresses.ts'
import type { Keys } from '../keys.ts'
import { waveNotice } from '../notices.ts'
import { askForConfirmation } from '../repository/confirmations.ts'
import {
  addToRate,
  insertSignups,
  lockAddresses,
  type Signup,
  sumOfRate,
  takeSignups,
  useChallenge
} from '../repository/signups.ts'
import { findSuppression, insertPending } from '../repository/subscribers.ts'
import type { newsletterSettings } from '../settings.ts'
import { readerLanguageOf } from '../texts/read-texts.ts'
import type { Captcha } from './captcha.ts'
import { HandleSignups, SendConfirmations } from './jobs.ts'

const batchSize = 100
const waveMinutes = 10

/** What a visitor sends. */
interface SignupRequest {
  email: string
  name?: string
  captcha?: string
  /** BCP 47. */
  language?: string
}

interface SignupDeps {
  db: Db
  keys: Keys
  captcha: Captcha
  settings: Settings<typeof newsletterSettings>
  enqueue: Enqueue
  notify: Notify | undefined
  now(): Date
}

export interface Signups {
  /**
   * Stores a sign-up, to be handled after the answer: it does the same work for every address.
   * @throws InputError for no address, or a challenge that is not solved, was used, or costs too little by now
   */
  accept(request: SignupRequest): Promise<void>
  /** Adds addresses of an import that have to be confirmed. */
  add(tx: Tx, signups: readonly Signup[]): Promise<void>
  /** Handles what waits. */
  handle(signal: AbortSignal): Promise<void>
}

export function createSignups(deps: SignupDeps): Signups {
  const { db, captcha, settings, enqueue } = deps
  const add = async (tx: Tx, signups: readonly Signup[]) => {
    await insertSignups(tx, signups)
    await enqueue(tx, HandleSignups, {}, { key: 'all' })
  }
  return {
    add,
    async accept({ email, name, captcha: solution, language }) {
      const address = parseAddress(email)
      if (address === null) throw new InputError({ email: emailFault })
      const solved = settings.get('subscribe_captcha') ? await captcha.verify(solution) : null
      await db.transaction(async tx => {
        if (solved !== null && !(await useChallenge(tx, solved.id, solved.expiresAt)))
          throw new InputError({ captcha: 'was used before: fetch another challenge' })
        // Whoever signs up at the same moment waits here, and counts this one, too.
        await addToRate(tx, 'signup', 1)
        if (solved !== null) await captcha.checkPrice(tx, solved)
        await add(tx, [
          { email: address, name: name?.trim() || null, source: 'form', language: readerLanguageOf(language ?? '') }
        ])
      })
    },
    async handle(signal) {
      while (!signal.aborted && (await handleBatch(deps)) === batchSize);
    }
  }
}

/** @returns how many there were */
async function handleBatch(deps: SignupDeps): Promise<number> {
  // Outside of the transaction, because the key may have to be made.
  await deps.keys.hashOf('')
  return deps.db.transaction(async tx => {
    await lockAddresses(tx)
    const signups = await takeSignups(tx, batchSize)
    if (signups.length === 0) return 0
    let isAnyAsked = false
    for (const signup of await inOrder(deps, signups)) if (await handleOne(tx, signup)) isAnyAsked = true
    if (isAnyAsked) await deps.enqueue(tx, SendConfirmations, {}, { key: 'all' })
    if (signups.some(({ source }) => source === 'form')) await notifyOfWave(deps, tx)
    return signups.length
  })
}

type HashedSignup = Signup & {
  email_hash: string
  mailbox_hash: string
  /** Of the plain address of the mailbox: of ada+news@ that of ada@. */
  plain_hash: string
}

/** In the order of hashes, so that no two processes wait for each other. */
async function inOrder({ keys }: SignupDeps, signups: readonly Signup[]): Promise<HashedSignup[]> {
  const hashed = await Promise.all(
    signups.map(async one => ({
      ...one,
      email_hash: await keys.hashOf(one.email),
      mailbox_hash: await keys.mailboxHashOf(one.email),
      plain_hash: await keys.plainHashOf(one.email)
    }))
  )
  return hashed.sort((one, other) => (one.email_hash < other.email_hash ? -1 : 1))
}

/** @returns whether a mail asks for the confirmation */
async function handleOne(tx: Tx, { mailbox_hash, ...signup }: HashedSignup): Promise<boolean> {
  const { email_hash } = signup
  if ((await findSuppression(tx, signup)) !== undefined) return false
  await insertPending(tx, signup)
  return askForConfirmation(tx, { email_hash, mailbox_hash })
}

/** Tells the operator when many signed up: once an hour. */
async function notifyOfWave({ settings, notify, now }: SignupDeps, tx: Tx): Promise<void> {
  const signups = await sumOfRate(tx, 'signup', waveMinutes)
  if (signups < settings.get('newsletter_signup_alarm')) return
  const hour = now().toISOString().slice(0, 13)
  const notice = waveNotice(signups, waveMinutes)
  await notify?.queue(tx, [{ source: `newsletter:wave:${hour}`, notice, kind: 'alert' }])
}

export const signupJob = (signups: Signups): Job =>
  job(HandleSignups, (_, { signal }) => signups.handle(signal), { retries: 10, cron: '*/10 * * * *' })
