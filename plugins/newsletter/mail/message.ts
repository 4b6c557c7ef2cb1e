import type { Mailbox } from './mailbox.ts'

/** A mail to one recipient. */
export interface Message {
  from: Mailbox
  to: string
  subject: string
  html: string
  text: string
  /** Without angle brackets. */
  messageId: string
  headers: Readonly<Record<string, string>>
  date: Date
}

/** The mail as it goes over the wire. */
export async function encodeMessage({ from, to, messageId, headers, ...rest }: Message): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return new MailComposer({
    ...rest,
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    messageId: `<${messageId}>`,
    headers: { ...headers },
    // Nothing in a text makes it read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n'
  })
    .compile()
    .build()
}

/** RFC 8058: mail readers offer to unsubscribe, and post to this address. */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click'
})
