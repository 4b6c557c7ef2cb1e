import { asText, isObject, messageOf } from '#core'
import { cutText } from '#text/excerpts'
import { withoutAddresses } from '../addresses.ts'
import { adviceFor, type ConnectionError } from './advice.ts'

/** What became of one mail. `response` is what the server said, or the error, without addresses. */
export type Outcome =
  | { kind: 'sent'; response: string }
  /** Not now: the same mail may be taken later. */
  | { kind: 'deferred'; response: string }
  /** Never. `isAddress`: there is no such mailbox. `isSoft`: the mailbox is there, and full or out of order. */
  | { kind: 'refused'; response: string; isAddress: boolean; isSoft: boolean }
  /** The server had the text, or a part of it, and the answer was lost. */
  | { kind: 'unanswered'; response: string }
  /** The connection ended at this recipient, before the text: for the server's own reasons, or for this recipient. */
  | { kind: 'dropped'; response: string }
  /** The server cannot be used: nothing was said of this recipient. `response` ends with what the operator can do. */
  | { kind: 'down'; response: string }

/** How far a mail came: not to its sender and recipient; to these; to its text, which the server had asked for. */
export type MailStage = 'connect' | 'envelope' | 'text'

interface SmtpFailure extends ConnectionError {
  response: string
}

const maxResponseLength = 300

/** Fit for rows, logs and messages. */
export const shownResponse = (text: string): string =>
  cutText(withoutAddresses(asText(text)).replace(/\s+/g, ' ').trim(), maxResponseLength)

/** Of an error of the connection. */
export function outcomeOfError(error: unknown, stage: MailStage): Outcome {
  const failure = readFailure(error)
  const response = shownResponse(failure.response)
  const { responseCode } = failure
  if (responseCode === null && stage !== 'connect')
    return { kind: stage === 'text' ? 'unanswered' : 'dropped', response }
  if (responseCode === null || !isAboutRecipient(failure))
    return { kind: 'down', response: withAdvice(response, adviceFor(failure)) }
  // The server says that it closes the connection.
  if (responseCode === 421) return { kind: 'dropped', response }
  if (responseCode < 500) return { kind: 'deferred', response }
  return { kind: 'refused', response, ...causeOf(failure) }
}

const withAdvice = (response: string, advice: string | undefined): string =>
  advice === undefined ? response : `${response.replace(/[.:\s]+$/, '')}. ${advice}`

/** Before RCPT TO a refusal is about the sender, the login or the server. */
const isAboutRecipient = ({ command }: SmtpFailure): boolean => command === 'RCPT TO' || command === 'DATA'

/** RFC 3463. Servers refuse with 550 for many reasons: only some say that the address is wrong. */
function causeOf({ response, responseCode, command }: SmtpFailure): { isAddress: boolean; isSoft: boolean } {
  const enhanced = /\b5\.(\d{1,3})\.(\d{1,3})\b/.exec(response)
  if (enhanced === null) {
    const isAddress = command === 'RCPT TO' && [550, 551, 553].includes(responseCode ?? 0)
    return { isAddress, isSoft: responseCode === 552 }
  }
  const subject = Number(enhanced[1])
  const detail = Number(enhanced[2])
  const isAddress = (subject === 1 && [1, 2, 3, 6, 10].includes(detail)) || (subject === 2 && detail === 1)
  return { isAddress, isSoft: subject === 2 && !isAddress }
}

function readFailure(error: unknown): SmtpFailure {
  const fields = isObject(error) ? error : {}
  return {
    responseCode: typeof fields.responseCode === 'number' ? fields.responseCode : null,
    response: typeof fields.response === 'string' && fields.response !== '' ? fields.response : messageOf(error),
    // The client puts its own code over that of the system or of TLS.
    code: [fields.originalCode, fields.code].find(code => typeof code === 'string') ?? '',
    command: typeof fields.command === 'string' ? fields.command : ''
  }
}
