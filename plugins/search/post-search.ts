import { searchCacheTags } from './cache-tags.ts'
import type { PostSearch } from './index.ts'
import type { Related } from './related.ts'
import { parseSearchResult, type Search } from './search.ts'
import type { SearchTraffic } from './search-traffic.ts'

/** The search for other plugins. */
export const createPostSearch = ({
  search,
  related,
  traffic
}: {
  search: Search
  related: Related
  traffic: Pick<SearchTraffic, 'throttle'>
}): PostSearch => ({
  cacheTags: searchCacheTags,
  throttle: traffic.throttle,
  async find(q, part, clientSignal) {
    const { items, total, isDegraded, corrected } = await search.find(q, part, { clientSignal })
    return { items: items.map(parseSearchResult), total, isDegraded, corrected }
  },
  async related(slug, limit) {
    const found = await related.to(slug, { limit, offset: 0 })
    return found?.items.map(({ score: _, ...post }) => post) ?? []
  },
  relatedNumbers: related.numbersOf
})
