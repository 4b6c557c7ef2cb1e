import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { access, asText, Type, UnavailableError } from '#core'
import { cutText } from '#text/excerpts'
import type { AcceptedDelivery, Inbox } from './inbox/inbox.ts'
import type { WebhookIdentity } from './index.ts'
import { isFarAhead } from './read-instant.ts'
import type { RegisteredSource, Sources } from './sources/sources.ts'

export interface WebhookRouteDeps {
  inbox: Inbox
  sources: Sources
  now(): Date
}

/** An address for each source. */
export const webhookRoutes =
  (deps: WebhookRouteDeps): FastifyPluginAsync =>
  async app => {
    // Signatures cover the raw bytes: nothing is parsed before it is verified.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const source of deps.sources.all()) receive(app, source, deps)
  }

const Accepted = Type.Object({
  accepted: Type.Literal(true),
  duplicate: Type.Boolean({ examples: [false] }),
  id: Type.String({ format: 'uuid' })
})

function receive(app: FastifyInstance, source: RegisteredSource, deps: WebhookRouteDeps): void {
  const { path, operationId, describe: summary, requestHeaders = {} } = source
  const schema = { operationId, tags: ['webhooks'], summary, response: { 202: Accepted } }
  app.post(
    path,
    { config: { access: access.signed, documentation: { requestHeaders } }, schema },
    async (request, reply) => reply.code(202).send({ accepted: true, ...(await accept(source, deps, request)) })
  )
}

async function accept(
  source: RegisteredSource,
  { inbox, now }: WebhookRouteDeps,
  { body: sent, headers }: FastifyRequest
): Promise<AcceptedDelivery> {
  const secret = source.secret.value()
  if (secret === '') throw new UnavailableError(`This webhook is not set up: set the setting ${source.secret.setting}.`)
  const body = Buffer.isBuffer(sent) ? sent : Buffer.alloc(0)
  source.verify(secret, { body, headers }, now())
  const identity = source.identify({ body, headers })
  return inbox.accept({
    source: source.name,
    event_id: eventIdOf(source, identity, body),
    event_type: cutText(asText(identity.type), 200),
    ...orderOf(identity, now()),
    body,
    landing: source.landing,
    is_handled_later: !source.isOnlyStored,
    isRepeatHandled: source.isRepeatHandled
  })
}

/** Without a sender's id, the same bytes are the same event. */
const eventIdOf = (source: RegisteredSource, { id }: WebhookIdentity, body: Buffer): string =>
  id === null ? createHash('sha256').update(source.path).update(body).digest('hex') : indexable(id)

function orderOf({ order }: WebhookIdentity, now: Date) {
  if (order == null || Number.isNaN(order.at.getTime())) return { object: null, occurred_at: null, rank: 0 }
  const occurred_at = (isFarAhead(order.at, now) ? now : order.at).toISOString()
  return { object: indexable(order.object), occurred_at, rank: order.rank ?? 0 }
}

/** A longer one does not fit the unique index, and another character not the database. */
const indexable = (id: string): string =>
  /^[\x20-\x7e]{1,200}$/.test(id) ? id : createHash('sha256').update(id).digest('hex')
