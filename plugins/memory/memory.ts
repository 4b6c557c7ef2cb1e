import { type Settings, UnavailableError } from '#core'
import { embedPending } from './embed-job.ts'
import {
  type BackfillOptions,
  type BackfillResult,
  type BackfillSource,
  embeddingDimensions,
  type Memory,
  type MemoryCount,
  type MemoryStats,
  type SourceTable
} from './index.ts'
import { checkEntry, checkTexts } from './input.ts'
import { removeEntry } from './repository/entries.ts'
import { listRefusals } from './repository/refusals.ts'
import { type CountRow, countEmbeddings } from './repository/vectors.ts'
import { nearestEntries } from './search/entry-search.ts'
import { type PassageSearchParts, searchPassages } from './search/passage-search.ts'
import { sourcesFor } from './search/sources.ts'
import type { MemorySettings } from './settings.ts'
import { type StoreParts, storeEntries, storeEntry, storeForLater } from './store.ts'

export interface MemoryParts extends StoreParts, PassageSearchParts {
  settings: Pick<Settings<MemorySettings>, 'get'>
}

const shownRefusals = 10

export function createMemory(parts: MemoryParts): Memory {
  const { db, embedded, embedders, models, questions, settings } = parts
  const backfills = new Map<SourceTable, BackfillSource>()
  // Somebody waits for these answers: the embedder gets as long as one request to it may take.
  const soon = () => AbortSignal.timeout(settings.get('embedder_timeout_seconds') * 1000)
  return {
    async embed(texts) {
      checkTexts(texts)
      return { dimensions: embeddingDimensions, ...(await embedders.embed(texts, soon())) }
    },
    store: async entry => storeEntry(parts, checkEntry(entry, settings.get('memory_max_bytes')), soon()),
    storeMany: async (entries, options = {}) => {
      const maxBytes = settings.get('memory_max_bytes')
      await storeEntries(
        parts,
        entries.map(entry => checkEntry(entry, maxBytes)),
        options
      )
    },
    remove: removeEntry,
    search: query => searchPassages(parts, query),
    sourcesFor: (db, topic, limit) => sourcesFor(db, questions, topic, limit),
    nearest: (source_table, text, limit, options = {}) =>
      nearestEntries(parts, { source_table, text, limit, ...options }),
    registerEmbedder: embedders.register,
    async stats() {
      const chosen = embedders.named(embedders.chosenName())
      const serving = await models.servingModel(db)
      // With none chosen, or none that is set up, the counts are of what there is.
      const model = chosen?.model || serving
      const refusals = await listRefusals(db, model, shownRefusals)
      const { total, pending, ...counts } = readStats(await countEmbeddings(db, serving, model))
      const fault = embedders.chosenFault()
      return { total, pending, fault, ...counts, refusals, model, serving_model: serving }
    },
    async knowsWordsAlone() {
      try {
        return (await models.serving(db)).model === embedded.model
      } catch (error) {
        if (error instanceof UnavailableError) return false
        throw error
      }
    },
    registerBackfill(source_table, source) {
      if (backfills.has(source_table)) throw new TypeError(`${source_table} has a backfill source already.`)
      backfills.set(source_table, source)
    },
    backfill: (source_table, options = {}) => backfill(parts, source_table, backfills.get(source_table), options)
  }
}

async function backfill(
  parts: MemoryParts,
  source_table: SourceTable,
  source: BackfillSource | undefined,
  { signal = new AbortController().signal, onProgress }: BackfillOptions
): Promise<BackfillResult> {
  if (source === undefined) {
    throw new UnavailableError(
      `No plugin gives the entries of ${source_table}: list the one that does in plugins.config.json.`
    )
  }
  const result = { source_table, entries: 0, stored: 0 }
  for await (const entry of source()) {
    signal.throwIfAborted()
    const { stored } = await storeForLater(parts, checkEntry(entry, parts.settings.get('memory_max_bytes')))
    result.entries++
    if (stored) result.stored++
    onProgress?.('entries', result.entries)
  }
  let embedded = 0
  const onSaved = (done: number) => {
    embedded = done
    onProgress?.('embeddings', done)
  }
  try {
    await embedPending(parts, signal, { onSaved })
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    return { ...result, embedded, fault: error.message }
  }
  signal.throwIfAborted()
  return { ...result, embedded, fault: null }
}

function readStats(rows: readonly CountRow[]): Omit<MemoryStats, 'model' | 'serving_model' | 'fault' | 'refusals'> {
  const of = (key: 'source_table' | 'writer'): MemoryCount[] =>
    rows.flatMap(row =>
      row[key] === null ? [] : [{ key: row[key], count: row.count, oldest: row.oldest, newest: row.newest }]
    )
  const all = rows.find(row => row.source_table === null && row.writer === null)
  return {
    total: all?.count ?? 0,
    pending: all?.pending ?? 0,
    refused: all?.refused ?? 0,
    dimensions: embeddingDimensions,
    by_source_table: of('source_table'),
    by_writer: of('writer')
  }
}
