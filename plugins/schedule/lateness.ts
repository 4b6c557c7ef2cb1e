import type { Db, Metric, Sample } from '#core'
import { type DuePosts, type LatenessRow, overdueSeconds } from '#plugins/posts'

/** Upper limits of the buckets, in seconds past the slot. */
const limits = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 90, 300, 3600]

interface Totals {
  /** Posts by bucket; the last one is past every limit. */
  readonly posts: readonly number[]
  readonly seconds: number
}

/** False while a slot was reached long ago and nothing published it. */
export const isPublisherOnTime = async (db: Db, due: Pick<DuePosts, 'isOverdueBy'>): Promise<boolean> =>
  !(await due.isOverdueBy(db, overdueSeconds))

/**
 * What the publishers do, read from the database: every process reports the same, whichever of them published, and a
 * restart loses nothing.
 */
export function publisherMetrics(db: Db, due: Pick<DuePosts, 'countOverdue' | 'listLateness'>): Metric[] {
  return [
    {
      name: 'posts_overdue',
      help: 'Posts whose slot is reached and that are not public yet; held ones not counted.',
      type: 'gauge',
      read: async () => [{ value: await due.countOverdue(db) }]
    },
    {
      name: 'posts_publish_lateness_seconds',
      help: 'Time from the slot to the publication, over all publishers.',
      type: 'histogram',
      read: createLateness(db, due)
    }
  ]
}

/** Final rows are added up once: each read after that needs those of the last minutes only. */
function createLateness(db: Db, due: Pick<DuePosts, 'listLateness'>): Metric['read'] {
  let completed: Totals = { posts: Array(limits.length + 1).fill(0), seconds: 0 }
  let since: string | null = null
  return async () => {
    const base = completed
    const rows = await due.listLateness(db, since, limits)
    const [first] = rows
    if (first !== undefined) {
      completed = add(
        base,
        rows.filter(row => row.is_final)
      )
      since = first.final_until
    }
    return samplesOf(add(base, rows))
  }
}

function add({ posts, seconds }: Totals, rows: readonly LatenessRow[]): Totals {
  const sums = [...posts]
  for (const row of rows) sums[row.bucket] = (sums[row.bucket] ?? 0) + row.posts
  return { posts: sums, seconds: rows.reduce((sum, row) => sum + row.seconds, seconds) }
}

function samplesOf({ posts, seconds }: Totals): Sample[] {
  let reached = 0
  const buckets = posts.map((count, index): Sample => {
    reached += count
    return { part: 'bucket', labels: { le: String(limits[index] ?? '+Inf') }, value: reached }
  })
  return [...buckets, { part: 'sum', value: seconds }, { part: 'count', value: reached }]
}
