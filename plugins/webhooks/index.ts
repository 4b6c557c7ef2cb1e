import { event } from '#core'

/** An alert arrived at `/alert-router`, for the operator. */
export const AlertReceived = event<{ id: string; title: string; payload: Readonly<Record<string, unknown>> }>(
  'webhooks.alert_received'
)

/** What a mail provider reports of a mail to one address. */
export interface EmailEvent {
  /** Of the report: the same at every delivery and replay. */
  id: string
  kind: 'delivered' | 'deferred' | 'bounced' | 'complained' | 'unsubscribed' | 'opened' | 'clicked'
  /** True for a bounce that no later mail to the address can avoid. */
  isPermanent: boolean
  email: string
  /** The `Message-ID` of the mail, or the provider's own id of it; absent when the provider names none. */
  messageId?: string
  /** By the provider's clock, in ISO 8601. Reports may come in another order. */
  at: string
}

/** A mail provider reported what became of a mail. It may be told again after a replay: the `id` is the same. */
export const EmailEventReceived = event<EmailEvent>('webhooks.email_event_received')
