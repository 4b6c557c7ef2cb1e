import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { access, type Db, type Emit, UnavailableError } from '#core'
import { AlertReceived } from './index.ts'
import { parsePayload } from './payload.ts'
import { type LandingTable, land } from './repository.ts'
import { type Verify, verifyAlert, verifyEmail, verifyPayment } from './signatures.ts'

/** One inbound webhook. */
interface Endpoint {
  path: string
  operationId: string
  summary: string
  table: LandingTable
  secretKey: 'alertmanager_webhook_secret' | 'payments_webhook_secret' | 'email_webhook_secret'
  verify: Verify
  /** Where its sender puts the signature, for the API document. */
  requestHeaders: Readonly<Record<string, string>>
  /** Also tells the operator. */
  routesToChat?: boolean
}

const alertHeaders = {
  'X-Signature-256': '`sha256=` and the HMAC-SHA256 of the raw body in hex.',
  'X-Grafana-Alerting-Signature': 'The same in hex alone, as Grafana sends it.'
}
const paymentHeaders = { 'X-Signature': 'HMAC-SHA256 of the raw body in hex.' }
const mailHeaders = {
  'webhook-id': 'Id of the delivery (Standard Webhooks; `svix-id` counts as well).',
  'webhook-timestamp': 'Seconds since 1970, at most 300 s off (`svix-timestamp`).',
  'webhook-signature': '`v1,` and the signature in base64 (`svix-signature`).'
}

const endpoints: readonly Endpoint[] = [
  {
    path: '/alert-router',
    operationId: 'routeAlert',
    summary: 'An alert, stored and told to the operator',
    table: 'alert_events',
    secretKey: 'alertmanager_webhook_secret',
    verify: verifyAlert,
    requestHeaders: alertHeaders,
    routesToChat: true
  },
  {
    path: '/api/webhooks/alert-router',
    operationId: 'receiveAlert',
    summary: 'An alert, stored',
    table: 'alert_events',
    secretKey: 'alertmanager_webhook_secret',
    verify: verifyAlert,
    requestHeaders: alertHeaders
  },
  {
    path: '/api/webhooks/payments-provider',
    operationId: 'receivePayment',
    summary: 'A payment event, stored',
    table: 'revenue_events',
    secretKey: 'payments_webhook_secret',
    verify: verifyPayment,
    requestHeaders: paymentHeaders
  },
  {
    path: '/api/webhooks/email-provider',
    operationId: 'receiveMailEvent',
    summary: 'A delivery event of a mail, stored',
    table: 'subscriber_events',
    secretKey: 'email_webhook_secret',
    verify: verifyEmail,
    requestHeaders: mailHeaders
  }
]

export interface WebhookDeps {
  db: Db
  emit: Emit
  secretOf(key: Endpoint['secretKey']): string
  now(): Date
}

export const webhookRoutes =
  (deps: WebhookDeps): FastifyPluginAsync =>
  async app => {
    // Signatures cover the bytes as they came: here nothing is parsed before it is verified.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const endpoint of endpoints) receive(app, endpoint, deps)
  }

const Accepted = Type.Object({
  accepted: Type.Literal(true),
  duplicate: Type.Boolean({ examples: [false] }),
  id: Type.String({ format: 'uuid' })
})

function receive(app: FastifyInstance, endpoint: Endpoint, deps: WebhookDeps): void {
  const { path, operationId, summary, requestHeaders } = endpoint
  const schema = { operationId, tags: ['webhooks'], summary, response: { 202: Accepted } }
  app.post(path, { config: { access: access.signed, describe: { requestHeaders } }, schema }, async (request, reply) =>
    reply.code(202).send(await accept(endpoint, deps, request))
  )
}

async function accept(endpoint: Endpoint, { db, emit, secretOf, now }: WebhookDeps, request: FastifyRequest) {
  const secret = secretOf(endpoint.secretKey)
  if (secret === '')
    throw new UnavailableError(
      `This webhook is not set up: set the setting ${endpoint.secretKey}, to 16 bytes or more.`
    )
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const delivery = endpoint.verify(secret, body, request.headers, now())
  const payload = parsePayload(body)
  // Without an id of the sender's, the same bytes are the same delivery.
  const event_id = delivery ?? createHash('sha256').update(endpoint.path).update(body).digest('hex')
  const landing = { event_id, event_type: typeOf(payload), payload: body.toString('utf8') }
  return db.transaction(async tx => {
    const { id, duplicate } = await land(tx, endpoint.table, landing)
    if (endpoint.routesToChat && !duplicate) await emit(tx, AlertReceived, { id, title: titleOf(payload), payload })
    return { accepted: true as const, duplicate, id }
  })
}

const typeOf = (payload: Record<string, unknown>): string =>
  textOf(payload.type ?? payload.event ?? payload.event_type ?? payload.status, 'unknown')

const titleOf = (payload: Record<string, unknown>): string => {
  const labels = payload.commonLabels as Record<string, unknown> | undefined
  return textOf(payload.title ?? labels?.alertname ?? namesOf(payload.alerts) ?? payload.message, 'Alert')
}

/** The names of a group's alerts, each once, where they have no common one. */
function namesOf(alerts: unknown): string | undefined {
  if (!Array.isArray(alerts)) return undefined
  const names = alerts
    .slice(0, 100)
    .map(alert => (alert as { labels?: Record<string, unknown> } | null)?.labels?.alertname)
  const texts = names.filter(name => typeof name === 'string' && name !== '')
  return texts.length === 0 ? undefined : [...new Set(texts)].join(', ')
}

/** A character that the cut would halve is left out: half of one is no text that a database keeps. */
const textOf = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200).replace(/[\ud800-\udbff]$/, '') : fallback
