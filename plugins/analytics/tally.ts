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
  /** By kind and name, separated by a blank: `referrer news.example`, `country SE`, `machine GPTBot`. Machines count in the last only. */
  facets: Map<string, number>
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
/** Of one address, until the next flush. */
const maxFacets = 100

export function createTally(): Tally {
  let counts = new Map<string, Counted>()
  let unknown = 0
  const posts = new Set<string>()

  const counted = (day: string, slug: string): Counted | undefined => {
    const key = `${day} ${slug}`
    const present = counts.get(key)
    if (present !== undefined) return present
    if (!posts.has(slug)) {
      if (unknown >= maxUnknown) return undefined
      unknown++
    }
    const made = { day, slug, views: 0, machines: 0, facets: new Map<string, number>() }
    counts.set(key, made)
    return made
  }
  return {
    add(day, { slug, machine, referrer, country }) {
      const entry = counted(day, slug)
      if (entry === undefined) return
      if (machine !== null) {
        entry.machines++
        return addFacet(entry, `machine ${machine}`, 1)
      }
      entry.views++
      if (referrer !== null) addFacet(entry, `referrer ${referrer}`, 1)
      if (country !== null) addFacet(entry, `country ${country}`, 1)
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
        for (const [facet, count] of facets) addFacet(entry, facet, count)
      }
    },
    admitPosts(slugs) {
      for (const slug of slugs) {
        posts.delete(slug)
        posts.add(slug)
      }
      for (const slug of posts) {
        if (posts.size <= maxKnown) break
        posts.delete(slug)
      }
    },
    size: () => counts.size
  }
}

/** Hosts are anybody’s to choose: beyond the limit they have one count together. */
function addFacet({ facets }: Counted, facet: string, count: number): void {
  const [kind = ''] = facet.split(' ', 1)
  const name = facets.has(facet) || facets.size < maxFacets ? facet : `${kind} ${otherName}`
  facets.set(name, (facets.get(name) ?? 0) + count)
}
