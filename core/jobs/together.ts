import { createHash, randomUUID } from 'node:crypto'
import type { Told } from '../contract/plugin.ts'
import type { Log } from '../log.ts'
import type { Kind } from './kinds.ts'

/** Events in one row: few enough that a call is soon over and several processes share what was told at once. */
const mostTogether = 250
/** After a failure: of 250 events one that fails costs about thirty calls, and after a crash the others are soon told. */
const fewTogether = 16

/** What a row holds that tells of many events; no payload has this field by chance. */
interface Together {
  readonly told_together: readonly Told<object>[]
}

/** One row for up to 250 events. Their ids are given here: a row of many may become many rows. */
export function putTogether(payloads: readonly object[]): Together[] {
  const rows: Together[] = []
  for (let at = 0; at < payloads.length; at += mostTogether) {
    const events = payloads.slice(at, at + mostTogether)
    rows.push({ told_together: events.map(payload => ({ id: randomUUID(), payload })) })
  }
  return rows
}

function eventsOf(data: unknown): readonly Told<object>[] | undefined {
  return (data as Partial<Together> | null)?.told_together
}

/** A row to queue under an id of its own. */
export interface PartRow {
  id: string
  data: object
}

/** What a row of many becomes: rows of a few, and those rows of one. The same events give the same ids. */
function takeApart(events: readonly Told<object>[], mayBeTogether: boolean): PartRow[] {
  if (!mayBeTogether || events.length <= fewTogether) return events.map(({ id, payload }) => ({ id, data: payload }))
  const parts: PartRow[] = []
  for (let at = 0; at < events.length; at += fewTogether) {
    const some = events.slice(at, at + fewTogether)
    parts.push({ id: partId(some), data: { told_together: some } })
  }
  return parts
}

/** Not the id of any of them: the row of one is queued while the row of a few is still there. */
function partId(events: readonly Told<object>[]): string {
  const hex = createHash('sha256').update(`part ${events[0]?.id}`).digest('hex')
  return hex.slice(0, 32).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
}

/** Queues rows, but those that are queued already. */
export type QueueParts = (queue: string, rows: readonly PartRow[]) => Promise<void>

/**
 * A subscriber as the worker runs it. Many events are one call once: when it fails, or comes a second time (its process
 * died, or it took too long), they go on in smaller calls, and from there alone.
 */
export function tellTogether(kind: Kind, queueParts: QueueParts, log: Log): Kind {
  const handleMany = async (events: readonly Told<object>[], signal: AbortSignal) => {
    try {
      await kind.handleMany?.(events, signal)
      return kind.handleMany !== undefined
    } catch (error) {
      signal.throwIfAborted()
      log.warn(
        { err: error, queue: kind.queue, events: events.length },
        'many events failed at once: they go on in smaller calls'
      )
      return false
    }
  }
  return {
    ...kind,
    handle: async (data, delivery) => {
      const events = eventsOf(data)
      if (events === undefined) return kind.handle(data, delivery)
      if (delivery.attempt === 1 && (await handleMany(events, delivery.signal))) return
      await queueParts(kind.queue, takeApart(events, kind.handleMany !== undefined))
    }
  }
}
