import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as the server got it. */
export interface ReceivedMail {
  to: string
  from: string
  /** By name in lower case, unfolded; the last of a name. */
  headers: Record<string, string>
  raw: string
}

/** What the server does with one recipient or mail; nothing: it takes it. */
export interface Behaviour {
  /** Answer to RCPT TO, such as `550 5.1.1 no such mailbox`; `drop`: it ends this connection without one. */
  recipient?(address: string): string | undefined
  /** Answer to the text; `drop`: it ends this connection without one, after having stored the mail. */
  text?(mail: ReceivedMail): string | undefined | Promise<string | undefined>
}

/** A real SMTP server on loopback that stores what it gets. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = []
  let behaviour: Behaviour = {}
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, session, done) {
      const answer = behaviour.recipient?.(address)
      if (answer === 'drop') return destroyConnection(server, session)
      done(refusal(answer))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address
        const mail = { raw, from, to: session.envelope.rcptTo[0]?.address ?? '', headers: headersOf(raw) }
        const answer = await behaviour.text?.(mail)
        if (answer === undefined || answer === 'drop') received.push(mail)
        if (answer === 'drop') return destroyConnection(server, session)
        done(refusal(answer))
      })
    },
    ...options
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received,
    behave(next: Behaviour) {
      behaviour = next
    },
    /** The mails that an address got. */
    to: (address: string) => received.filter(mail => mail.to.toLowerCase() === address.toLowerCase()),
    close: () => new Promise<void>(resolve => server.close(() => resolve()))
  }
}

interface OpenConnection {
  id: string
  _socket: { destroy(): void }
}

/** Ends a connection without a word. */
function destroyConnection(server: SMTPServer, { id }: { id: string }): void {
  for (const connection of server.connections as Set<OpenConnection>)
    if (connection.id === id) connection._socket.destroy()
}

function refusal(answer: string | undefined): Error | undefined {
  if (answer === undefined) return undefined
  const [, code = '550', text = answer] = /^(\d{3}) (.*)$/.exec(answer) ?? []
  return Object.assign(new Error(text), { responseCode: Number(code) })
}

function headersOf(raw: string): Record<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  return Object.fromEntries(
    head.split('\r\n').map(line => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    })
  )
}

/** The text of a part in quoted-printable or as it is. */
export const decoded = (raw: string): string =>
  Buffer.from(
    raw
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1'
  ).toString('utf8')
