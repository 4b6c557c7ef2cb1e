import { type Db, type Enqueue, type Job, job, jobType, UnavailableError } from '#core'
import { chunkRows, chunksOf } from './chunks.ts'
import type { Embedders } from './embedders.ts'
import type { Embedder } from './index.ts'
import {
  addEmbeddings,
  insertChunks,
  listPending,
  listUncut,
  lockUnchanged,
  type PendingChunk,
  takeTurn,
  type UncutEntry
} from './repository.ts'

/** Makes the embeddings that are missing: of texts stored while the embedder was away, and after another was chosen. */
export const EmbedPending = jobType<Record<string, never>>('memory.embed')
/** Makes the passages and embeddings of entries that were stored together. */
export const EmbedEntries = jobType<{ entry_ids: string[] }>('memory.embed_entries')

const chunksAtOnce = 128
/** A text may be 2 MB. */
const textsAtOnce = 20

interface EmbedDeps {
  db: Db
  embedders: Embedders
}

/** Cuts the texts that were stored without passages, of these entries or (null) of all. */
async function cutTexts(db: Db, entry_ids: readonly string[] | null, signal: AbortSignal): Promise<void> {
  let after: string | null = null
  while (!signal.aborted) {
    const entries: UncutEntry[] = await listUncut(db, { entry_ids, after, limit: textsAtOnce })
    after = entries.at(-1)?.entry_id ?? null
    if (after === null) return
    const chunks = entries.flatMap(({ entry_id, text, title }) => chunkRows(entry_id, chunksOf(text, title)))
    await db.transaction(async tx => {
      const unchanged = await lockUnchanged(tx, entries)
      await insertChunks(
        tx,
        chunks.filter(({ entry_id }) => unchanged.has(entry_id))
      )
    })
  }
}

/**
 * Makes the missing passages, and embeds every passage without a vector of the chosen model, of these entries or (null) of all;
 * answers how many vectors were saved.
 */
export async function embedPending(
  { db, embedders }: EmbedDeps,
  entry_ids: readonly string[] | null,
  signal: AbortSignal,
  onSaved?: (saved: number) => void
): Promise<number> {
  await cutTexts(db, entry_ids, signal)
  const { model }: Pick<Embedder, 'model'> = embedders.chosen()
  let after: PendingChunk | null = null
  let saved = 0
  while (!signal.aborted) {
    const chunks: PendingChunk[] = await listPending(db, model, { entry_ids, after, limit: chunksAtOnce })
    after = chunks.at(-1) ?? null
    if (after === null) return saved
    const made = await embedders.embed(
      chunks.map(chunk => chunk.text),
      signal
    )
    saved += await db.transaction(async tx => {
      // A vector costs its index milliseconds of a core: however many processes make them, readers and publishers keep the others.
      await takeTurn(tx)
      return addEmbeddings(tx, made.model, chunks, made.embeddings)
    })
    onSaved?.(saved)
  }
  return saved
}

export function embedJobs(deps: EmbedDeps & { enqueue: Enqueue }): Job[] {
  const { db, enqueue } = deps
  return [
    job(
      EmbedPending,
      async (_data, { signal }) => {
        await embedPending(deps, null, signal)
      },
      // The cron run finds what retries could not embed, and a model chosen in the settings.
      { retries: 8, retryDelay: 5, cron: '*/5 * * * *' }
    ),
    job(EmbedEntries, async ({ entry_ids }, { signal }) => {
      try {
        await embedPending(deps, entry_ids, signal)
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error
        // One job waits for an embedder that is away, not a hundred.
        await db.transaction(tx => enqueue(tx, EmbedPending, {}, { key: 'pending' }))
      }
    })
  ]
}
