import { type Db, job, jobType } from '#core'
import type { Embedders } from './embedders.ts'
import type { Embedder } from './index.ts'
import { addEmbeddings, listPending, type PendingChunk } from './repository.ts'

/** Makes the embeddings that are missing: of texts stored while the embedder was away, and after another was chosen. */
export const EmbedPending = jobType<Record<string, never>>('memory.embed')

const chunksAtOnce = 128

/** Embeds every passage without a vector of the chosen model; answers how many vectors were saved. */
export async function embedPending(
  db: Db,
  embedders: Embedders,
  signal: AbortSignal,
  onSaved?: (saved: number) => void
): Promise<number> {
  const { model }: Pick<Embedder, 'model'> = embedders.chosen()
  let after: PendingChunk | null = null
  let saved = 0
  while (!signal.aborted) {
    const chunks: PendingChunk[] = await listPending(db, model, after, chunksAtOnce)
    after = chunks.at(-1) ?? null
    if (after === null) return saved
    const made = await embedders.embed(
      chunks.map(chunk => chunk.text),
      signal
    )
    saved += await addEmbeddings(db, made.model, chunks, made.embeddings)
    onSaved?.(saved)
  }
  return saved
}

export const embedJob = (db: Db, embedders: Embedders) =>
  job(
    EmbedPending,
    async (_data, { signal }) => {
      await embedPending(db, embedders, signal)
    },
    // The cron run finds what retries could not embed, and a model chosen in the settings.
    { retries: 8, retryDelay: 5, cron: '*/5 * * * *' }
  )
