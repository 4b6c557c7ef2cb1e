import type { Context, Needs } from '#core'
import type { Memory } from '#plugins/memory'
import type { Posts, PublishedPosts } from '#plugins/posts'
import { createFilters } from './filters.ts'
import { createIndexing, noteDamage, startRebuild } from './indexing/indexing.ts'
import { type IndexVerifyOptions, verifyIndex } from './indexing/verify.ts'
import { languagesIn, postLanguages } from './languages.ts'
import { createMatcher } from './matching/matching.ts'
import { createExpansion } from './query/expansion.ts'
import { createRelated } from './related.ts'
import type { Segment } from './repository/segments.ts'
import { createSearch } from './search.ts'
import { createSemanticSearch } from './semantic.ts'
import type { searchSettings } from './settings.ts'
import { createSimilar } from './similar/similar.ts'
import { createIndexFollower } from './snapshot/index-state.ts'
import { createPostings } from './snapshot/postings.ts'
import { createResultPosts } from './snippets/result-posts.ts'
import { readIndexStatus } from './status.ts'
import { followTitles } from './suggest/followed-titles.ts'
import { createSuggest } from './suggest/suggest.ts'
import { createPostUpdater } from './update-posts.ts'
import { createVocabulary } from './vocabulary/vocabulary.ts'

type PartsContext = Omit<Context<Needs, typeof searchSettings>, 'needs'> & {
  needs: { posts: Posts; published: PublishedPosts; memory: Memory | undefined }
}

/** Everything the plugin consists of, wired. */
export type SearchParts = ReturnType<typeof createParts>

/** The share of posting lists in the memory for the cache: results take more of it. */
const postingsShare = 0.4

export function createParts({ needs, db, settings, changes, enqueue, log, now }: PartsContext) {
  const { published, memory } = needs
  const share = (part: number) => () => settings.get('search_cache_mb') * 1024 * 1024 * part
  const languageOf = postLanguages(settings)
  const follower = createIndexFollower({ db, changes, languageOf, now })
  const onDamage = (segment: Segment) =>
    void noteDamage({ db, changes, log }, segment).catch(error =>
      log.error({ err: error }, 'a damaged part of the search index could not be noted')
    )
  const postings = createPostings({ db, follower, maxBytes: share(postingsShare), onDamage, now })
  const results = createResultPosts({ db, changes, published, maxBytes: share(1 - postingsShare) })
  const expansion = createExpansion({ db, changes })
  const filters = createFilters({ db, changes, published })
  const matcher = createMatcher({ db, expansion, open: postings.open, filters })
  const semantic = createSemanticSearch({ db, memory, changes, settings, log, now })
  const languages = async () => languagesIn((await follower.state()).table)
  const similar = createSimilar({ db, memory, languages, matcher, enqueue, log })
  const vocabulary = createVocabulary({ db, changes })
  const updateIndex = createIndexing({ db, changes, settings, follower, languageOf, vocabulary, log })
  return {
    db,
    published,
    similar,
    status: () => readIndexStatus({ db, settings, follower }),
    updateIndex,
    rebuild: async (signal: AbortSignal) => {
      await startRebuild({ db, settings })
      await updateIndex(signal)
    },
    verify: (options: IndexVerifyOptions) => verifyIndex({ db, changes, log }, options),
    updatePosts: createPostUpdater({ db, languageOf, vocabulary, similar, enqueue }),
    suggest: createSuggest({ db, titles: followTitles({ db, changes, log }) }),
    search: createSearch({ matcher, semantic, results, settings, filters }),
    related: createRelated({ db, matcher, semantic, settings, published, languageOf })
  }
}
