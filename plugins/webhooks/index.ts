import { event } from '#core'

/** An alert arrived at `/alert-router`, for the operator. */
export const AlertReceived = event<{ id: string; title: string; payload: Readonly<Record<string, unknown>> }>(
  'webhooks.alert_received'
)
