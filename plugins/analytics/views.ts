import { setImmediate } from 'node:timers/promises'
import { createSerial, type Db, type Log } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import { addCounts, type FacetCount, type PostCount } from './repository.ts'
import { type Counted, createTally, facetKinds, type View } from './tally.ts'

const flushMs = 1_000
/** While the database is unreachable it is asked less and less often. */
const maxDelayMs = 15_000

interface ViewsDeps {
  db: Db
  published: Pick<PublishedPosts, 'idsOf'>
  /** The present day. */
  today(): string
  log: Log
}

/** Counts views in memory, and adds them to the database once a second. */
export interface Views {
  /** Does no I/O. What is no public post is not counted. */
  count(view: View): void
  /** Stores what was counted. Never fails: what could not be stored is tried again. */
  flush(): Promise<void>
  /** Stores what was counted, and stops. */
  close(): Promise<void>
}

export function createViews({ db, published, today, log }: ViewsDeps): Views {
  const tally = createTally()
  const serial = createSerial()
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let isClosed = false

  const wake = () => {
    if (timer !== undefined || isClosed) return
    const delay = Math.min(flushMs * 2 ** failures, maxDelayMs)
    timer = setTimeout(flush, delay).unref()
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    return serial(store)
  }
  const store = async () => {
    const counted = tally.take()
    if (counted.length === 0) return
    try {
      const ids = await published.idsOf(db, [...new Set(counted.map(({ slug }) => slug))])
      tally.admitPosts(ids.keys())
      const { posts, facets } = await rowsOf(counted, ids)
      if (posts.length > 0) await addCounts(db, posts, facets)
      failures = 0
    } catch (error) {
      failures++
      tally.putBack(counted)
      log.warn({ err: error, addresses: counted.length }, 'views could not be stored: they are tried again')
      wake()
    }
  }
  return {
    count(view) {
      tally.add(today(), view)
      wake()
    },
    flush,
    async close() {
      isClosed = true
      await flush()
    }
  }
}

/** So many addresses are looked at before others have their turn. */
const atOnce = 500

/** What is stored of the public posts. Everything else is dropped. */
async function rowsOf(counted: readonly Counted[], ids: ReadonlyMap<string, string>) {
  const posts: PostCount[] = []
  const facets = new Map<string, FacetCount>()
  const addFacets = ({ day, facets: ofSlug }: Counted) => {
    for (const kind of facetKinds)
      for (const [name, views] of ofSlug[kind]) {
        const key = `${day} ${kind} ${name}`
        const facet = facets.get(key)
        if (facet === undefined) facets.set(key, { day, kind, name, views })
        else facet.views += views
      }
  }
  for (const [at, entry] of counted.entries()) {
    if (at % atOnce === atOnce - 1) await setImmediate()
    const { day, slug, views, machines } = entry
    const post_id = ids.get(slug)
    if (post_id === undefined) continue
    posts.push({ day, post_id, views, machines })
    addFacets(entry)
  }
  return { posts, facets: [...facets.values()] }
}
