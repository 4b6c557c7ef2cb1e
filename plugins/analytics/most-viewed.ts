import { createBoundedMap, type Queryable } from '#core'
import { type DayCount, listMostViewed, listMostViewedAnd, type Sum, type SummedBy, sumsOf } from './repository.ts'

/** Of past days so many are kept. */
const maxPast = 1_000
/** Periods and what they are summed by: a report has three lists. */
const maxPasts = 12

/** The period of a report. */
export interface ReportPeriod {
  first: string
  today: string
  /** As they are stored. */
  counted: readonly DayCount[]
}

/** Finds what was viewed most in a period. */
interface MostViewed {
  list(by: SummedBy, period: ReportPeriod, limit: number): Promise<Sum[]>
}

/** The most viewed of past days. */
interface Past {
  /** The counts of those days: others mean that views were added to them since, or that days were deleted. */
  version: string
  sums: readonly Sum[]
}

/**
 * Past days hardly change. What was viewed most in them is kept in memory, and the present day is added: a report reads the
 * rows of one day.
 */
export function createMostViewed(db: Queryable): MostViewed {
  const pasts = createBoundedMap<string, Past>({ maxEntries: () => maxPasts })

  async function pastOf(by: SummedBy, { first, today, counted }: ReportPeriod): Promise<readonly Sum[]> {
    const version = JSON.stringify(counted.filter(({ day }) => day < today))
    const key = `${by} ${first} ${today}`
    const known = pasts.get(key)
    if (known?.version === version) return known.sums
    const sums = await listMostViewed(db, by, { first, end: today }, maxPast)
    pasts.set(key, { version, sums })
    return sums
  }
  return {
    async list(by, period, limit) {
      const past = await pastOf(by, period)
      const keys = past.map(({ key }) => key)
      const recent = await listMostViewedAnd(db, by, { first: period.today, keys }, maxPast)
      const found = mergeSums({ past, recent, maxPast, limit })
      if (found === null) return listMostViewed(db, by, period, limit)
      const asked = await sumsOf(db, by, { first: period.first, keys: found.unknown })
      return [...found.known, ...asked].sort(byViews).slice(0, limit)
    }
  }
}

/** What two lists say together. */
interface MergedSums {
  /** Whose sums are known. */
  known: Sum[]
  /** Keys that may belong to the most viewed, too, but whose views on past days are not in the list. */
  unknown: string[]
}

/**
 * Merges the `maxPast` most viewed of past days with those of the present day. `recent` also has all of `past` that have views
 * today. @returns null where even a key that is in neither list might be among the `limit` most viewed.
 */
export function mergeSums({
  past,
  recent,
  maxPast,
  limit
}: {
  past: readonly Sum[]
  recent: readonly Sum[]
  maxPast: number
  limit: number
}): MergedSums | null {
  const byKey = new Map(recent.map(sum => [sum.key, sum]))
  const known = past.map(sum => plus(sum, byKey.get(sum.key)))
  const inPast = new Set(past.map(({ key }) => key))
  const onlyRecent = recent.filter(({ key }) => !inPast.has(key))
  // Nobody is missing in a list that is not full.
  if (past.length < maxPast) return { known: [...known, ...onlyRecent], unknown: [] }
  const minPast = past.at(-1)?.views ?? 0
  const minRecent = recent.map(({ views }) => views).sort((one, other) => other - one)[maxPast - 1] ?? 0
  const needed = known.toSorted(byViews)[limit - 1]?.views ?? 0
  if (minPast + minRecent >= needed) return null
  return { known, unknown: onlyRecent.filter(({ views }) => minPast + views >= needed).map(({ key }) => key) }
}

const plus = (sum: Sum, added: Sum | undefined): Sum => ({
  key: sum.key,
  views: sum.views + (added?.views ?? 0),
  machines: sum.machines + (added?.machines ?? 0)
})

const byViews = (one: Sum, other: Sum): number =>
  other.views - one.views || one.machines - other.machines || (one.key < other.key ? -1 : 1)
