import type { Changes, Db, Log, Settings } from '#core'
import type { Memory } from '#plugins/memory'
import type { Links } from '../links.ts'
import type { postSettings } from '../settings.ts'
import { createAlikePosts } from './alike.ts'
import { createMatcher } from './matching.ts'
import { createMeaning } from './meaning.ts'
import { createPostings } from './postings.ts'
import { createRelated } from './related.ts'
import { createSearch } from './search.ts'
import { createShownPosts } from './shown.ts'
import { createTerms } from './terms.ts'
import { createVocabulary } from './vocabulary.ts'

export interface SearchPartsDeps {
  db: Db
  memory: Memory | undefined
  settings: Settings<typeof postSettings>
  links: Links
  changes: Changes
  log: Log
  now: () => Date
}

/** Of the memory allowed: posts take more of it than the lists of their terms. */
const postingsShare = 0.25

/** The search, wired. */
export function createSearchParts({ db, memory, settings, links, changes, log, now }: SearchPartsDeps) {
  const share = (part: number) => () => settings.get('search_cache_mb') * 1024 * 1024 * part
  const postings = createPostings({ db, changes, maxBytes: share(postingsShare), now })
  const shown = createShownPosts({ db, changes, links, maxBytes: share(1 - postingsShare) })
  const terms = createTerms({ db, changes })
  const matcher = createMatcher({ db, terms, open: postings.open })
  const meaning = createMeaning({ db, memory, changes, settings, log, now })
  const alike = createAlikePosts({ terms, matcher })
  return {
    alike,
    vocabulary: createVocabulary({ db, changes, settings, log }),
    search: createSearch({ matcher, meaning, shown, settings }),
    related: createRelated({ db, matcher, meaning, settings, links })
  }
}
