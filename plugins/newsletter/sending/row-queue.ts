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
  /** A row that is taken stands in no page until it is released. */
  take(): QueuedMail | undefined
  /** What became of a row is written. */
  release(subscriber_id: string): void
  /** Waits for rows. False when the run ends. Whoever calls it has written what became of its last row. */
  waitForRows(): Promise<boolean>
  /** A row was queued again. */
  requeued(): void
  /** Whether the caller is the only one that has work. */
  isLast(): boolean
  /** A connection takes no more rows. Its last one may be queued again. */
  leave(): void
  /** The run ends: nobody waits any more. */
  stop(): void
}

interface Pages extends Pick<RowQueue, 'take' | 'release'> {
  hasRows(): boolean
  /** Only when all rows of the last one are taken. */
  readNext(): Promise<void>
}

/** The rows of a page at a time. What is taken and not released is left out of the next one. */
function createPages(nextPage: () => Promise<SendPage>): Pages {
  let page: SendPage = { content: null, rows: [] }
  // While a row waits for its time to be sent, it is still queued in the database.
  const taken = new Set<string>()
  return {
    hasRows: () => page.rows.length > 0,
    take() {
      const row = page.rows.shift()
      if (row === undefined || page.content === null) return undefined
      taken.add(row.subscriber_id)
      return { row, content: page.content }
    },
    release: subscriber_id => void taken.delete(subscriber_id),
    async readNext() {
      // What is released meanwhile may stand in the page as it was before.
      const takenBefore = new Set(taken)
      const { content, rows } = await nextPage()
      page = { content, rows: rows.filter(({ subscriber_id }) => !takenBefore.has(subscriber_id)) }
    }
  }
}

/** `nextPage`: the next rows; none when there are no more, or the mail is no longer to be sent. */
export function createRowQueue(nextPage: () => Promise<SendPage>, connections: number, signal: AbortSignal): RowQueue {
  const pages = createPages(nextPage)
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
      await pages.readNext()
      if (!pages.hasRows()) emptyVersion = readVersion
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
    take: () => (isDone || signal.aborted ? undefined : pages.take()),
    release: pages.release,
    async waitForRows() {
      while (!isDone && !signal.aborted && !pages.hasRows()) {
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
