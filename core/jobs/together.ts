import { randomUUID } from 'node:crypto'
import type { Log } from '../log.ts'
import type { Told } from '../plugin.ts'
import type { Kind } from './kinds.ts'

/** Events in one row: few enough that a call is soon over and several processes share what was told at once. */
const mostTogether = 250

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

/** Queues each of a row's events in a row of its own, unless it is queued already. */
export type TellAlone = (queue: string, events: readonly Told<object>[]) => Promise<void>

/**
 * A subscriber as the worker runs it. Many events are one call once: when it fails, or comes a second time (its process
 * died, or it took too long), each event goes on alone.
 */
export function tellTogether(kind: Kind, tellAlone: TellAlone, log: Log): Kind {
  const handleMany = async (events: readonly Told<object>[], signal: AbortSignal) => {
    try {
      await kind.handleMany?.(events, signal)
      return kind.handleMany !== undefined
    } catch (error) {
      signal.throwIfAborted()
      log.warn(
        { err: error, queue: kind.queue, events: events.length },
        'many events failed at once: each goes on alone'
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
      await tellAlone(kind.queue, events)
    }
  }
}
