import { type Db, type Enqueue, type Log, UnavailableError } from '#core'
import type { Embedders } from './embedders/registry.ts'
import type { Vectors } from './embedders/vectors.ts'
import type { Embedder, StoreResult } from './index.ts'
import type { CheckedEntry } from './input.ts'
import type { Models } from './models.ts'
import { passageVectors } from './passage-vectors.ts'
import { passageRows, passagesOfLargeText } from './passages.ts'
import { EmbedEntries, EmbedPending } from './pending.ts'
import { hasEntry, saveEntries } from './repository/entries.ts'
import { insertPassages, removePassages } from './repository/passages.ts'
import { recordUnembedded } from './repository/unembedded.ts'
import { insertEmbeddings } from './repository/vectors.ts'

export interface StoreDeps {
  db: Db
  embedders: Embedders
  models: Models
  enqueue: Enqueue
  log: Pick<Log, 'warn'>
}

/** A caller waits this long for an embedder outside the process. After that a job makes the vectors. */
const maxWaitMs = 2000
/** The embedded database runs one transaction at a time: vectors of more passages than this are left to a job. */
const maxPassages = 100

/** One for each model that needs them; null where a job is to make them. */
type ModelVectors = readonly (Vectors | null)[]
const leftToJob: ModelVectors = [null]

/** Stores an entry with its vectors. Where they are many, or an embedder does not answer before `signal`, a job makes them later. */
export async function storeEntry(deps: StoreDeps, entry: CheckedEntry, signal: AbortSignal): Promise<StoreResult> {
  const passages = await passagesOfLargeText(entry.text, entry.title)
  if (await hasEntry(deps.db, entry)) return resultOf(entry, passages, false)
  if (passages.length > maxPassages) return await writeEntry(deps, entry, passages, leftToJob)
  // Before the transaction: nobody waits for a lock while the embedder is at work.
  return await writeEntry(deps, entry, passages, await vectorsOf(deps, entry, passages, signal))
}

/** Stores an entry and leaves its vectors to the job. */
export async function storeForLater(deps: StoreDeps, entry: CheckedEntry): Promise<StoreResult> {
  return await writeEntry(deps, entry, await passagesOfLargeText(entry.text, entry.title), leftToJob)
}

/** Stores texts at once; passages and vectors are a job of their own, so that several processes share the work of many. */
export async function storeEntries(
  { db, enqueue, models }: StoreDeps,
  entries: readonly CheckedEntry[],
  options: { startAt?: Date }
): Promise<void> {
  const byKey = new Map(entries.map(entry => [`${entry.source_table} ${entry.source_id}`, entry]))
  await db.transaction(async tx => {
    const entry_ids = (await saveEntries(tx, [...byKey.values()])).map(({ entry_id }) => entry_id)
    if (entry_ids.length === 0) return
    await removePassages(tx, entry_ids)
    await models.recordOnce(tx)
    await enqueue(tx, EmbedEntries, { entry_ids }, options)
  })
}

/** Vectors of every model that is needed; null for a model that did not answer, or failed just before and is not asked. */
async function vectorsOf(
  deps: StoreDeps,
  entry: CheckedEntry,
  passages: readonly string[],
  signal: AbortSignal
): Promise<ModelVectors> {
  const needed = await unlessUnavailable(deps, entry, () => deps.models.needed(deps.db))
  return await Promise.all(
    (needed ?? [null]).map((embedder: Embedder | null) =>
      embedder === null || deps.embedders.isUnavailableForStored(embedder)
        ? null
        : unlessUnavailable(deps, entry, () => passageVectors(deps, embedder, passages, timeLimit(embedder, signal)))
    )
  )
}

const timeLimit = ({ isCheap = false }: Embedder, signal: AbortSignal) =>
  isCheap ? signal : AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)])

async function unlessUnavailable<T>(
  { log }: StoreDeps,
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
  { db, enqueue, models }: StoreDeps,
  entry: CheckedEntry,
  passages: readonly string[],
  vectors: ModelVectors
): Promise<StoreResult> {
  return await db.transaction(async tx => {
    const [{ entry_id } = { entry_id: null }] = await saveEntries(tx, [entry])
    if (entry_id === null) return resultOf(entry, passages, false)
    await removePassages(tx, [entry_id])
    await insertPassages(tx, passageRows(entry_id, passages))
    for (const made of vectors) {
      if (made !== null) await insertEmbeddings(tx, entry_id, made.model, made.embeddings)
    }
    await models.recordOnce(tx)
    if (vectors.includes(null)) {
      await recordUnembedded(tx, [entry_id])
      await enqueue(tx, EmbedPending, {}, { key: 'pending' })
    }
    return resultOf(entry, passages, true)
  })
}

function resultOf(
  { source_table, source_id }: CheckedEntry,
  passages: readonly string[],
  stored: boolean
): StoreResult {
  return { source_table, source_id, chunks: passages.length, stored }
}
