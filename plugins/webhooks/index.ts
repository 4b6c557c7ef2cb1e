import { event, type Queryable, service, type Tx } from '#core'

/** An alert arrived at `/alert-router`, for the operator. */
export const AlertReceived = event<{ id: string; title: string; payload: Readonly<Record<string, unknown>> }>(
  'webhooks.alert_received'
)

/**
 * What a mail provider reports of a mail to one address. The address is not in it: events are stored as jobs, and are kept for
 * weeks. `WebhooksService.findEmail` tells it.
 */
export interface EmailEvent {
  /** Of the report: the same at every delivery and replay. */
  id: string
  kind: 'delivered' | 'deferred' | 'bounced' | 'complained' | 'unsubscribed' | 'opened' | 'clicked'
  /** True for a bounce that no later mail to the address can avoid. */
  isPermanent: boolean
  /** The `Message-ID` of the mail, or the provider's own id of it; absent when the provider names none. */
  messageId?: string
  /** By the provider's clock, in ISO 8601. Reports may come in another order. */
  at: string
}

/** A mail provider reported what became of a mail. It may be emitted again after a replay: the `id` is the same. */
export const EmailEventReceived = event<EmailEvent>('webhooks.email_event_received')

/** A request as it came; names of headers are in lower case. */
export interface WebhookRequest {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** What a delivery is about, and when that happened by the sender's clock. */
export interface WebhookOrder {
  /** Such as `subscription:sub_1`, at most 200 characters. Later events of one object change what earlier ones said. */
  readonly object: string
  readonly at: Date
  /** Of two at the same time the one with the higher rank is later; default 0. */
  readonly rank?: number
}

/** What a source makes of a request whose signature is right. */
export interface WebhookIdentity {
  /** The sender's id of the event; null when it sends none: then the same bytes are the same event. */
  readonly id: string | null
  /** Such as `invoice.paid`. */
  readonly type: string
  /** Absent for what stands for itself: every delivery counts. */
  readonly order?: WebhookOrder | null
}

/** A delivery as it is handled. */
export interface WebhookDelivery {
  /** A UUID: the same at every try and replay. */
  readonly id: string
  readonly eventId: string
  readonly type: string
  readonly body: Buffer
  readonly order: WebhookOrder | null
  /** ISO 8601. */
  readonly receivedAt: string
  /** When it was handled before, in ISO 8601; null at the first time. */
  readonly handledAt: string | null
  /** How often an operator had it handled again. */
  readonly replays: number
  /** How often the sender sent it. */
  readonly deliveries: number
}

/** A system that sends webhooks to `/api/webhooks/<name>`. */
export interface WebhookSource {
  /** In kebab case: the last part of its address. */
  readonly name: string
  /** A line for the API document: `A call of the telephone system, stored and shown`. */
  readonly describe: string
  /** What signatures are checked with, and the setting that holds it. While it is empty the address answers 503. */
  readonly secret: { readonly setting: string; value(): string }
  /** Headers it reads, with what they mean, for the API document. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** Checks the signature over the raw body, in constant time. @throws AuthError when it is missing or wrong */
  verify(secret: string, request: WebhookRequest, now: Date): void
  /** Called once the signature is right. No I/O. @throws InputError for a body that is none of this sender's: 400 */
  identify(request: WebhookRequest): WebhookIdentity
  /**
   * Handles a delivery, in one transaction with the record that it was handled. It has 15 s, and writes to the database only:
   * whatever else is to be done follows from an event or a job. It may run again, after a replay.
   * @throws InputError for what no retry can handle: it is parked at once. Whatever else is thrown is tried again for
   * some minutes, then it is parked.
   */
  handle(tx: Tx, delivery: WebhookDelivery): Promise<void>
  /** Called instead when a later event of the same object was handled before. Absent: nothing is done. */
  handleLate?(tx: Tx, delivery: WebhookDelivery): Promise<void>
}

/** The inbox of other systems' webhooks. */
export interface Webhooks {
  /** Adds a source, in `setup`. @throws TypeError for a name that is taken, or not in kebab case */
  addSource(source: WebhookSource): void
  /** The address that the report with this `id` is about; undefined when it is erased. */
  findEmail(db: Queryable, id: string): Promise<string | undefined>
  /**
   * Removes a mail address from the reports of mails, and the bodies of webhooks that name it. Payments keep their payloads,
   * which are records of the accounts. A body that is still to be handled keeps it until `webhook_body_days` are over.
   */
  eraseAddress(tx: Tx, email: string): Promise<void>
}
export const WebhooksService = service<Webhooks>('webhooks')
