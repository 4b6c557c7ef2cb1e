import { type Settings, UnavailableError } from '#core'
import { embedPending } from './embed-job.ts'
import { embedQuestionWith, likeness } from './embedders.ts'
import {
  type BackfillOptions,
  type BackfillResult,
  type BackfillSource,
  embeddingDimensions,
  type Memory,
  type MemoryCount,
  type MemoryMatch,
  type MemoryQuery,
  type MemoryStats,
  type SourceTable
} from './index.ts'
import { checkEntry, checkQuery, checkTexts } from './input.ts'
import { type CountRow, countEmbeddings, removeEntry } from './repository.ts'
import type { MemorySettings } from './settings.ts'
import { sourcesFor } from './sources.ts'
import { type StoreParts, storeEntries, storeEntry, storeForLater } from './store.ts'
import { listNearest, meanByEntry, passagesOf } from './vector-search.ts'

export interface MemoryParts extends StoreParts {
  settings: Pick<Settings<MemorySettings>, 'get'>
}

export function createMemory(parts: MemoryParts): Memory {
  const { db, embedders, settings } = parts
  const backfills = new Map<SourceTable, BackfillSource>()
  // Somebody waits for these answers: the embedder gets as long as one request to it may take.
  const soon = () => AbortSignal.timeout(settings.get('embedder_timeout_seconds') * 1000)
  return {
    async embed(texts) {
      checkTexts(texts)
      return { dimensions: embeddingDimensions, ...(await embedders.embed(texts, soon())) }
    },
    store: async entry => storeEntry(parts, checkEntry(entry, settings.get('memory_max_bytes')), soon()),
    storeMany: async entries => {
      const mostBytes = settings.get('memory_max_bytes')
      await storeEntries(
        parts,
        entries.map(entry => checkEntry(entry, mostBytes))
      )
    },
    remove: removeEntry,
    search: query => searchPassages(parts, query, soon()),
    sourcesFor: (db, topic, limit) => sourcesFor(db, embedders, topic, limit, soon()),
    nearest: (source_table, text, limit) => nearestEntries(parts, source_table, text, limit, soon()),
    registerEmbedder: embedders.register,
    stats: async () => readStats(await countEmbeddings(db, embedders.chosen().model), embedders.chosen().model),
    registerBackfill(source_table, source) {
      if (backfills.has(source_table)) throw new TypeError(`${source_table} has a backfill source already.`)
      backfills.set(source_table, source)
    },
    backfill: (source_table, options = {}) => backfill(parts, source_table, backfills.get(source_table), options)
  }
}

async function searchPassages(
  { db, embedders }: MemoryParts,
  query: MemoryQuery,
  signal: AbortSignal
): Promise<MemoryMatch[]> {
  const { q, limit, min_similarity, writer, source_table } = checkQuery(query)
  const { model, embeddings } = await embedders.embed([q], signal)
  const near = await listNearest(db, { model, embedding: embeddings[0] ?? [], limit, writer, source_table })
  return near.filter(match => match.similarity >= min_similarity).map(({ entry_id, ...match }) => match)
}

// Longer texts are compared as what they are.
const questionWords = 32
const isQuestion = (text: string) => text.trim().split(/\s+/, questionWords + 1).length <= questionWords

// Of each passage of the text; an entry that is not among these is not near.
const nearestOfPassage = 20

async function nearestEntries(
  { db, embedders }: MemoryParts,
  source_table: SourceTable,
  text: string,
  limit: number,
  signal: AbortSignal
) {
  const passages = passagesOf(text)
  if (passages.length === 0) return []
  try {
    const { model, floor, embeddings } = isQuestion(text)
      ? await embedQuestionWith(embedders.chosen(), text, signal)
      : await embedders.embed(passages, signal)
    const found = []
    for (const embedding of embeddings) {
      found.push(await listNearest(db, { model, embedding, source_table, limit: Math.max(limit, nearestOfPassage) }))
    }
    return meanByEntry(found)
      .slice(0, limit)
      .map(({ source_id, similarity }) => ({ source_id, similarity: likeness(similarity, floor) }))
  } catch (error) {
    if (error instanceof UnavailableError) return []
    throw error
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
  const embedded = await embedPending(parts, null, signal, done => onProgress?.('embeddings', done))
  signal.throwIfAborted()
  return { ...result, embedded }
}

function readStats(rows: readonly CountRow[], model: string): MemoryStats {
  const of = (key: 'source_table' | 'writer'): MemoryCount[] =>
    rows.flatMap(row =>
      row[key] === null ? [] : [{ key: row[key], count: row.count, oldest: row.oldest, newest: row.newest }]
    )
  const all = rows.find(row => row.source_table === null && row.writer === null)
  return {
    total: all?.count ?? 0,
    pending: all?.pending ?? 0,
    model,
    dimensions: embeddingDimensions,
    by_source_table: of('source_table'),
    by_writer: of('writer')
  }
}
