import { escapeHtml } from '#text/html-entities'
import type { Link } from '../mail/link.ts'
import { unsubscribeHeaders } from '../mail/message.ts'
import { type Outcome, outcomeOfError } from '../mail/outcome.ts'
import type { Mailer } from '../mailer.ts'
import { unsubscribePlaceholder } from '../pages/mail-frame.ts'
import type { BegunRecipient } from '../repository/recipients.ts'
import type { MailContent } from '../repository/sends.ts'

/** So many recipients in a row at whom new connections ended: it is not these recipients, but the server. */
const maxDropsInRow = 3

export interface Connection {
  /** `isUsable` false: the server cannot be reached, or took nothing over this connection. */
  send(recipient: BegunRecipient, content: MailContent): Promise<{ outcome: Outcome; isUsable: boolean }>
  close(): void
}

export interface ConnectionDeps {
  mailer: Mailer
  send_id: string
  unsubscribeUrl(recipient: BegunRecipient): Promise<string>
}

/** A connection that is opened again when the server ended it after some mails, or at a recipient. */
export function createConnection(deps: ConnectionDeps, closing: AbortSignal): Connection {
  let link: Link | undefined
  let answered = 0
  let dropsInRow = 0
  const closeLink = () => link?.close()
  closing.addEventListener('abort', closeLink, { once: true })
  return {
    async send(recipient, content) {
      try {
        if (link?.isOpen() !== true) {
          answered = 0
          link = await deps.mailer.open(closing)
        }
        const outcome = await sendOne(deps, link, recipient, content)
        const { kind, response } = outcome
        if (kind === 'down' || kind === 'dropped') link.close()
        else if (kind !== 'unanswered') {
          answered += 1
          dropsInRow = 0
        }
        if (kind !== 'dropped') return { outcome, isUsable: kind !== 'down' || answered > 0 }
        // After some mails it was perhaps not this recipient: the row is tried again at once, over a new connection.
        if (answered > 0) return { outcome: { kind: 'down', response }, isUsable: true }
        dropsInRow += 1
        return { outcome, isUsable: dropsInRow < maxDropsInRow }
      } catch (error) {
        return { outcome: outcomeOfError(error, 'connect'), isUsable: false }
      }
    },
    close() {
      closing.removeEventListener('abort', closeLink)
      closeLink()
    }
  }
}

async function sendOne(
  deps: ConnectionDeps,
  link: Link,
  recipient: BegunRecipient,
  { subject, html, text }: MailContent
): Promise<Outcome> {
  const { subscriber_id, email } = recipient
  const url = await deps.unsubscribeUrl(recipient)
  return deps.mailer.send(link, {
    id: `${deps.send_id}.${subscriber_id}`,
    to: email,
    subject,
    html: html.replaceAll(unsubscribePlaceholder, () => escapeHtml(url)),
    text: text.replaceAll(unsubscribePlaceholder, () => url),
    headers: unsubscribeHeaders(url)
  })
}
