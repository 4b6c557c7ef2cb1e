import { counted } from '#cli'
import { type Check, type Db, degraded, ok, type Settings, skipped } from '#core'
import { listOverdue } from './repository/lists.ts'
import { countIndexed, hasTrigrams, listLanguages } from './repository/search-index.ts'
import type { postSettings } from './settings.ts'

/** What `galley doctor` asks of the posts. */
export const postChecks = (db: Db, settings: Settings<typeof postSettings>): Check[] => [
  {
    name: 'overdue slots',
    async run() {
      const overdue = await listOverdue(db)
      if (overdue.length === 0) return ok('none')
      const first = overdue.slice(0, 5).map(({ slug, published_at }) => `${slug} (${published_at})`)
      return degraded(
        `Past the slot and not public: ${counted(overdue.length, 'scheduled post')}, first ${first.join(', ')}.`,
        'Start the publisher: galley serve, or galley worker beside the API.'
      )
    }
  },
  {
    name: 'search index',
    async run() {
      const [language, ...others] = await listLanguages(db)
      const wanted = settings.get('search_language')
      const trigrams = await hasTrigrams(db)
      if (language !== wanted || others.length > 0) {
        const { indexed, posts } = await countIndexed(db, wanted)
        const before = [language, ...others].filter(each => each !== wanted).join(', ')
        return ok(`${indexed} of ${counted(posts, 'post')} indexed in ${wanted}, the rest follow; so far in ${before}`)
      }
      return trigrams
        ? ok(`${language}, misspelt words are mended`)
        : skipped(`${language}; the server has no pg_trgm: of misspelt words, fewer are mended`)
    }
  }
]
