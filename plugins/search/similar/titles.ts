import { type Db, type Enqueue, type Job, job, jobType, type Log, UnavailableError } from '#core'
import { type Memory, similarityAboveBaseline } from '#plugins/memory'
import type { SimilarPost } from '#plugins/posts'
import { findNearestTitle, listTitlesWithout, storeTitleEmbeddings } from '../repository/titles.ts'

export interface Titles {
  /**
   * Embeds the published titles that have no embedding by the present model, of these posts or of all. Does nothing while
   * no embedder answers.
   */
  embed(post_ids?: readonly string[]): Promise<void>
  /**
   * The published post whose title is nearest; null while no embedder answers. A few titles without an embedding are
   * embedded before. Where there are more, as after a change of the model, a job embeds them and the others are compared.
   */
  nearest(title: string): Promise<SimilarPost | null>
}

const EmbedTitles = jobType<Record<string, never>>('search.embed_titles')

export const embedTitlesJob = (embedAll: () => Promise<void>): Job =>
  job(EmbedTitles, embedAll, { timeoutSeconds: 3600 })

export interface TitlesDeps {
  db: Db
  memory: Memory | undefined
  enqueue: Enqueue
  log: Log
}

const titleBatchSize = 200
/** Somebody waits for the answer: those that were published just now, and not many. */
const maxTitlesPerRequest = 20

/** Compares titles by their embeddings. The embedder is asked outside of every transaction. */
export function createTitles({ db, memory, enqueue, log }: TitlesDeps): Titles {
  // Not known before the first answer: at most one batch is embedded again.
  let model = ''
  const embed = async (post_ids?: readonly string[]) => {
    while (true) {
      const titles = await listTitlesWithout(db, model, titleBatchSize, post_ids)
      if (titles.length === 0) return
      const texts = titles.map(row => row.title)
      const embedded = await embedUnlessUnavailable(memory, texts, log)
      if (embedded === undefined) return
      await storeTitleEmbeddings(db, embedded.model, titles, embedded.embeddings.map(toVector))
      const isDone = titles.length < titleBatchSize && embedded.model === model
      model = embedded.model
      if (isDone) return
    }
  }
  const embedFew = async () => {
    const missing = await listTitlesWithout(db, model, maxTitlesPerRequest + 1)
    if (missing.length > maxTitlesPerRequest)
      await db.transaction(tx => enqueue(tx, EmbedTitles, {}, { key: 'search.embed_titles' }))
    else if (missing.length > 0) await embed(missing.map(({ post_id }) => post_id))
  }
  return {
    embed,
    nearest: async title => {
      const embedded = await embedUnlessUnavailable(memory, [title], log)
      const embedding = embedded?.embeddings[0]
      if (embedded === undefined || embedding === undefined) return null
      model = embedded.model
      await embedFew()
      const nearest = await findNearestTitle(db, embedded.model, toVector(embedding))
      return nearest === undefined
        ? null
        : { ...nearest, similarity: similarityAboveBaseline(nearest.similarity, embedded.baselineCosine) }
    }
  }
}

async function embedUnlessUnavailable(memory: Memory | undefined, texts: readonly string[], log: Log) {
  try {
    return await memory?.embed(texts)
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    log.warn({ err: error }, 'the embedder does not answer: titles are not compared')
    return undefined
  }
}

const toVector = (embedding: readonly number[]) => `[${embedding.join(',')}]`
