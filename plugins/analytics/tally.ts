import { createBoundedMap } from '#core'

export const facetKinds = ['referrer', 'country', 'machine'] as const
/** What views of a day are counted by, beside the post. */
export type FacetKind = (typeof facetKinds)[number]

/** What is beyond a limit, and machines that no name is known of. No host or country has this name. */
export const otherName = 'other'

/** What one view adds. */
export interface View {
  slug: string
  /** The kind of machine; null for a reader. */
  machine: string | null
  referrer: string | null
  /** Two letters. */
  country: string | null
}

/** The views of one address on one day. */
export interface Counted {
  day: string
  slug: string
  views: number
  machines: number
  /** By name: `news.example`, `SE`, `GPTBot`. Machines count in the last only. */
  facets: Record<FacetKind, Map<string, number>>
}

/** Views that are not stored yet, in the memory of this process. */
export interface Tally {
  add(day: string, view: View): void
  /** Takes everything out. */
  take(): Counted[]
  /** Puts back what could not be stored. */
  putBack(counted: readonly Counted[]): void
  /** Says which addresses are posts, so that they are counted whatever else is asked for. */
  admitPosts(slugs: Iterable<string>): void
  size(): number
}

/** Addresses of which it is not known yet whether they are posts; anybody can make up any number. */
const maxUnknown = 1_000
const maxKnown = 200_000
/** Names of a kind that one address has until the next flush. */
const maxFacets = 100

export function createTally(): Tally {
  let counts = new Map<string, Counted>()
  let unknown = 0
  const posts = createBoundedMap<string, true>({ maxEntries: () => maxKnown })

  const counted = (day: string, slug: string): Counted | undefined => {
    const key = `${day} ${slug}`
    const present = counts.get(key)
    if (present !== undefined) return present
    if (posts.get(slug) === undefined) {
      if (unknown >= maxUnknown) return undefined
      unknown++
    }
    const facets = { referrer: new Map(), country: new Map(), machine: new Map() }
    const made = { day, slug, views: 0, machines: 0, facets }
    counts.set(key, made)
    return made
  }
  return {
    add(day, { slug, machine, referrer, country }) {
      const entry = counted(day, slug)
      if (entry === undefined) return
      if (machine !== null) {
        entry.machines++
        return addFacet(entry.facets.machine, machine, 1)
      }
      entry.views++
      if (referrer !== null) addFacet(entry.facets.referrer, referrer, 1)
      if (country !== null) addFacet(entry.facets.country, country, 1)
    },
    take() {
      const taken = [...counts.values()]
      counts = new Map()
      unknown = 0
      return taken
    },
    putBack(before) {
      for (const { day, slug, views, machines, facets } of before) {
        const entry = counted(day, slug)
        if (entry === undefined) continue
        entry.views += views
        entry.machines += machines
        for (const kind of facetKinds)
          for (const [name, count] of facets[kind]) addFacet(entry.facets[kind], name, count)
      }
    },
    admitPosts(slugs) {
      for (const slug of slugs) posts.set(slug, true)
    },
    size: () => counts.size
  }
}

/** Hosts are anybody’s to choose: beyond the limit they have one count together. */
function addFacet(counts: Map<string, number>, name: string, count: number): void {
  const counted = counts.has(name) || counts.size < maxFacets ? name : otherName
  counts.set(counted, (counts.get(counted) ?? 0) + count)
}
