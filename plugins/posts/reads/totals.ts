import { type Changes, createCache, type Db } from '#core'
import { postsCacheTag } from '../cache-tags.ts'
import { type AnyStatusFilter, countAll, countPublic, type PublicFilter } from '../repository/lists.ts'
import type { NextPublication } from './next-publication.ts'

/** Filters come from anonymous readers. */
const maxCounts = 1000

/** Totals of lists. */
export interface Totals {
  ofPublic(filter: PublicFilter): Promise<number>
  ofAll(filter: AnyStatusFilter): Promise<number>
}

interface TotalsDeps {
  db: Db
  changes: Changes
  nextPublication: NextPublication
}

/** Cached in this process until the tag changes or a slot is reached. */
export function createTotals({ db, changes, nextPublication }: TotalsDeps): Totals {
  const counts = createCache<number>({ changes, tags: [postsCacheTag], maxEntries: () => maxCounts })
  nextPublication.onReached(() => counts.invalidate())
  return {
    async ofPublic(filter) {
      // A count is right until the next slot.
      await nextPublication.read()
      const key = `public ${JSON.stringify([filter.category, filter.tag, filter.media])}`
      return counts.load(key, () => countPublic(db, filter))
    },
    async ofAll(filter) {
      nextPublication.check()
      const key = `all ${JSON.stringify([filter.status, filter.category, filter.tag])}`
      return counts.load(key, () => countAll(db, filter))
    }
  }
}
