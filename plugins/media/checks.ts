import { type Check, degraded, ok, skipped } from '#core'
import type { PodcastFeed } from './podcast/podcast-feed.ts'

/** What `galley doctor` asks of the media. */
export const mediaChecks = (feed: PodcastFeed): Check[] => [
  {
    name: 'podcast feed',
    async run() {
      if (!(await feed.hasEpisodes())) return skipped('no public post has audio')
      const missing = feed.listMissing()
      if (missing.length === 0) return ok(`${feed.describe().feedUrl} has what directories ask for`)
      return degraded(
        `Directories refuse ${feed.describe().feedUrl} without ${missing.join(', ')}.`,
        `Set them: galley settings set ${missing[0]} <value>, and so on.`
      )
    }
  }
]
