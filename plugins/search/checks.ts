import { type Check, degraded, ok, skipped } from '#core'
import { pluralized } from '#text/plural'
import type { SearchParts } from './parts.ts'
import { hasTrigrams } from './repository/vocabulary.ts'

/** More posts than a search analyzes by itself: some are not found yet. */
const manyWaiting = 128

/** What `galley doctor` asks of the search index. */
export const searchChecks = ({ db, status }: Pick<SearchParts, 'db' | 'status'>): Check[] => [
  {
    name: 'search index',
    async run() {
      const { posts, waiting, languages, rebuilding, damaged } = await status()
      const searched = `${pluralized(posts, 'post')}${languages.length === 0 ? '' : ` in ${languages.join(', ')}`}`
      if (damaged > 0)
        return degraded(
          `${searched}; ${pluralized(damaged, 'part')} of the index cannot be read`,
          'Their posts are indexed again within minutes, while searches say `degraded: true`. Look at the disk of the database.'
        )
      if (waiting > manyWaiting) return ok(`${searched}; ${waiting} of them wait to be indexed`)
      if (rebuilding !== null) return ok(`${searched}; ${rebuilding} of them are to be indexed again`)
      return (await hasTrigrams(db))
        ? ok(`${searched}; misspelt words are corrected`)
        : skipped(`${searched}; the server has no pg_trgm: fewer misspelt words are corrected`)
    }
  }
]
