import type { Context, Needs } from '#core'
import type { Memory } from '#plugins/memory'
import type { Posts, PublishedPosts } from '#plugins/posts'
import { createEngineIndex } from './engine/engine-index.ts'
import { createSearchEngines } from './engine/registry.ts'
import type { EngineIndexStatus } from './engine/status.ts'
import type { EngineVerification } from './engine/verify.ts'
import { createFilters } from './filters.ts'
import { createIndexing, noteDamage, startRebuild } from './indexing/indexing.ts'
import { type IndexVerification, type IndexVerifyOptions, verifyIndex } from './indexing/verify.ts'
import { languagesIn, postLanguages } from './languages.ts'
import { createMatcher, type Matcher } from './matching/matching.ts'
import { createOpenSearchDriver } from './opensearch/opensearch-driver.ts'
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
import { type IndexStatus, readIndexStatus } from './status.ts'
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
  const engines = createSearchEngines(settings)
  engines.addDriver('opensearch', createOpenSearchDriver({ settings, log }))
  const follower = createIndexFollower({ db, changes, languageOf, isBuiltin: engines.isBuiltin, now })
  const onDamage = (segment: Segment) =>
    void noteDamage({ db, changes, log }, segment).catch(error =>
      log.error({ err: error }, 'a damaged part of the search index could not be noted')
    )
  const postings = createPostings({ db, follower, maxBytes: share(postingsShare), onDamage, now })
  const results = createResultPosts({ db, changes, published, maxBytes: share(1 - postingsShare) })
  const expansion = createExpansion({ db, changes })
  const filters = createFilters({ db, changes, published })
  const builtin = createMatcher({ db, expansion, open: postings.open, filters })
  const vocabulary = createVocabulary({ db, changes })
  const engineIndex = createEngineIndex({
    ...{ db, changes, settings, log, now, engines, follower, expansion, filters, languageOf, vocabulary }
  })
  const matcher: Matcher = {
    match: (...asked) => (engines.isBuiltin() ? builtin : engineIndex).match(...asked),
    sharing: (...asked) => (engines.isBuiltin() ? builtin : engineIndex).sharing(...asked)
  }
  const semantic = createSemanticSearch({ db, memory, changes, settings, log, now })
  const languages = async () =>
    engines.isBuiltin() ? languagesIn((await follower.state()).table) : engineIndex.languages()
  const similar = createSimilar({ db, memory, languages, matcher, enqueue, log })
  const updateBuiltin = createIndexing({ db, changes, settings, follower, languageOf, vocabulary, log })
  return {
    db,
    published,
    similar,
    engines,
    status: (): Promise<IndexStatus | EngineIndexStatus> =>
      engines.isBuiltin() ? readIndexStatus({ db, settings, follower }) : engineIndex.status(),
    updateIndex: (signal: AbortSignal) => (engines.isBuiltin() ? updateBuiltin(signal) : engineIndex.update(signal)),
    updateByJob: (signal: AbortSignal) =>
      engines.isBuiltin() ? updateBuiltin(signal) : engineIndex.updateByJob(signal),
    rebuild: async (signal: AbortSignal) => {
      if (!engines.isBuiltin()) return await engineIndex.rebuild(signal)
      await startRebuild({ db, settings })
      await updateBuiltin(signal)
    },
    verify: (options: IndexVerifyOptions): Promise<IndexVerification | EngineVerification> =>
      engines.isBuiltin() ? verifyIndex({ db, changes, log }, options) : engineIndex.verify(options),
    updatePosts: createPostUpdater({ db, languageOf, vocabulary, similar, enqueue, engines, engineIndex }),
    suggest: createSuggest({ db, titles: followTitles({ db, changes, log }) }),
    search: createSearch({ matcher, semantic, results, settings, filters }),
    related: createRelated({ db, matcher, semantic, settings, published, languageOf })
  }
}
