import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPEnvelope } from 'nodemailer/lib/smtp-connection'
import { type MailStage, type Outcome, outcomeOfError, shownResponse } from './outcome.ts'
import type { MailServer } from './smtp-url.ts'

const connectMs = 15_000
/** RFC 5321 gives a server ten minutes after the text. Half of it: what is not answered may be sent twice. */
const usualSilenceMs = 300_000

/** One open connection to a mail server. Mails go over it one after the other. */
export interface Link {
  /** Sends one mail. It never throws. */
  send(envelope: SMTPEnvelope, message: Buffer): Promise<Outcome>
  isOpen(): boolean
  /** Ends it: a mail under way has no answer then. */
  close(): void
}

/**
 * Opens a connection and logs in; `silenceMs`: so long it may be without an answer. @throws the error of the connection, whose
 * message may hold addresses
 */
export async function openLink(
  server: MailServer,
  name: string,
  signal: AbortSignal,
  silenceMs: number = usualSilenceMs
): Promise<Link> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  signal.throwIfAborted()
  const connection = new Connection({
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    requireTLS: server.requiresTls,
    ignoreTLS: !server.requiresTls,
    name,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    maxResponseSize: 65_536,
    logger: false
  })
  const link = createLink(connection)
  const stop = () => link.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await link.open(server)
    return link
  } catch (error) {
    link.close()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

interface OpeningLink extends Link {
  open(server: MailServer): Promise<void>
}

function createLink(connection: SMTPConnection): OpeningLink {
  let isOpen = true
  let isClosedHere = false
  let failed: (error: unknown) => void = () => {}
  const end = (error: unknown) => {
    isOpen = false
    failed(error)
  }
  connection.on('error', end)
  connection.on('end', () => end(new Error('The mail server closed the connection.')))
  /** Calls with a callback, which is not called when the connection ends. */
  const call = <T>(work: (done: (error: unknown, result?: T) => void) => void): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      failed = reject
      if (!isOpen) return reject(new Error('The connection to the mail server has ended.'))
      work((error, result) => (error === null || error === undefined ? resolve(result) : reject(error)))
    })
  return {
    async open({ login }) {
      await call<void>(done => connection.connect(error => done(error)))
      if (login === null) return
      const credentials = { user: login.user, pass: login.password }
      await call<boolean>(done => connection.login({ user: login.user, credentials }, done))
    },
    async send(envelope, message) {
      let stage: MailStage = isOpen ? 'envelope' : 'connect'
      const text = new Readable({
        read() {
          stage = 'text'
          this.push(message)
          this.push(null)
        }
      })
      try {
        const info = await call<{ response: string }>(done => connection.send(envelope, text, done))
        return { kind: 'sent', response: shownResponse(info?.response ?? '') }
      } catch (error) {
        // A server that refused one mail takes the next after RSET.
        if (isOpen) await call<boolean>(done => connection.reset(done)).catch(() => connection.close())
        return outcomeOfError(error, isClosedHere && stage === 'envelope' ? 'connect' : stage)
      }
    },
    isOpen: () => isOpen,
    close() {
      isClosedHere ||= isOpen
      end(new Error('The connection was closed.'))
      connection.close()
    }
  }
}
