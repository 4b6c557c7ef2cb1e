import type { Changes, Db } from '#core'
import { type AdminFilter, countAll, countPublic, nextSlotMs, type PublicFilter } from './repository/lists.ts'
import { postsTopic } from './topics.ts'

/** Filters come from anonymous readers: past this many the counts start afresh. */
const mostCounts = 1000

/** How many posts a list has, without a count for every request, and when the next slot changes that. */
export interface Totals {
  ofPublic(filter: PublicFilter): Promise<number>
  ofAll(filter: AdminFilter): Promise<number>
  /** Learns the next slot, so that `until` knows it; undefined when it is known. */
  learn(): Promise<void> | undefined
  /** When a published post next reaches its slot; the past when that is not known. */
  until(): Date | null
}

/** Kept in this process until the topic changes or a slot is reached; read through while changes could be missed. */
export function createTotals({ db, changes, now }: { db: Db; changes: Changes; now: () => Date }): Totals {
  const counts = new Map<string, number>()
  let nextSlot: Date | null | undefined
  let generation = 0
  const drop = () => {
    generation += 1
    counts.clear()
    nextSlot = undefined
  }
  changes.on(postsTopic, drop)

  const dropPassed = () => {
    if (nextSlot !== undefined && nextSlot !== null && nextSlot <= now()) drop()
  }
  // The database's clock says how long, this process's clock when: they need not agree.
  const setSlot = (ms: number | null) => {
    nextSlot = ms === null ? null : new Date(now().getTime() + ms)
  }
  const keep = async (key: string, read: () => Promise<number>) => {
    dropPassed()
    const kept = changes.isCurrent() ? counts.get(key) : undefined
    if (kept !== undefined) return kept
    const begun = generation
    const total = await read()
    if (begun === generation) {
      if (counts.size >= mostCounts) counts.clear()
      counts.set(key, total)
    }
    return total
  }
  let learning: Promise<void> | undefined
  const learnSlot = async () => {
    const begun = generation
    const ms = await nextSlotMs(db)
    if (begun === generation) setSlot(ms)
  }
  return {
    ofPublic: filter =>
      keep(`public ${JSON.stringify([filter.category, filter.tag])}`, async () => {
        const begun = generation
        const { total, next_slot_ms } = await countPublic(db, filter)
        if (begun === generation) setSlot(next_slot_ms)
        return total
      }),
    ofAll: filter =>
      keep(`all ${JSON.stringify([filter.status, filter.category, filter.tag])}`, () => countAll(db, filter)),
    learn: () => {
      dropPassed()
      if (nextSlot !== undefined || !changes.isCurrent()) return undefined
      learning ??= learnSlot().finally(() => {
        learning = undefined
      })
      return learning
    },
    until: () => (nextSlot === undefined ? new Date(0) : nextSlot)
  }
}
