import { event } from '#core'

/** An alert arrived by `/alert-router` and wants to be told to the operator. */
export const AlertReceived = event<{ id: string; title: string; payload: Record<string, unknown> }>(
  'webhooks.alert-received'
)
