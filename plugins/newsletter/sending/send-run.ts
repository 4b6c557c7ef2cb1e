import { setTimeout as sleep } from 'node:timers/promises'
import { escapeHtml } from '#text/html-entities'
import type { Link } from '../mail/link.ts'
import { unsubscribeHeaders } from '../mail/message.ts'
import { type Outcome, outcomeOfError } from '../mail/outcome.ts'
import type { Mailer } from '../mailer.ts'
import { unsubscribePlaceholder } from '../pages/mail-frame.ts'
import type { BegunRecipient, QueuedRecipient, Result } from '../repository/recipients.ts'
import type { MailContent } from '../repository/sends.ts'
import type { Ledger } from './ledger.ts'
import type { Pace } from './pace.ts'
import { resultOfMail } from './results.ts'

/** After a stop, mails under way have so long to be answered. */
const graceMs = 6000
/** So many refusals in a row are no accident: the server takes offence at the mail or the sender. */
const maxRefusalsInRow = 20

interface SendPage {
  /** Null without rows. */
  content: MailContent | null
  rows: QueuedRecipient[]
}

interface SendRunDeps {
  mailer: Mailer
  ledger: Ledger
  pace: Pace
  send_id: string
  connections: number
  /** The next rows with what they get; empty when there are no more, or the mail is no longer to be sent. */
  nextPage(): Promise<SendPage>
  unsubscribeUrl(recipient: BegunRecipient): Promise<string>
}

/** Why a run ended before everything was sent: null for a stop, and for the end of the rows. */
export type RunEnd =
  /** `hasSent`: before that it took some mails. */
  | { kind: 'down'; response: string; hasSent: boolean }
  | { kind: 'refused'; response: string }
  | { kind: 'limit' }
  | null

/** Sends rows over several connections until there are no more, the server is down, or `signal` is aborted. */
export async function runSend(deps: SendRunDeps, signal: AbortSignal): Promise<RunEnd> {
  const run = createRun(deps, signal)
  const closing = new AbortController()
  const onAbort = () => setTimeout(() => closing.abort(), graceMs).unref()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const ended = await Promise.allSettled(
      Array.from({ length: deps.connections }, () => work(deps, run, closing.signal))
    )
    const failed = ended.find(one => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    return run.end()
  } finally {
    signal.removeEventListener('abort', onAbort)
    closing.abort()
  }
}

/** What the connections of a run share. */
interface Run {
  /** The next row to be sent, with what, and how long to wait before, as the limits ask for; undefined when the run ends. */
  next(): Promise<{ row: QueuedRecipient; content: MailContent; waitMs: number } | undefined>
  record(outcome: Outcome): void
  /** A connection could not be used: the others go on. */
  leave(response: string): void
  pause(ms: number): Promise<void>
  end(): RunEnd
}

function createRun({ pace, nextPage, connections }: SendRunDeps, signal: AbortSignal): Run {
  let page: SendPage = { content: null, rows: [] }
  let reading: Promise<SendPage> | undefined
  let isDone = false
  let end: RunEnd = null
  let refusalsInRow = 0
  let usable = connections
  let hasSent = false
  const stop = (reason: RunEnd): undefined => {
    end ??= reason
    isDone = true
  }
  const read = async () => {
    reading ??= nextPage()
    page = await reading
    reading = undefined
    if (page.rows.length === 0) isDone = true
  }
  return {
    end: () => end,
    leave(response) {
      usable -= 1
      if (usable === 0) stop({ kind: 'down', response, hasSent })
    },
    async next() {
      while (!isDone && !signal.aborted && page.rows.length === 0) await (reading === undefined ? read() : reading)
      if (isDone || signal.aborted) return undefined
      // Taken and counted at once: no two connections take the last mail of the day.
      if (!pace.hasRoom()) return stop({ kind: 'limit' })
      const { content, rows } = page
      const row = rows.shift()
      return row && content ? { row, content, waitMs: pace.reserve() } : undefined
    },
    record(outcome) {
      hasSent ||= outcome.kind === 'sent'
      refusalsInRow = outcome.kind === 'refused' ? refusalsInRow + 1 : outcome.kind === 'sent' ? 0 : refusalsInRow
      if (outcome.kind === 'refused' && refusalsInRow >= maxRefusalsInRow)
        stop({ kind: 'refused', response: outcome.response })
    },
    async pause(ms) {
      if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
    }
  }
}

/** One connection: a row is marked, its mail sent, and what became of it is committed with the mark of the next. */
async function work(deps: SendRunDeps, run: Run, closing: AbortSignal): Promise<void> {
  const { ledger } = deps
  const connection = createConnection(deps, closing)
  let result: Result | null = null
  try {
    for (;;) {
      const next = await run.next()
      if (result !== null && (next === undefined || next.waitMs > 0)) {
        await ledger.exchange(result, null)
        result = null
      }
      if (next === undefined) return
      await run.pause(next.waitMs)
      const begun: BegunRecipient | undefined = await ledger.exchange(result, next.row.subscriber_id)
      result = null
      if (begun === undefined) continue
      const { outcome, isUsable } = await connection.send(begun, next.content)
      result = resultOfMail(next.row, outcome)
      run.record(outcome)
      if (isUsable) continue
      await ledger.exchange(result, null)
      return run.leave(outcome.response)
    }
  } finally {
    connection.close()
  }
}

interface Connection {
  /** `isUsable` false: the server cannot be reached, or took nothing over this connection. */
  send(recipient: BegunRecipient, content: MailContent): Promise<{ outcome: Outcome; isUsable: boolean }>
  close(): void
}

/** A connection that is opened again when the server ended it after some mails. */
function createConnection(deps: SendRunDeps, closing: AbortSignal): Connection {
  let link: Link | undefined
  let sent = 0
  const closeLink = () => link?.close()
  closing.addEventListener('abort', closeLink, { once: true })
  return {
    async send(recipient, content) {
      try {
        if (link?.isOpen() !== true) {
          sent = 0
          link = await deps.mailer.open(closing)
        }
        const outcome = await sendOne(deps, link, recipient, content)
        const isUsable = outcome.kind !== 'down' || sent > 0
        if (outcome.kind === 'down') link.close()
        else sent += 1
        return { outcome, isUsable }
      } catch (error) {
        return { outcome: outcomeOfError(error, false), isUsable: false }
      }
    },
    close() {
      closing.removeEventListener('abort', closeLink)
      closeLink()
    }
  }
}

async function sendOne(
  deps: SendRunDeps,
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
