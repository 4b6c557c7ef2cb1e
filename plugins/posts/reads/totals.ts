import { type Changes, createCache, type Db } from '#core'
import { postsCacheTag } from '../cache-tags.ts'
import {
  type AnyStatusFilter,
  countAll,
  countPublic,
  msUntilNextPublication,
  type PublicFilter
} from '../repository/lists.ts'

/** Filters come from anonymous readers. */
const maxCounts = 1000

/** Totals of lists, cached, and when the next publication makes them wrong. */
export interface Totals {
  ofPublic(filter: PublicFilter): Promise<number>
  ofAll(filter: AnyStatusFilter): Promise<number>
  /** Reads when the next slot is reached, so that `expiresAt` knows it; undefined when it is known. */
  readExpiry(): Promise<void> | undefined
  /** When a published post next reaches its slot; the past when that is not known. */
  expiresAt(): Date | null
}

/** Cached in this process until the tag changes or a slot is reached. */
export function createTotals({ db, changes, now }: { db: Db; changes: Changes; now: () => Date }): Totals {
  const counts = createCache<number>({ changes, tags: [postsCacheTag], maxEntries: () => maxCounts })
  const slots = createCache<{ at: Date | null }>({ changes, tags: [postsCacheTag] })
  const nextSlot = () => {
    const slot = slots.get('next')
    const hasPassed = slot?.at != null && slot.at <= now()
    if (!hasPassed) return slot
    counts.invalidate()
    slots.invalidate()
    return undefined
  }
  const findNextSlotTime = async () => {
    const ms = await msUntilNextPublication(db)
    // The database's clock says how long, this process's clock when: they need not agree.
    return { at: ms === null ? null : new Date(now().getTime() + ms) }
  }
  const readExpiry = () => {
    if (nextSlot() !== undefined || !changes.isCurrent()) return undefined
    return slots.load('next', findNextSlotTime).then(() => undefined)
  }
  return {
    async ofPublic(filter) {
      // A count is right until the next slot.
      await readExpiry()
      const key = `public ${JSON.stringify([filter.category, filter.tag])}`
      return counts.load(key, () => countPublic(db, filter))
    },
    async ofAll(filter) {
      nextSlot()
      const key = `all ${JSON.stringify([filter.status, filter.category, filter.tag])}`
      return counts.load(key, () => countAll(db, filter))
    },
    readExpiry,
    expiresAt() {
      const slot = slots.get('next')
      return slot === undefined ? new Date(0) : slot.at
    }
  }
}
