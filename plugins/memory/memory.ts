import { type Settings, UnavailableError } from '#core'
import type { Costs } from '#plugins/costs'
import { createBackfill } from './backfill.ts'
import { meteredEmbedder } from './embedders/metered.ts'
import { embeddingDimensions, type Memory } from './index.ts'
import { checkEntry, checkTexts } from './input.ts'
import { removeEntry } from './repository/entries.ts'
import { nearestEntries } from './search/entry-search.ts'
import { type PassageSearchDeps, searchPassages } from './search/passage-search.ts'
import { sourcesFor } from './search/sources.ts'
import type { MemorySettings } from './settings.ts'
import { readMemoryStats } from './statistics.ts'
import { type StoreDeps, storeEntries, storeEntry } from './store.ts'

interface MemoryDeps extends StoreDeps, PassageSearchDeps {
  settings: Pick<Settings<MemorySettings>, 'get'>
  /** Absent: what embedders of other plugins cost is not counted. */
  costs?: Costs | undefined
}

export function createMemory(deps: MemoryDeps): Memory {
  const { db, embedded, embedders, models, queryEmbeddings, settings, costs } = deps
  // Somebody waits for these answers: the embedder gets as long as one request to it may take.
  const soon = () => AbortSignal.timeout(settings.get('embedder_timeout_seconds') * 1000)
  return {
    ...createBackfill(deps),
    async embed(texts) {
      checkTexts(texts)
      return { dimensions: embeddingDimensions, ...(await embedders.embed(texts, soon())) }
    },
    store: async entry => storeEntry(deps, checkEntry(entry, settings.get('memory_max_bytes')), soon()),
    storeMany: async (entries, options = {}) => {
      const maxBytes = settings.get('memory_max_bytes')
      await storeEntries(
        deps,
        entries.map(entry => checkEntry(entry, maxBytes)),
        options
      )
    },
    remove: removeEntry,
    search: query => searchPassages(deps, query),
    sourcesFor: (db, topic, limit) => sourcesFor(db, queryEmbeddings, topic, limit),
    nearest: (source_table, text, limit, options = {}) =>
      nearestEntries(deps, { source_table, text, limit, ...options }),
    registerEmbedder: (name, embedder) => embedders.register(name, meteredEmbedder(costs, embedder)),
    stats: () => readMemoryStats(db, deps),
    async isLexical() {
      try {
        return (await models.serving(db)).model === embedded.model
      } catch (error) {
        if (error instanceof UnavailableError) return false
        throw error
      }
    }
  }
}
