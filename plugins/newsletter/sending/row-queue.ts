import type { QueuedRecipient } from '../repository/recipients.ts'
import type { MailContent } from '../repository/sends.ts'

export interface SendPage {
  /** Null without rows. */
  content: MailContent | null
  rows: QueuedRecipient[]
}

/** A row to be sent, with what. */
interface QueuedMail {
  row: QueuedRecipient
  content: MailContent
}

/**
 * The rows that the connections of a run take. A connection that finds none waits for the others: a row whose mail was not
 * taken is queued again at once, and somebody has to try it, or to find that the server is down.
 */
export interface RowQueue {
  take(): QueuedMail | undefined
  /** Whether there are rows again; false when the run ends. Whoever calls it has written what became of its last row. */
  more(): Promise<boolean>
  /** A row was queued again. */
  requeued(): void
  /** Whether the caller is the only one that has work. */
  isLast(): boolean
  /** A connection takes no more rows. Its last one may be queued again. */
  leave(): void
  /** The run ends: nobody waits any more. */
  stop(): void
}

/** `nextPage`: the next rows; none when there are no more, or the mail is no longer to be sent. */
export function createRowQueue(nextPage: () => Promise<SendPage>, connections: number, signal: AbortSignal): RowQueue {
  let page: SendPage = { content: null, rows: [] }
  let reading: Promise<void> | undefined
  let active = connections
  let idle = 0
  let isDone = false
  // Counts what was queued again: an empty page says nothing of what came after it.
  let version = 0
  let emptyVersion = -1
  let changed = Promise.withResolvers<void>()
  const wake = () => {
    changed.resolve()
    changed = Promise.withResolvers<void>()
  }
  const requeued = () => {
    version += 1
    wake()
  }
  const stop = () => {
    isDone = true
    wake()
  }
  const read = async () => {
    const readVersion = version
    try {
      page = await nextPage()
      if (page.rows.length === 0) emptyVersion = readVersion
    } finally {
      reading = undefined
    }
  }
  const wait = async () => {
    idle += 1
    await changed.promise
    idle -= 1
  }
  return {
    stop,
    isLast: () => idle === active - 1,
    take() {
      const row = isDone || signal.aborted ? undefined : page.rows.shift()
      return row && page.content ? { row, content: page.content } : undefined
    },
    async more() {
      while (!isDone && !signal.aborted && page.rows.length === 0) {
        reading ??= emptyVersion === version ? undefined : read()
        if (reading !== undefined) await reading
        else if (idle === active - 1) stop()
        else await wait()
      }
      return !isDone && !signal.aborted
    },
    requeued,
    leave() {
      active -= 1
      requeued()
    }
  }
}
