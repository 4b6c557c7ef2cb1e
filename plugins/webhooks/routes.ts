import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { access, type Db, type Emit, Type, UnavailableError } from '#core'
import { cutText } from '#text/excerpts'
import { endpoints, type WebhookEndpoint } from './endpoints.ts'
import { AlertReceived } from './index.ts'
import { type Fields, parsePayload, payloadFields } from './payload.ts'
import { storeDelivery } from './repository.ts'

export interface WebhookDeps {
  db: Db
  emit: Emit
  secretOf(key: WebhookEndpoint['secretKey']): string
  now(): Date
}

export const webhookRoutes =
  (deps: WebhookDeps): FastifyPluginAsync =>
  async app => {
    // Signatures cover the raw bytes: nothing is parsed before it is verified.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const endpoint of endpoints) receive(app, endpoint, deps)
  }

const Accepted = Type.Object({
  accepted: Type.Literal(true),
  duplicate: Type.Boolean({ examples: [false] }),
  id: Type.String({ format: 'uuid' })
})

function receive(app: FastifyInstance, endpoint: WebhookEndpoint, deps: WebhookDeps): void {
  const { path, operationId, summary, requestHeaders } = endpoint
  const schema = { operationId, tags: ['webhooks'], summary, response: { 202: Accepted } }
  app.post(
    path,
    { config: { access: access.signed, documentation: { requestHeaders } }, schema },
    async (request, reply) => reply.code(202).send(await accept(endpoint, deps, request))
  )
}

async function accept(endpoint: WebhookEndpoint, { db, emit, secretOf, now }: WebhookDeps, request: FastifyRequest) {
  const secret = secretOf(endpoint.secretKey)
  if (secret === '')
    throw new UnavailableError(
      `This webhook is not set up: set the setting ${endpoint.secretKey}, to at least 16 bytes.`
    )
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const deliveryId = endpoint.verify(secret, body, request.headers, now())
  const payload = parsePayload(body)
  // Without a sender's id, the same bytes are the same delivery.
  const event_id = deliveryId ?? createHash('sha256').update(endpoint.path).update(body).digest('hex')
  const stored = { event_id, event_type: typeOf(payload), payload: body.toString('utf8') }
  return db.transaction(async tx => {
    const { id, duplicate } = await storeDelivery(tx, endpoint.table, stored)
    if (endpoint.routesToChat && !duplicate) await emit(tx, AlertReceived, { id, title: titleOf(payload), payload })
    return { accepted: true as const, duplicate, id }
  })
}

const typeOf = (payload: Fields): string =>
  textOf(payload.type ?? payload.event ?? payload.event_type ?? payload.status, 'unknown')

const titleOf = (payload: Fields): string => {
  const labels = payloadFields(payload.commonLabels)
  return textOf(payload.title ?? labels.alertname ?? alertNames(payload.alerts) ?? payload.message, 'Alert')
}

/** The distinct names of the alerts in a group without a common name. */
function alertNames(alerts: unknown): string | undefined {
  if (!Array.isArray(alerts)) return undefined
  const names = alerts.slice(0, 100).map(alert => payloadFields(payloadFields(alert).labels).alertname)
  const texts = names.filter(name => typeof name === 'string' && name !== '')
  return texts.length === 0 ? undefined : [...new Set(texts)].join(', ')
}

const textOf = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? cutText(value, 200) : fallback
