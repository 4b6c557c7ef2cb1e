import type { LandingTable } from './repository.ts'
import { type Verify, verifyAlert, verifyEmail, verifyPayment } from './signatures.ts'

/** One inbound webhook. */
export interface WebhookEndpoint {
  path: string
  operationId: string
  summary: string
  table: LandingTable
  secretKey: 'alertmanager_webhook_secret' | 'payments_webhook_secret' | 'email_webhook_secret'
  verify: Verify
  /** Where its sender puts the signature, for the API document. */
  requestHeaders: Readonly<Record<string, string>>
  /** Also notifies the operator. */
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

/** Every inbound webhook, and the table it is stored in. */
export const endpoints: readonly WebhookEndpoint[] = [
  {
    path: '/alert-router',
    operationId: 'routeAlert',
    summary: 'An alert, stored and sent to the operator',
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
