import { type Check, type Db, ok, type Settings, skipped } from '#core'
import { pluralized } from '#text/plural'
import { countIndexed, listLanguages } from './repository/languages.ts'
import { hasTrigrams } from './repository/vocabulary.ts'
import type { searchSettings } from './settings.ts'

/** What `galley doctor` asks of the search index. */
export const searchChecks = (db: Db, settings: Settings<typeof searchSettings>): Check[] => [
  {
    name: 'search index',
    async run() {
      const [language, ...others] = await listLanguages(db)
      const wanted = settings.get('search_language')
      const trigrams = await hasTrigrams(db)
      if (language !== wanted || others.length > 0) {
        const { indexed, posts } = await countIndexed(db, wanted)
        const before = [language, ...others].filter(each => each !== wanted).join(', ')
        return ok(
          `${indexed} of ${pluralized(posts, 'post')} indexed in ${wanted}, the rest follow; so far in ${before}`
        )
      }
      return trigrams
        ? ok(`${language}, misspelt words are corrected`)
        : skipped(`${language}; the server has no pg_trgm: fewer misspelt words are corrected`)
    }
  }
]
