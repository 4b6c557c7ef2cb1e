import { type Db, type Log, UnavailableError } from '#core'
import type { Memory } from '#plugins/memory'
import type { SimilarPost } from '#plugins/posts'
import { findNearestTitle, listTitlesWithout, storeTitleEmbeddings } from '../repository/titles.ts'

export interface Titles {
  /**
   * Embeds the published titles that have no embedding by the present model, of these posts or of all. Does nothing while
   * no embedder answers.
   */
  embed(post_ids?: readonly string[]): Promise<void>
  /** The published post whose title is nearest; null while no embedder answers. */
  nearest(title: string): Promise<SimilarPost | null>
}

export interface TitlesDeps {
  db: Db
  memory: Memory | undefined
  log: Log
}

const titlesOfBatch = 200

/** Compares titles by their embeddings. The embedder is asked outside of every transaction. */
export function createTitles({ db, memory, log }: TitlesDeps): Titles {
  // Not known before the first answer: at most one batch is embedded again.
  let model = ''
  const embed = async (post_ids?: readonly string[]) => {
    while (true) {
      const titles = await listTitlesWithout(db, model, titlesOfBatch, post_ids)
      if (titles.length === 0) return
      const texts = titles.map(row => row.title)
      const embedded = await embedUnlessUnavailable(memory, texts, log)
      if (embedded === undefined) return
      await storeTitleEmbeddings(db, embedded.model, titles, embedded.embeddings.map(toVector))
      const isDone = titles.length < titlesOfBatch && embedded.model === model
      model = embedded.model
      if (isDone) return
    }
  }
  return {
    embed,
    nearest: async title => {
      const embedded = await embedUnlessUnavailable(memory, [title], log)
      const embedding = embedded?.embeddings[0]
      if (embedded === undefined || embedding === undefined) return null
      model = embedded.model
      await embed()
      const nearest = await findNearestTitle(db, embedded.model, toVector(embedding))
      return nearest === undefined ? null : { ...nearest, similarity: similarityOf(nearest.similarity, embedded.floor) }
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

/** From a cosine: 0 for titles that have nothing in common, 1 for equal ones. */
const similarityOf = (cosine: number, floor: number) => Math.max(0, (cosine - floor) / (1 - floor))

const toVector = (embedding: readonly number[]) => `[${embedding.join(',')}]`
