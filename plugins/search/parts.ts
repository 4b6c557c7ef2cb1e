import type { Context, Needs } from '#core'
import type { Memory } from '#plugins/memory'
import type { Posts, PublishedPosts } from '#plugins/posts'
import { createFollower } from './follow.ts'
import { createMatcher } from './matching.ts'
import { createPostings } from './postings.ts'
import { createRelated } from './related.ts'
import { createShownPosts } from './result-posts.ts'
import { createSearch } from './search.ts'
import { createMeaning } from './semantic.ts'
import type { searchSettings } from './settings.ts'
import { createSimilar } from './similar.ts'
import { createAlikePosts } from './similar-terms.ts'
import { createTerms } from './terms.ts'
import { createVocabulary } from './vocabulary.ts'

type PartsContext = Omit<Context<Needs, typeof searchSettings>, 'needs'> & {
  needs: { posts: Posts; published: PublishedPosts; memory: Memory | undefined }
}

/** Everything the plugin consists of, wired. */
export type Parts = ReturnType<typeof createParts>

/** Of the memory allowed: posts take more of it than the lists of their terms. */
const postingsShare = 0.25

export function createParts({ needs, db, settings, changes, installation, log, now }: PartsContext) {
  const { published, memory } = needs
  const share = (part: number) => () => settings.get('search_cache_mb') * 1024 * 1024 * part
  const postings = createPostings({ db, changes, maxBytes: share(postingsShare), now })
  const shown = createShownPosts({ db, changes, published, installation, maxBytes: share(1 - postingsShare) })
  const terms = createTerms({ db, changes })
  const matcher = createMatcher({ db, terms, open: postings.open })
  const meaning = createMeaning({ db, memory, changes, settings, log, now })
  const similar = createSimilar({ db, memory, alike: createAlikePosts({ terms, matcher }), log })
  const vocabulary = createVocabulary({ db, changes, settings, log })
  return {
    db,
    published,
    similar,
    vocabulary,
    follow: createFollower({ vocabulary, similar }),
    search: createSearch({ matcher, meaning, shown, settings }),
    related: createRelated({ db, matcher, meaning, settings, published })
  }
}
