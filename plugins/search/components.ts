import type { Changes, Context, Log, Needs } from '#core'
import type { Memory } from '#plugins/memory'
import type { Posts, PublishedPosts } from '#plugins/posts'
import { createBuiltinIndex } from './builtin-index.ts'
import { restoreCacheTag } from './cache-tags.ts'
import { createDeadline, type ReaderRequest } from './deadline.ts'
import { createEngineIndex } from './engine/engine-index.ts'
import { createSearchEngines } from './engine/registry.ts'
import type { EngineIndexStatus } from './engine/status.ts'
import type { EngineVerification } from './engine/verify.ts'
import { createFilters } from './filters.ts'
import type { IndexVerification, IndexVerifyOptions } from './indexing/verify.ts'
import { postLanguages } from './languages.ts'
import { createLatentIndexing } from './latent/latent-indexing.ts'
import { createLatentSimilarity } from './latent/latent-similarity.ts'
import type { Matcher } from './matching/matching.ts'
import { createOpenSearchDriver } from './opensearch/opensearch-driver.ts'
import { createExpansion } from './query/expansion.ts'
import { createRelated } from './related.ts'
import { createSearch } from './search.ts'
import { createSearchScheduler } from './search-scheduler.ts'
import { createSearchTraffic } from './search-traffic.ts'
import { createSemanticSearch } from './semantic.ts'
import type { searchSettings } from './settings.ts'
import { createSimilar } from './similar/similar.ts'
import { createIndexFollower, type IndexFollower } from './snapshot/index-state.ts'
import { createResultPosts } from './snippets/result-posts.ts'
import type { IndexStatus } from './status.ts'
import { followTitles } from './suggest/followed-titles.ts'
import { createSuggest } from './suggest/suggest.ts'
import { createPostUpdater } from './update-posts.ts'
import { createVocabulary } from './vocabulary/vocabulary.ts'

type ComponentsContext = Omit<Context<Needs, typeof searchSettings>, 'needs'> & {
  needs: { posts: Posts; published: PublishedPosts; memory: Memory | undefined }
}

/** Everything the plugin consists of, wired. */
export type SearchComponents = ReturnType<typeof createComponents>

/** The share of posting lists in the memory for the cache. The rest is for results. */
const postingsShare = 2 / 3

export function createComponents({ needs, db, settings, changes, enqueue, log, now }: ComponentsContext) {
  const { published, memory } = needs
  const traffic = createSearchTraffic()
  const share = (part: number) => () => settings.get('search_cache_mb') * 1024 * 1024 * part
  const languageOf = postLanguages(settings)
  const engines = createSearchEngines(settings)
  engines.addDriver('opensearch', createOpenSearchDriver({ settings, log }))
  const follower = createIndexFollower({ db, changes, languageOf, isBuiltin: engines.isBuiltin, now })
  const results = createResultPosts({ db, changes, published, maxBytes: share(1 - postingsShare) })
  const expansion = createExpansion({ db, changes })
  const filters = createFilters({ db, changes, published })
  const vocabulary = createVocabulary({ db, changes })
  const shared = { db, changes, settings, log, now, follower, expansion, filters, languageOf, vocabulary }
  const latentIndexing = createLatentIndexing({ db, settings, languageOf, log })
  const builtinIndex = createBuiltinIndex({ ...shared, latent: latentIndexing, maxBytes: share(postingsShare) })
  const engineIndex = createEngineIndex({ ...shared, engines })
  const index = () => (engines.isBuiltin() ? builtinIndex : engineIndex)
  const matcher: Matcher = {
    match: (...asked) => index().match(...asked),
    moreLikeThis: (...asked) => index().moreLikeThis(...asked)
  }
  const languages = () => index().languages()
  const latent = createLatentSimilarity({ db, languages, isBuiltin: engines.isBuiltin })
  const semantic = createSemanticSearch({ db, memory, latent, changes, settings, log, now })
  const similar = createSimilar({ db, changes, memory, languages, matcher, enqueue, log })
  const scheduler = createSearchScheduler()
  const search = createSearch({ matcher, semantic, results, settings, filters, scheduler })
  const related = createRelated({ db, matcher, semantic, settings, published, languageOf })
  const titles = followTitles({ db, changes, log })
  const ahead = createReadAhead({ follower, changes, log })
  const suggest = createSuggest({
    db,
    titles,
    ofEngine: async (...asked) => (engines.isBuiltin() ? undefined : await engineIndex.suggest(...asked))
  })
  return {
    db,
    published,
    similar,
    engines,
    status: (): Promise<IndexStatus | EngineIndexStatus> => index().status(),
    updateIndex: (signal: AbortSignal) => index().update(signal),
    updateByJob: (signal: AbortSignal) => index().updateByJob(signal),
    rebuild: (signal: AbortSignal) => index().rebuild(signal),
    verify: (options: IndexVerifyOptions): Promise<IndexVerification | EngineVerification> => index().verify(options),
    updatePosts: createPostUpdater({ db, languageOf, vocabulary, similar, enqueue, engines, engineIndex }),
    readAhead: ahead.begin,
    /** Ends what reads ahead, before the database is closed. */
    close: async () => {
      await Promise.all([titles.close(), ahead.close()])
    },
    traffic,
    suggest: (...asked: Parameters<typeof suggest>) => traffic.search(() => suggest(...asked)),
    search: { find: (...asked: Parameters<typeof search.find>) => traffic.search(() => search.find(...asked)) },
    related,
    /** For a reader, beside the searches. @throws UnavailableError when too many are under way */
    relatedFor: (request: ReaderRequest, ...asked: Parameters<typeof related.to>) =>
      scheduler.run(createDeadline(settings.get('search_time_limit_ms'), request), () => related.to(...asked))
  }
}

interface ReadAheadDeps {
  follower: Pick<IndexFollower, 'state'>
  changes: Changes
  log: Log
}

function createReadAhead({ follower, changes, log }: ReadAheadDeps) {
  let reading = Promise.resolve()
  let hasBegun = false
  const read = () => {
    // Once all caches know of the change.
    const state = Promise.resolve().then(() => follower.state())
    const before = reading
    reading = state
      .catch(error => log.warn({ err: error }, 'the search index could not be read ahead: the first search does it'))
      .then(() => before)
  }
  // Also when this process begins to follow changes: what it read before that may be outdated.
  changes.on(restoreCacheTag, () => {
    if (hasBegun) read()
  })
  return {
    /** From now on reads what the next search would wait for: a second for a million posts. */
    begin() {
      hasBegun = true
      if (changes.isCurrent()) read()
    },
    close() {
      hasBegun = false
      return reading
    }
  }
}
