import { createHash } from 'node:crypto'
import { batched } from '#concurrency'
import type { Emit, Tx } from '#core'
import { EmailEventReceived, type WebhookDelivery } from '../index.ts'
import { mailReports } from '../mail/report.ts'
import { sendgridReport } from '../mail/sendgrid.ts'
import { parsePayload, parsePayloads } from '../payload.ts'
import { type SubscriberRow, storeReports } from '../repository/subscriber-events.ts'
import { standardHeader, verifySendgrid, verifyStandard } from '../signatures.ts'
import { typeOfEvent } from './event-type.ts'
import type { SourceDefinition } from './sources.ts'

interface MailSourceDeps {
  emit: Emit
  secret(): string
}

/** Reports in the form of Standard Webhooks, such as those of Resend. */
export const emailSource = ({ emit, secret }: MailSourceDeps): SourceDefinition => ({
  name: 'email-provider',
  operationId: 'receiveMailEvent',
  describe: 'A delivery event of a mail, stored and passed on',
  landing: 'subscriber_events',
  secret: { setting: 'email_webhook_secret', value: secret },
  requestHeaders: {
    'webhook-id': 'Id of the delivery (Standard Webhooks; `svix-id` counts as well).',
    'webhook-timestamp': 'Seconds since 1970, at most 300 s off (`svix-timestamp`).',
    'webhook-signature': '`v1,` and the signature in base64 (`svix-signature`).'
  },
  verify: verifyStandard,
  identify: request => ({
    id: standardHeader(request, 'id') ?? null,
    type: typeOfEvent(parsePayload(request.body))
  }),
  async handle(tx, delivery) {
    const payload = delivery.body.toString('utf8')
    const rows = mailReports(parsePayload(delivery.body)).map((report, index) => ({
      // The first one is the delivery's own row; a mail to several has one for each of the others.
      event_id: index === 0 ? delivery.eventId : `${delivery.eventId}#${index}`,
      event_type: delivery.type,
      payload,
      report
    }))
    await storeAndEmit({ emit, source: 'email-provider' }, tx, delivery, rows)
  }
})

/** In one request of SendGrid. It sends at most 768 kB. */
const maxEvents = 10_000
/** In one statement. */
const maxRows = 500

/** SendGrid's signed event webhook: batches, whose events have ids of their own. */
export const sendgridSource = ({ emit, secret }: MailSourceDeps): SourceDefinition => ({
  name: 'sendgrid',
  operationId: 'receiveSendgridEvents',
  describe: 'Events of SendGrid, each stored once and passed on',
  secret: { setting: 'sendgrid_webhook_public_key', value: secret },
  requestHeaders: {
    'X-Twilio-Email-Event-Webhook-Signature': 'ECDSA signature in base64 of the timestamp and the raw body.',
    'X-Twilio-Email-Event-Webhook-Timestamp': 'The timestamp that is signed.'
  },
  verify: verifySendgrid,
  identify: request => ({ id: null, type: `${parsePayloads(request.body, maxEvents).length} events` }),
  async handle(tx, delivery) {
    const sent: unknown[] = JSON.parse(delivery.body.toString('utf8'))
    const rows = parsePayloads(delivery.body, maxEvents).map((fields, index) => {
      const { eventId, type, report } = sendgridReport(fields)
      const payload = JSON.stringify(sent[index])
      return { event_id: eventId ?? hashOf(payload), event_type: type, payload, report }
    })
    // A statement stores a row once.
    const distinct = [...new Map(rows.map(row => [row.event_id, row])).values()]
    for (const batch of batched(distinct, { maxItems: maxRows }))
      await storeAndEmit({ emit, source: 'sendgrid' }, tx, delivery, batch)
  }
})

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Emits what is new. At a replay that is all of it, and at the first handling also the row of the delivery itself. */
async function storeAndEmit(
  { emit, source }: { emit: Emit; source: string },
  tx: Tx,
  { eventId, replays, handledAt, receivedAt }: WebhookDelivery,
  rows: readonly SubscriberRow[]
): Promise<void> {
  if (rows.length === 0) return
  const reports = new Map(rows.map(({ event_id, report }) => [event_id, report]))
  const stored = await storeReports(tx, source, receivedAt, rows)
  const isOwn = (event_id: string) => event_id === eventId && handledAt === null
  const reported = stored.filter(({ is_new, event_id }) => is_new || replays > 0 || isOwn(event_id))
  const events = reported.flatMap(({ id, event_id }) => {
    const report = reports.get(event_id)
    if (report == null) return []
    const { kind, isPermanent, messageId, at } = report
    const whichMail = messageId === null ? {} : { messageId }
    return [{ id, kind, isPermanent, ...whichMail, at: at?.toISOString() ?? receivedAt }]
  })
  await emit(tx, EmailEventReceived, events)
}
