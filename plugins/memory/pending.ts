import { jobType } from '#core'

/** Makes the embeddings that are missing: of texts stored while the embedder did not answer, and after another was chosen. */
export const EmbedPending = jobType<Record<string, never>>('memory.embed')
/** Makes the passages and embeddings of entries that were stored together. */
export const EmbedEntries = jobType<{ entry_ids: string[] }>('memory.embed_entries')
