import type { WebhookRequest, WebhookSource } from '../index.ts'
import { parsePayload } from '../payload.ts'
import { verifyAlert } from '../signatures.ts'
import { typeOfEvent } from './event-type.ts'
import type { SourceDefinition } from './sources.ts'

const sharedBy = (secret: () => string) => ({
  landing: 'alert_events' as const,
  secret: { setting: 'alertmanager_webhook_secret', value: secret },
  requestHeaders: {
    'X-Signature-256': '`sha256=` and the HMAC-SHA256 of the raw body in hex.',
    'X-Grafana-Alerting-Signature': 'The same in hex alone, as Grafana sends it.'
  },
  verify: verifyAlert,
  identify: ({ body }: WebhookRequest) => ({ id: null, type: typeOfEvent(parsePayload(body)) })
})

/** Alerts for the operator's chat. */
export const alertRouterSource = (secret: () => string, handle: WebhookSource['handle']): SourceDefinition => ({
  ...sharedBy(secret),
  name: 'alert-router',
  path: '/alert-router',
  operationId: 'routeAlert',
  describe: 'An alert, stored and sent to the operator',
  isRepeatHandled: true,
  handle
})

/** Alerts that are only stored. */
export const alertStoreSource = (secret: () => string): SourceDefinition => ({
  ...sharedBy(secret),
  name: 'alert-store',
  path: '/api/webhooks/alert-router',
  operationId: 'receiveAlert',
  describe: 'An alert, stored',
  isOnlyStored: true,
  handle: async () => {}
})
