import { createHash, randomInt } from 'node:crypto'
import type { Challenge, Payload } from 'altcha-lib'
import { type Db, InputError, isObject, type Queryable, type Tx } from '#core'
import type { Keys } from '../keys.ts'
import { sumOfRate } from '../repository/signups.ts'

/** Tries that a challenge costs on average when nobody else signs up: about a second in a browser. */
const baseTries = 1000
/** Sign-ups within ten minutes that double the cost. */
const signupsPerDoubling = 20
const maxDoublings = 6
const rateMinutes = 10
const iterations = 1000
const lifetimeMs = 20 * 60_000
/** The rate is asked for so often, however many challenges are fetched. */
const rateForMs = 2000

/** The solution was one of a challenge, but counts no longer: the visitor solves another. */
export class StaleChallengeError extends InputError {
  constructor(fault: string) {
    super({ captcha: `${fault}: fetch another challenge` })
  }
}

interface SolvedChallenge {
  /** Whoever stores it counts the challenge once. */
  id: string
  expiresAt: Date
  /** What it cost: tries on average. */
  tries: number
}

/** Proofs of work (ALTCHA) that sign-ups bring along. */
export interface Captcha {
  create(): Promise<Challenge>
  /** @throws InputError (`captcha`) */
  verify(captcha: string | undefined): Promise<SolvedChallenge>
  /**
   * Challenges cannot be hoarded while they are cheap: one may be a step cheaper than what is asked now, no more. The rate
   * has the sign-up of this transaction already. @throws StaleChallengeError
   */
  checkPrice(tx: Tx, solved: SolvedChallenge): Promise<void>
}

interface CaptchaDeps {
  db: Db
  keys: Keys
  now(): Date
}

export function createCaptcha({ db, keys, now }: CaptchaDeps): Captcha {
  const price = createPrice(now)
  const secrets = async () => {
    const [signature, keySignature] = await Promise.all([keys.keyFor('captcha'), keys.keyFor('captcha-key')])
    return {
      hmacSignatureSecret: signature.toString('base64'),
      hmacKeySignatureSecret: keySignature.toString('base64')
    }
  }
  return {
    async create() {
      const { createChallenge, deriveKey } = await loadLibrary()
      const tries = await price.recent(db)
      return createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: iterations,
        counter: randomInt(2 * tries),
        // Under the signature.
        data: { tries },
        deriveKey,
        expiresAt: Math.floor((now().getTime() + lifetimeMs) / 1000),
        ...(await secrets())
      })
    },
    async verify(captcha) {
      const payload = readPayload(captcha)
      const { verifySolution, deriveKey } = await loadLibrary()
      const result = await verifySolution({ ...payload, deriveKey, ...(await secrets()) })
      if (result.expired) throw new StaleChallengeError('has expired')
      const { signature, parameters } = payload.challenge
      if (!result.verified || signature === undefined || parameters.expiresAt === undefined)
        throw new InputError({ captcha: 'does not solve a challenge of GET /subscribe/challenge' })
      const id = createHash('sha256').update(signature).digest('base64url')
      return { id, expiresAt: new Date(parameters.expiresAt * 1000), tries: Number(parameters.data?.tries ?? 0) }
    },
    async checkPrice(tx, { tries }) {
      if (2 * tries < (await price.exact(tx))) throw new StaleChallengeError('costs less than is asked by now')
    }
  }
}

/** At the first sign-up: a start loads few files. */
async function loadLibrary() {
  const [{ createChallenge, verifySolution }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/pbkdf2')
  ])
  return { createChallenge, verifySolution, deriveKey }
}

/** What a challenge costs: more tries while many sign up. */
function createPrice(now: () => Date) {
  let known: { tries: number; until: number } | undefined
  const read = async (db: Queryable, own: number) => {
    const tries = triesFor((await sumOfRate(db, 'signup', rateMinutes)) - own)
    known = { tries, until: now().getTime() + rateForMs }
    return tries
  }
  return {
    /** For a new challenge. */
    async recent(db: Queryable): Promise<number> {
      return known !== undefined && known.until > now().getTime() ? known.tries : read(db, 0)
    },
    /** For a sign-up that the transaction has counted. */
    exact: (tx: Tx): Promise<number> => read(tx, 1)
  }
}

/** Tries on average, for so many sign-ups within ten minutes. */
export const triesFor = (signups: number): number =>
  baseTries * 2 ** Math.min(maxDoublings, Math.floor(signups / signupsPerDoubling))

/** @throws InputError for what is no solution in base64 */
function readPayload(captcha: string | undefined): Payload {
  if (captcha === undefined || captcha === '')
    throw new InputError({ captcha: 'is required: solve a challenge of GET /subscribe/challenge' })
  const payload = parse(Buffer.from(captcha, 'base64').toString('utf8'))
  if (!isPayload(payload)) throw new InputError({ captcha: 'must be a solution as ALTCHA gives it, in base64' })
  return payload
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The rest is under the signature, or checked by the library. */
const isPayload = (value: unknown): value is Payload =>
  isObject(value) &&
  isObject(value.challenge) &&
  isObject(value.challenge.parameters) &&
  typeof value.challenge.signature === 'string' &&
  isObject(value.solution)
