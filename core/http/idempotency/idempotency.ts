import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { principalOf } from '../../contract/access.ts'
import type { Db } from '../../contract/database.ts'
import { ConflictError, InputError } from '../../contract/errors.ts'
import { withBeforeCommit } from '../../db/before-commit.ts'
import type { Log } from '../../log.ts'
import { securityHeaders } from '../security-headers.ts'
import {
  claim,
  find,
  type Key,
  markDone,
  release,
  removeExpired,
  renew,
  renewEverySeconds,
  type StoredResponse,
  store
} from './repository.ts'

/** A key this request holds until it is answered. */
interface Claim extends Key {
  readonly renewing: NodeJS.Timeout
}

declare module 'fastify' {
  interface FastifyRequest {
    claim: Claim | null
  }
}

const cleanEveryMs = 600_000
/** A repetition sent at the same time waits this long for the first one's answer. */
const maxWaitMs = 2_000
const pollMs = 50
const header = 'idempotency-key'
/** Headers that belong to the first request only: a repetition has its own. */
const ownHeaders = /^(x-request-id|connection|keep-alive|date|content-length|vary|access-control-.*)$/

/**
 * Makes authenticated POSTs safe to repeat: with an `Idempotency-Key`, a client gets the first answer again for 24 hours.
 * The claim is made after validation, so a refused request can be corrected under its key; answers of 400, 500 and more are not stored.
 */
export function addIdempotency(app: FastifyInstance, { db, log, now }: { db: Db; log: Log; now: () => Date }): void {
  let cleanedAt = now().getTime()
  app.decorateRequest('claim', null)
  /** Claims the key, or sends the stored answer. Resolves to true when the handler has to run. */
  const claimOrReplay = async (request: FastifyRequest, reply: FastifyReply, key: string): Promise<boolean> => {
    const { client_id } = principalOf(request)
    const request_hash = hashOf(request)
    if (await claim(db, { client_id, key }, request_hash)) {
      request.claim = { client_id, key, renewing: keepRenewing(db, { client_id, key }, log) }
      if (now().getTime() - cleanedAt < cleanEveryMs) return true
      cleanedAt = now().getTime()
      removeExpired(db).catch(error => log.warn({ err: error }, 'expired idempotency keys could not be removed'))
      return true
    }
    replay(reply, key, request_hash, await waitForStoredResponse(db, { client_id, key }))
    return false
  }
  // With callbacks: nearly every request passes here without a key, and a promise would cost it more than the rest.
  app.addHook('preHandler', (request, reply, done) => {
    if (request.headers[header] === undefined) return done()
    const key = keyOf(request)
    if (key === undefined) return done()
    claimOrReplay(request, reply, key).then(isClaimed => {
      const { client_id } = principalOf(request)
      // The mark commits with the change: a process killed before it answered leaves a key that cannot run again.
      if (isClaimed) withBeforeCommit(tx => markDone(tx, { client_id, key }), done)
    }, done)
  })
  app.addHook<unknown>('onSend', (request, reply, payload, done) => {
    if (request.claim === null) return done(null, payload)
    endClaim(request, key => storeResponse(db, key, reply, payload)).then(() => done(null, payload), done)
  })
  // An answer that a handler wrote by itself never passes onSend.
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.claim === null) return done()
    endClaim(request, key => release(db, key)).then(() => done(), done)
  })
}

/** What is stored for a key, once the first request is answered, or as it stands when that takes too long. */
async function waitForStoredResponse(db: Db, key: Key): Promise<StoredResponse | undefined> {
  for (let look = 0; ; look++) {
    const stored = await find(db, key)
    if (stored?.status !== null || look >= maxWaitMs / pollMs) return stored
    await sleep(pollMs)
  }
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers[header]
  if (key === undefined || request.method !== 'POST' || request.routeOptions.config.access?.kind !== 'bearer')
    return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new InputError({ [header]: 'must have 1 to 255 printable ASCII characters' })
}

function hashOf(request: FastifyRequest): string {
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`)
  return hash.update(Buffer.isBuffer(request.body) ? request.body : (JSON.stringify(request.body) ?? '')).digest('hex')
}

function keepRenewing(db: Db, key: Key, log: Log): NodeJS.Timeout {
  const renewing = setInterval(() => {
    renew(db, key).catch(error => log.warn({ err: error }, 'an idempotency key could not be renewed'))
  }, renewEverySeconds * 1000)
  return renewing.unref()
}

function replay(
  reply: FastifyReply,
  key: string,
  request_hash: string,
  stored: StoredResponse | undefined
): FastifyReply {
  if (stored !== undefined && stored.request_hash !== request_hash) {
    throw new ConflictError(
      `The Idempotency-Key ${JSON.stringify(key)} was used for another request: use a new one.`,
      'IDEMPOTENCY_KEY_REUSED'
    )
  }
  if (stored?.status === null && stored.is_done) {
    throw new ConflictError(
      `The request with the Idempotency-Key ${JSON.stringify(key)} was carried out, but its answer was lost: read what it made instead of repeating it.`,
      'IDEMPOTENCY_ANSWER_LOST'
    )
  }
  // Undefined: it was released between the two statements.
  if (stored === undefined || stored.status === null) {
    const seconds = stored?.free_in ?? 1
    reply.header('retry-after', String(seconds))
    throw new ConflictError(
      `The first request with the Idempotency-Key ${JSON.stringify(key)} is still being answered, or was cut off: repeat it in ${seconds} s.`,
      'IDEMPOTENCY_KEY_IN_USE'
    )
  }
  return reply
    .code(stored.status)
    .headers({ ...stored.headers, 'idempotency-replayed': 'true' })
    .send(stored.body === null || stored.body.length === 0 ? null : Buffer.from(stored.body))
}

/** Ends the claim. The change has been made: a failure here must not change the response. */
async function endClaim(request: FastifyRequest, end: (key: Key) => Promise<void>): Promise<void> {
  if (request.claim === null) return
  const { renewing, ...key } = request.claim
  request.claim = null
  clearInterval(renewing)
  try {
    await end(key)
  } catch (error) {
    request.log.error(
      { err: error },
      'the answer for an idempotency key could not be stored: a repetition is refused until the claim lapses'
    )
  }
}

async function storeResponse(db: Db, key: Key, reply: FastifyReply, payload: unknown): Promise<void> {
  const body = typeof payload === 'string' ? Buffer.from(payload) : (payload ?? Buffer.alloc(0))
  // A request refused for its form changed nothing: it can be corrected under its key.
  if (reply.statusCode >= 500 || reply.statusCode === 400 || !Buffer.isBuffer(body)) await release(db, key)
  else await store(db, key, { status: reply.statusCode, headers: headersToStore(reply), body })
}

function headersToStore(reply: FastifyReply): Record<string, string> {
  const headers = Object.entries(reply.getHeaders()).filter(
    ([name]) => !ownHeaders.test(name) && !(name in securityHeaders)
  )
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]))
}
