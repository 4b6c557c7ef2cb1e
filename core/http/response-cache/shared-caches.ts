import type { CacheRule } from '../../contract/access.ts'
import type { Settings } from '../../contract/settings.ts'
import type { httpSettings } from '../settings.ts'

/** Headers for caches that many readers share: a proxy, a CDN. */
export interface SharedCaches {
  /** For how long a public response stays fresh. */
  cacheControl(rule: CacheRule | undefined): string
  /** Name and value of the header by which it is purged; null for none. */
  tagHeader(tags: readonly string[]): [name: string, value: string] | null
}

const revalidated = 'public, max-age=0, must-revalidate'

/** How each header parts its tags. */
const separators: Readonly<Record<string, string>> = { 'Cache-Tag': ',', 'Surrogate-Key': ' ', xkey: ' ' }

export function createSharedCaches(settings: Settings<typeof httpSettings>): SharedCaches {
  return {
    cacheControl(rule) {
      const seconds = settings.get('shared_cache_seconds')
      const staleSeconds = settings.get('stale_while_revalidate_seconds')
      // What has no tag is never purged: it is asked for again each time.
      if (rule === undefined || rule.tags.length === 0 || seconds + staleSeconds === 0) return revalidated
      const freshness = `public, max-age=0, s-maxage=${seconds}`
      // RFC 9111 §5.2.2.2: must-revalidate forbids what stale-while-revalidate (RFC 5861) allows.
      return staleSeconds === 0
        ? `${freshness}, must-revalidate`
        : `${freshness}, stale-while-revalidate=${staleSeconds}`
    },
    tagHeader(tags) {
      const name = settings.get('cache_tag_header')
      return tags.length === 0 || name === 'none' ? null : [name.toLowerCase(), tags.join(separators[name])]
    }
  }
}
