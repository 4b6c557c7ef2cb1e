import { createHash, randomUUID } from 'node:crypto'
import type { BatchedEvent, Delivery } from '../contract/jobs.ts'
import type { Log } from '../log.ts'
import type { QueueHandler } from './queue-handlers.ts'

/** Batches of this size follow a failed one: if one event of 250 fails, about thirty calls find it. */
const retrySize = 16

/** A row that holds several events; no payload has this field by chance. */
interface Batch {
  readonly $batch: readonly BatchedEvent<unknown>[]
}

const isBatch = (data: unknown): data is Batch => typeof data === 'object' && data !== null && '$batch' in data

/** The rows that carry events to a subscriber. In a batch the events get their ids here: its row may become many rows. */
export function rowsFor({ batch }: QueueHandler, payloads: readonly object[]): object[] {
  if (batch === undefined || payloads.length === 1) return [...payloads]
  return chunks(payloads, batch.maxSize).map(some => ({
    $batch: some.map((payload): BatchedEvent<unknown> => ({ id: randomUUID(), payload }))
  }))
}

/** A row to queue under an id of its own. */
interface SplitRow {
  id: string
  data: object
}

/** What a batch becomes: smaller batches, and those become single events. The same events give the same ids. */
function split(events: readonly BatchedEvent<unknown>[], mayBatch: boolean): SplitRow[] {
  if (!mayBatch || events.length <= retrySize) return events.map(({ id, payload }) => ({ id, data: payload as object }))
  return chunks(events, retrySize).map(some => ({ id: splitId(some), data: { $batch: some } }))
}

/** Not the id of any of them: the row of a single event is queued while the row of its batch is still there. */
function splitId(events: readonly BatchedEvent<unknown>[]): string {
  const hex = createHash('sha256').update(`part ${events[0]?.id}`).digest('hex')
  return hex.slice(0, 32).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
}

/** Queues rows, but those that are queued already. */
export type QueueSplit = (queue: string, rows: readonly SplitRow[]) => Promise<void>

/**
 * A subscriber as the worker runs it. A batch is handled in one call, once. When that call fails, or comes a second time
 * (its process died, or it took too long), its events go on in smaller batches, and from there alone.
 */
export function withBatches(handler: QueueHandler, queueSplit: QueueSplit, log: Log): QueueHandler {
  const handleBatch = async (events: readonly BatchedEvent<unknown>[], delivery: Delivery) => {
    try {
      await handler.batch?.handle(events, delivery)
      return handler.batch !== undefined
    } catch (error) {
      delivery.signal.throwIfAborted()
      log.warn({ err: error, queue: handler.queue, events: events.length }, 'a batch of events failed: it is split')
      return false
    }
  }
  return {
    ...handler,
    handle: async (data, delivery) => {
      if (!isBatch(data)) return handler.handle(data, delivery)
      if (delivery.deliveryCount === 1 && (await handleBatch(data.$batch, delivery))) return
      await queueSplit(handler.queue, split(data.$batch, handler.batch !== undefined))
    }
  }
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const found: T[][] = []
  for (let at = 0; at < items.length; at += size) found.push(items.slice(at, at + size))
  return found
}
