import { type Check, counted, type Db, degraded, ok, skipped } from '#core'
import { listOverdue } from './repository/lists.ts'
import { hasTrigrams, listLanguages } from './repository/search-index.ts'

/** What `galley doctor` asks of the posts. */
export const postChecks = (db: Db): Check[] => [
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
      const trigrams = await hasTrigrams(db)
      if (others.length > 0) return ok(`posts are being indexed in ${language}, so far in ${others.join(', ')}`)
      return trigrams
        ? ok(`${language}, misspelt words are mended`)
        : skipped(`${language}; the server has no pg_trgm: of misspelt words, fewer are mended`)
    }
  }
]
