import { createHash } from 'node:crypto'
import { AppError, asText } from '#core'
import { cutText } from '#text/excerpts'
import type { WebhookIdentity, WebhookRequest } from '../index.ts'
import { isFarAhead, isStorable } from '../read-instant.ts'
import type { RegisteredSource } from '../sources/sources.ts'

/** What a delivery is stored under. */
interface StoredIdentity {
  event_id: string
  event_type: string
  /** Null for what stands for itself. */
  object: string | null
  occurred_at: string | null
  rank: number
}

const unknown: WebhookIdentity = { id: null, type: '' }

/**
 * What a source says of a request whose signature is right. One that fails at it loses nothing: the delivery is stored, and its
 * handler is asked. @throws AppError of the source, for what is to be refused
 */
export function identityOf(
  source: RegisteredSource,
  request: WebhookRequest,
  { log, now }: { log: { warn(facts: object, message: string): void }; now: Date }
): StoredIdentity {
  const identity = identify(source, request, log)
  return {
    event_id: eventIdOf(source, identity, request.body),
    event_type: cutText(asText(String(identity.type ?? '')), 200),
    ...orderOf(identity, now)
  }
}

function identify(
  source: RegisteredSource,
  request: WebhookRequest,
  log: { warn(facts: object, message: string): void }
): WebhookIdentity {
  try {
    return source.identify(request) ?? unknown
  } catch (error) {
    if (error instanceof AppError) throw error
    // Its message may quote the body.
    const fault = error instanceof Error ? error.name : typeof error
    log.warn({ fault, source: source.name }, 'a delivery was stored without what its source says of it')
    return unknown
  }
}

/** Without a sender's id, the same bytes are the same event. */
const eventIdOf = (source: RegisteredSource, { id }: WebhookIdentity, body: Buffer): string =>
  id == null ? createHash('sha256').update(source.path).update(body).digest('hex') : indexable(String(id))

function orderOf({ order }: WebhookIdentity, now: Date) {
  if (!(order?.at instanceof Date) || !isStorable(order.at)) return { object: null, occurred_at: null, rank: 0 }
  const occurred_at = (isFarAhead(order.at, now) ? now : order.at).toISOString()
  return { object: indexable(String(order.object)), occurred_at, rank: order.rank ?? 0 }
}

/** A longer one does not fit the unique index, and another character not the database. */
const indexable = (id: string): string =>
  /^[\x20-\x7e]{1,200}$/.test(id) ? id : createHash('sha256').update(id).digest('hex')
