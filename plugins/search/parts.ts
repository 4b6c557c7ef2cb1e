import type { Context, Needs } from '#core'
import type { Memory } from '#plugins/memory'
import type { Posts, PublishedPosts } from '#plugins/posts'
import { createPostings } from './inverted-index/postings.ts'
import { createMatcher } from './matching/matching.ts'
import { createAnalyzer } from './query/analyzer.ts'
import { createExpansion } from './query/expansion.ts'
import { createRelated } from './related.ts'
import { createSearch } from './search.ts'
import { createSemanticSearch } from './semantic.ts'
import type { searchSettings } from './settings.ts'
import { createSimilar } from './similar/similar.ts'
import { createResultPosts } from './snippets/result-posts.ts'
import { createIndexUpdater } from './update-index.ts'
import { createReindex } from './vocabulary/index-language.ts'
import { createVocabulary } from './vocabulary/vocabulary.ts'

type PartsContext = Omit<Context<Needs, typeof searchSettings>, 'needs'> & {
  needs: { posts: Posts; published: PublishedPosts; memory: Memory | undefined }
}

/** Everything the plugin consists of, wired. */
export type SearchParts = ReturnType<typeof createParts>

/** The share of posting lists in the memory for the cache: results take more of it. */
const postingsShare = 0.25

export function createParts({ needs, db, settings, changes, enqueue, log, now }: PartsContext) {
  const { posts, published, memory } = needs
  const share = (part: number) => () => settings.get('search_cache_mb') * 1024 * 1024 * part
  const postings = createPostings({ db, changes, maxBytes: share(postingsShare), now })
  const results = createResultPosts({ db, changes, published, maxBytes: share(1 - postingsShare) })
  const analyzer = createAnalyzer({ db, changes })
  const expansion = createExpansion({ db, changes })
  const matcher = createMatcher({ db, analyzer, expansion, open: postings.open })
  const semantic = createSemanticSearch({ db, memory, changes, settings, log, now })
  const similar = createSimilar({ db, memory, analyzer, matcher, enqueue, log })
  const vocabulary = createVocabulary({ db, changes })
  return {
    db,
    published,
    similar,
    vocabulary,
    reindex: createReindex({ db, changes, settings, posts, log }),
    updateIndex: createIndexUpdater({ vocabulary, similar }),
    search: createSearch({ matcher, semantic, results, settings }),
    related: createRelated({ db, matcher, semantic, settings, published })
  }
}
