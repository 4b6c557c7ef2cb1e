import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '../mail/outcome.ts'
import type { BegunRecipient, Result } from '../repository/recipients.ts'
import { type ConnectionDeps, createConnection } from './connection.ts'
import type { Ledger } from './ledger.ts'
import type { Pace } from './pace.ts'
import { resultOfMail } from './results.ts'
import { createRowQueue, type RowQueue, type SendPage } from './row-queue.ts'

/** After a stop, mails under way have so long to be answered. */
const graceMs = 6000
/** So many refusals in a row are no accident: the server takes offence at the mail or the sender. */
const maxRefusalsInRow = 20
/**
 * So many lost answers in a row are no accident either: something between here and the server takes mails and ends the
 * connection. More connections lose more at once when the server is started again.
 */
const maxLostInRow = 10
const lostPerConnection = 2

interface SendRunDeps extends ConnectionDeps {
  ledger: Ledger
  pace: Pace
  connections: number
  /** Answers that were lost in earlier runs, since a mail was taken. */
  lostBefore: number
  /** The next rows with what they get; empty when there are no more, or the mail is no longer to be sent. */
  nextPage(): Promise<SendPage>
}

/** Why a run ended before everything was sent: null for a stop, and for the end of the rows. */
export type RunEnd =
  /** `hasSent`: before that it took some mails. */
  | { kind: 'down'; response: string; hasSent: boolean }
  | { kind: 'refused' | 'unanswered'; response: string }
  | { kind: 'limit' }
  | null

/** Sends rows over several connections until there are no more, the server is down, or `signal` is aborted. */
export async function runSend(deps: SendRunDeps, signal: AbortSignal): Promise<RunEnd> {
  const queue = createRowQueue(deps.nextPage, deps.connections, signal)
  const run = createRun(deps, queue)
  const closing = new AbortController()
  const onAbort = () => {
    queue.stop()
    setTimeout(() => closing.abort(), graceMs).unref()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const ended = await Promise.allSettled(
      Array.from({ length: deps.connections }, () =>
        runConnection(deps, { run, queue, signal, closing: closing.signal })
      )
    )
    const failed = ended.find(one => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    return run.end()
  } finally {
    signal.removeEventListener('abort', onAbort)
    closing.abort()
  }
}

/** What the connections of a run know of the server. */
interface Run {
  /** How long to wait before the next mail; null when the day's mails are used up, which ends the run. */
  reserve(): number | null
  record(outcome: Outcome): void
  /** A connection cannot be used any more: the others go on. */
  loseConnection(response: string): void
  end(): RunEnd
}

function createRun({ pace, connections, lostBefore }: SendRunDeps, queue: RowQueue): Run {
  let end: RunEnd = null
  let refusalsInRow = 0
  let lostInRow = lostBefore
  const maxLost = Math.max(maxLostInRow, lostPerConnection * connections)
  let usable = connections
  let hasSent = false
  let hasSentSinceLoss = false
  const stop = (reason: RunEnd) => {
    end ??= reason
    queue.stop()
  }
  return {
    end: () => end,
    loseConnection(response) {
      usable -= 1
      // Those that wait for rows would only ask the same server again.
      const isHopeless = queue.isLast() && !hasSentSinceLoss
      hasSentSinceLoss = false
      if (usable === 0 || isHopeless) stop({ kind: 'down', response, hasSent })
    },
    reserve() {
      if (pace.hasRoom()) return pace.reserve()
      stop({ kind: 'limit' })
      return null
    },
    record({ kind, response }) {
      if (kind === 'sent') {
        hasSent = true
        hasSentSinceLoss = true
        refusalsInRow = 0
        lostInRow = 0
      }
      if (kind === 'refused') refusalsInRow += 1
      if (kind === 'unanswered') lostInRow += 1
      if (kind === 'refused' && refusalsInRow >= maxRefusalsInRow) stop({ kind, response })
      if (kind === 'unanswered' && lostInRow >= maxLost) stop({ kind, response })
    }
  }
}

interface ConnectionRun {
  run: Run
  queue: RowQueue
  /** Ends the run. */
  signal: AbortSignal
  /** Closes what is still open then. */
  closing: AbortSignal
}

/** One connection: a row is marked, its mail sent, and what became of it is committed with the mark of the next. */
async function runConnection(deps: SendRunDeps, { run, queue, signal, closing }: ConnectionRun): Promise<void> {
  const connection = createConnection(deps, closing)
  let result: Result | null = null
  const commit = async (next: string | null): Promise<BegunRecipient | undefined> => {
    if (result === null && next === null) return undefined
    const begun = await deps.ledger.exchange(result, next)
    if (result !== null) queue.release(result.subscriber_id)
    if (next !== null && begun === undefined) queue.release(next)
    if (result?.state === 'queued' && result.delay_seconds === 0) queue.requeued()
    result = null
    return begun
  }
  try {
    for (;;) {
      // Taken and counted at once: no two connections take the last mail of the day.
      const next = queue.take()
      const waitMs = next === undefined ? null : run.reserve()
      if (waitMs !== 0) await commit(null)
      if (next === undefined && (await queue.waitForRows())) continue
      if (next === undefined || waitMs === null) return
      await pause(waitMs, signal)
      const begun = await commit(next.row.subscriber_id)
      if (begun === undefined) continue
      const { outcome, isUsable } = await connection.send(begun, next.content)
      result = resultOfMail(next.row, outcome)
      run.record(outcome)
      if (isUsable) continue
      await deps.ledger.exchange(result, null)
      queue.release(result.subscriber_id)
      return run.loseConnection(outcome.response)
    }
  } finally {
    connection.close()
    queue.leave()
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
}
