import { createBoundedMap, type Queryable, UnavailableError } from '#core'
import type { RarityOf } from '../embedders/embedded.ts'
import type { Embedders } from '../embedders/registry.ts'
import type { Vectors } from '../embedders/vectors.ts'
import type { Embedder } from '../index.ts'
import type { Models } from '../models.ts'
import type { Rarity } from './rarity.ts'

/** A reader does not wait longer than this for the vector of a query. */
const maxWaitMs = 3000
const maxCachedQueries = 500
/** Nobody changes the model more often while a query waits. */
const maxModels = 3

/** Vectors of queries, by the model that is searched with. */
export interface QueryEmbeddings {
  /** Null while the embedder does not answer: searches go on without. */
  vectorsOf(db: Queryable, texts: readonly string[]): Promise<Vectors | null>
  /** The same for one query whose rare words shall count more. */
  rankingVectorOf(db: Queryable, text: string): Promise<Vectors | null>
  /** The words of a query that few passages hold, as `Rarity` tells. */
  rareWordsOf(db: Queryable, text: string): Promise<string[]>
  /** How rare words are; undefined where there are too few passages to tell. */
  rarityIn(db: Queryable): Promise<RarityOf | undefined>
  /**
   * Searches with vectors that `ask` gives; again when another model took over meanwhile: what was searched in may be
   * dropped by now. What `isWhole` says to have found everything needs no such look.
   */
  searchWithServingModel<T>(
    db: Queryable,
    ask: () => Promise<Vectors | null>,
    search: (vectors: Vectors | null) => Promise<T>,
    isWhole?: (found: T) => boolean
  ): Promise<T>
}

interface QueryEmbeddingsDeps {
  embedders: Embedders
  models: Models
  rarity: Rarity
  /** The setting `embedder_timeout_seconds`. */
  timeoutSeconds: () => number
}

export function createQueryEmbeddings(deps: QueryEmbeddingsDeps): QueryEmbeddings {
  const { embedders, models, rarity } = deps
  const vectorFor = createQueryVectors(deps)
  return {
    vectorsOf: (db, texts) =>
      vectorFor(db, texts.join('\0'), (embedder, signal) => embedders.embedWith(embedder, texts, signal)),
    async rareWordsOf(db, text) {
      await rarity.read(db)
      return rarity.rareWords(text)
    },
    async rarityIn(db) {
      await rarity.read(db)
      return rarity.known()
    },
    rankingVectorOf: async (db, text) => {
      await rarity.read(db)
      return await vectorFor(db, `? ${text}`, (embedder, signal) => embedders.embedQueryWith(embedder, text, signal))
    },
    async searchWithServingModel(db, ask, search, isWhole = () => false) {
      let vectors = await ask()
      for (let rest = maxModels; ; rest--) {
        const found = await search(vectors)
        if (vectors === null || rest === 1 || isWhole(found) || (await models.serves(db, vectors.model))) return found
        const { model } = vectors
        vectors = await ask()
        if (vectors?.model === model) return found
      }
    }
  }
}

type MakeVectors = (embedder: Embedder, signal: AbortSignal) => Promise<Vectors>

/** Vectors by the embedder that serves: from the cache, or made in time; null while it does not answer. */
function createQueryVectors({ embedders, models, timeoutSeconds }: QueryEmbeddingsDeps) {
  const cache = createBoundedMap<string, Vectors>({ maxEntries: () => maxCachedQueries })
  return async (db: Queryable, key: string, make: MakeVectors): Promise<Vectors | null> => {
    try {
      const embedder = await models.serving(db)
      const known = cache.get(`${embedder.model} ${key}`)
      if (known !== undefined) return known
      if (embedders.isUnavailable(embedder)) return null
      const vectors = await make(embedder, AbortSignal.timeout(Math.min(maxWaitMs, timeoutSeconds() * 1000)))
      if (!embedder.isCheap) cache.set(`${embedder.model} ${key}`, vectors)
      return vectors
    } catch (error) {
      if (error instanceof UnavailableError) return null
      throw error
    }
  }
}
