import type { EmailEvent } from '../index.ts'
import { type Fields, payloadFields, payloadText } from '../payload.ts'
import { readInstant } from '../read-instant.ts'

/** What a provider reports of a mail to one address. */
export interface MailReport {
  kind: EmailEvent['kind']
  isPermanent: boolean
  email: string
  messageId: string | null
  /** Null when the provider does not say. */
  at: Date | null
}

/** Recipients of one mail that are read. */
const maxRecipients = 50

/** Words in the type of an event, of which the first that fits decides. */
const kinds: readonly [RegExp, EmailEvent['kind']][] = [
  [/unsubscri/i, 'unsubscribed'],
  [/complain|spam/i, 'complained'],
  [/soft.?bounce|defer|delay/i, 'deferred'],
  [/bounce|fail|suppress|reject|drop/i, 'bounced'],
  [/click/i, 'clicked'],
  [/open/i, 'opened'],
  [/deliver/i, 'delivered']
]

export const mailKind = (type: string): EmailEvent['kind'] | null =>
  kinds.find(([pattern]) => pattern.test(type))?.[1] ?? null

/**
 * The reports of an event in the form of Resend (`type: "email.bounced"`, `data: {to, email_id, bounce}`), or a plain one
 * (`{type, email, message_id, bounce_type, at}`). None for an event of another kind, or without an address.
 */
export function mailReports(payload: Fields): MailReport[] {
  const data = payloadFields(payload.data)
  const fields = { ...payload, ...data }
  const kind = mailKind(payloadText(payload.type ?? payload.event ?? payload.event_type) ?? '')
  if (kind === null) return []
  const bounce = payloadFields(fields.bounce)
  const bounceType = payloadText(bounce.type ?? fields.bounce_type ?? fields.severity) ?? ''
  const shared = {
    kind,
    isPermanent: kind === 'bounced' && /perm|hard/i.test(bounceType),
    messageId: ['message_id', 'smtp_id', 'email_id'].map(name => payloadText(fields[name], 300)).find(Boolean) ?? null,
    at:
      [data.at, data.timestamp, payload.created_at, payload.at, payload.timestamp, payload.occurred_at]
        .map(readInstant)
        .find(at => at !== null) ?? null
  }
  return recipientsOf(fields).map(email => ({ ...shared, email }))
}

function recipientsOf({ email, recipient, to }: Fields): string[] {
  const given = email ?? recipient ?? to
  const texts = (Array.isArray(given) ? given.slice(0, maxRecipients) : [given]).map(mailAddress)
  return [...new Set(texts.filter(text => text !== null))]
}

/** The address in `ada@example.org` or `Ada <ada@example.org>`; null for what has none. */
export function mailAddress(value: unknown): string | null {
  const text = payloadText(value, 1_000) ?? ''
  const address = (/<([^<>]*)>$/.exec(text)?.[1] ?? text).trim()
  return address.length <= 320 && /^[^\s@<>]+@[^\s@<>]+$/.test(address) ? address : null
}
