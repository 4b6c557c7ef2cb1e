import type { Settings } from '#core'
import { type Link, openLink } from './mail/link.ts'
import { domainOf, type Mailbox, parseMailbox } from './mail/mailbox.ts'
import { encodeMessage, type Message } from './mail/message.ts'
import type { Outcome } from './mail/outcome.ts'
import { type MailServer, parseSmtpUrl } from './mail/smtp-url.ts'
import type { newsletterSettings } from './settings.ts'

/** A mail with its id, before it is known who it is from. */
type OutgoingMail = Omit<Message, 'from' | 'messageId' | 'date'> & {
  /** The same for the same mail to the same recipient: the part of the Message-ID before the @. */
  id: string
}

/** Sends mails from the configured sender over the configured server. */
export interface Mailer {
  /** Why no mail can be sent, in a sentence; null when it can. */
  fault(): string | null
  /** `silenceMs`: so long the server may be silent; minutes without it. @throws the error of the connection */
  open(signal: AbortSignal, silenceMs?: number): Promise<Link>
  /** Sends a mail over an open connection. It never throws. */
  send(link: Link, mail: OutgoingMail): Promise<Outcome>
}

interface MailerDeps {
  settings: Settings<typeof newsletterSettings>
  now(): Date
}

export function createMailer({ settings, now }: MailerDeps): Mailer {
  const setUp = (): { server: MailServer; from: Mailbox } | null => {
    const server = parseSmtpUrl(settings.get('smtp_url'))
    const from = parseMailbox(settings.get('mail_from'))
    return server === null || from === null ? null : { server, from }
  }
  const required = () => {
    const found = setUp()
    if (found === null) throw new Error(notSetUp)
    return found
  }
  return {
    fault: () => (setUp() === null ? notSetUp : null),
    async open(signal, silenceMs) {
      const { server, from } = required()
      return openLink(server, domainOf(from), signal, silenceMs)
    },
    async send(link, { id, ...rest }) {
      const { from } = required()
      const message = await encodeMessage({ ...rest, from, messageId: `${id}@${domainOf(from)}`, date: now() })
      const dsn = { id, return: 'HDRS', notify: ['FAILURE', 'DELAY'], recipient: rest.to }
      return link.send({ from: from.address, to: [rest.to], size: message.length, dsn }, message)
    }
  }
}

const notSetUp = 'No mail can be sent: set the settings smtp_url and mail_from.'
