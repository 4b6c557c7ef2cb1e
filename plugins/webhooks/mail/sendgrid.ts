import { type Fields, payloadText } from '../payload.ts'
import { readInstant } from '../read-instant.ts'
import { type MailReport, mailAddress, mailKind } from './report.ts'

/** A report of SendGrid with its own id. */
interface SendgridReport {
  eventId: string | null
  type: string
  /** Null for what is of no interest, such as `processed`. */
  report: MailReport | null
}

/** One event of a batch. A `bounce` of the type `blocked` may be delivered another day; a `dropped` one never was sent. */
export function sendgridReport(fields: Fields): SendgridReport {
  const type = payloadText(fields.event, 100) ?? 'unknown'
  const kind = type === 'processed' ? null : mailKind(type)
  const email = mailAddress(fields.email)
  const report = {
    isPermanent: type === 'bounce' && fields.type !== 'blocked',
    messageId: payloadText(fields['smtp-id'], 300) ?? payloadText(fields.sg_message_id, 300),
    at: readInstant(fields.timestamp)
  }
  return {
    eventId: payloadText(fields.sg_event_id, 200),
    type,
    report: kind === null || email === null ? null : { ...report, kind, email }
  }
}
