import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { access, Type, UnavailableError } from '#core'
import { identityOf } from './inbox/identity.ts'
import type { AcceptedDelivery, Inbox } from './inbox/inbox.ts'
import type { RegisteredSource, Sources } from './sources/sources.ts'

interface WebhookRouteDeps {
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
  { body: sent, headers, log }: FastifyRequest
): Promise<AcceptedDelivery> {
  const secret = source.secret.value()
  if (secret === '') throw new UnavailableError(`This webhook is not set up: set the setting ${source.secret.setting}.`)
  const body = Buffer.isBuffer(sent) ? sent : Buffer.alloc(0)
  source.verify(secret, { body, headers }, now())
  return inbox.accept({
    source: source.name,
    ...identityOf(source, { body, headers }, { log, now: now() }),
    body,
    landing: source.landing,
    is_handled_later: !source.isOnlyStored,
    isRepeatHandled: source.isRepeatHandled
  })
}
