import { type Db, type Enqueue, type Log, UnavailableError } from '#core'
import { chunkRows, chunksOfLargeText } from './chunks.ts'
import type { Embedders } from './embedders/registry.ts'
import type { Vectors } from './embedders/vectors.ts'
import type { Embedder, Memory } from './index.ts'
import type { CheckedEntry } from './input.ts'
import type { Models } from './models.ts'
import { passageVectors } from './passage-vectors.ts'
import { EmbedEntries, EmbedPending } from './pending.ts'
import { hasEntry, saveEntries } from './repository/entries.ts'
import { insertChunks, removeChunks } from './repository/passages.ts'
import { insertEmbeddings } from './repository/vectors.ts'
import { recordWaiting } from './repository/waiting.ts'

export interface StoreParts {
  db: Db
  embedders: Embedders
  models: Models
  enqueue: Enqueue
  log: Pick<Log, 'warn'>
}

// Whoever stores does not wait longer than this for an embedder outside the process: a job can.
const maxWaitMs = 2000
// On the embedded database nobody else has a turn while a transaction writes: vectors of more than this are a job's.
const maxPassages = 100

type Stored = Awaited<ReturnType<Memory['store']>>

/** Stores an entry with its vectors. Where they are many, or an embedder does not answer before `signal`, a job makes them later. */
export async function storeEntry(parts: StoreParts, entry: CheckedEntry, signal: AbortSignal): Promise<Stored> {
  const chunks = await chunksOfLargeText(entry.text, entry.title)
  if (await hasEntry(parts.db, entry)) return answer(entry, chunks, false)
  if (chunks.length > maxPassages) return await writeEntry(parts, entry, chunks, [null])
  // Before the transaction: nothing waits for a lock while the embedder thinks.
  return await writeEntry(parts, entry, chunks, await vectorsOf(parts, entry, chunks, signal))
}

/** Stores an entry and leaves its vectors to the job. */
export async function storeForLater(parts: StoreParts, entry: CheckedEntry): Promise<Stored> {
  return await writeEntry(parts, entry, await chunksOfLargeText(entry.text, entry.title), [null])
}

/** Stores texts at once; passages and vectors are a job of their own, so that several processes share the work of many. */
export async function storeEntries(
  { db, enqueue, models }: StoreParts,
  entries: readonly CheckedEntry[],
  options: { startAt?: Date }
): Promise<void> {
  const byKey = new Map(entries.map(entry => [`${entry.source_table} ${entry.source_id}`, entry]))
  await db.transaction(async tx => {
    const entry_ids = (await saveEntries(tx, [...byKey.values()])).map(({ entry_id }) => entry_id)
    if (entry_ids.length === 0) return
    await removeChunks(tx, entry_ids)
    await models.recordOnce(tx)
    await enqueue(tx, EmbedEntries, { entry_ids }, options)
  })
}

/** Vectors of every model that is needed; null in place of those that could not be made, nor are tried just after a failure. */
async function vectorsOf(
  parts: StoreParts,
  entry: CheckedEntry,
  chunks: readonly string[],
  signal: AbortSignal
): Promise<(Vectors | null)[]> {
  const needed = await unlessUnavailable(parts, entry, () => parts.models.needed(parts.db))
  return await Promise.all(
    (needed ?? [null]).map((embedder: Embedder | null) =>
      embedder === null || parts.embedders.isUnavailableForStored(embedder)
        ? null
        : unlessUnavailable(parts, entry, () => passageVectors(parts, embedder, chunks, timeLimit(embedder, signal)))
    )
  )
}

const timeLimit = ({ isCheap = false }: Embedder, signal: AbortSignal) =>
  isCheap ? signal : AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)])

async function unlessUnavailable<T>(
  { log }: StoreParts,
  entry: CheckedEntry,
  make: () => Promise<T>
): Promise<T | null> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    const { source_table, source_id } = entry
    log.warn({ source_table, source_id, reason: error.message }, 'stored without embeddings: a job makes them later')
    return null
  }
}

async function writeEntry(
  { db, enqueue, models }: StoreParts,
  entry: CheckedEntry,
  chunks: readonly string[],
  vectors: readonly (Vectors | null)[]
): Promise<Stored> {
  return await db.transaction(async tx => {
    const [{ entry_id } = { entry_id: null }] = await saveEntries(tx, [entry])
    if (entry_id === null) return answer(entry, chunks, false)
    await removeChunks(tx, [entry_id])
    await insertChunks(tx, chunkRows(entry_id, chunks))
    for (const made of vectors) {
      if (made !== null) await insertEmbeddings(tx, entry_id, made.model, made.embeddings)
    }
    await models.recordOnce(tx)
    if (vectors.includes(null)) {
      await recordWaiting(tx, [entry_id])
      await enqueue(tx, EmbedPending, {}, { key: 'pending' })
    }
    return answer(entry, chunks, true)
  })
}

function answer({ source_table, source_id }: CheckedEntry, chunks: readonly string[], stored: boolean): Stored {
  return { source_table, source_id, chunks: chunks.length, stored }
}
