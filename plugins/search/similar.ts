import { type Db, type Log, UnavailableError } from '#core'
import type { Memory } from '#plugins/memory'
import type { SimilarPosts } from '#plugins/posts'
import { findDuplicates } from './near-duplicates.ts'
import { nearestByPassages } from './passages.ts'
import { findNearestTitle, listCompared, listTitlesWithout, storeTitleEmbeddings } from './repository/similar.ts'
import type { AlikePosts } from './similar-terms.ts'

const titlesAtOnce = 200
/** So many posts that share words with the title, and so many near in meaning, are compared word by word. */
const compared = 10

export interface Similar extends SimilarPosts {
  /**
   * Embeds the published titles that have no embedding by the present model, of these posts or of all. Does nothing while
   * no embedder answers.
   */
  embedTitles(post_ids?: readonly string[]): Promise<void>
}

export interface SimilarDeps {
  db: Db
  memory: Memory | undefined
  alike: AlikePosts
  log: Log
}

/** Finds published posts like a text. The embedder is asked outside of every transaction. */
export function createSimilar({ db, memory, alike, log }: SimilarDeps): Similar {
  const embed = async (texts: readonly string[]) => {
    try {
      return await memory?.embed(texts)
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      log.warn({ err: error }, 'the embedder does not answer: titles are not compared')
      return undefined
    }
  }
  // The embedder's model as last heard; empty until then, which re-embeds one batch at most.
  let model = ''
  const embedTitles = async (post_ids?: readonly string[]) => {
    while (true) {
      const titles = await listTitlesWithout(db, model, titlesAtOnce, post_ids)
      const made = titles.length === 0 ? undefined : await embed(titles.map(row => row.title))
      if (made === undefined) return
      await storeTitleEmbeddings(db, made.model, titles, made.embeddings.map(toVector))
      const isDone = titles.length < titlesAtOnce && made.model === model
      model = made.model
      if (isDone) return
    }
  }
  return {
    embedTitles,
    nearestTitle: async title => {
      const made = await embed([title])
      const embedding = made?.embeddings[0]
      if (made === undefined || embedding === undefined) return null
      model = made.model
      await embedTitles()
      const nearest = await findNearestTitle(db, made.model, toVector(embedding))
      return nearest === undefined ? null : { ...nearest, similarity: likeness(nearest.similarity, made.floor) }
    },
    nearestText: async (title, content) => {
      const nearest = (await memory?.nearest('posts', `${title}\n\n${content.slice(0, 2000)}`, compared)) ?? []
      const ids = nearest.map(match => match.source_id)
      return nearestByPassages(await listCompared(db, await alike.toTitle(title, compared), ids), content)
    },
    nearestOf: (content, posts) => nearestByPassages(posts, content),
    findDuplicates
  }
}

/** From a cosine: 0 for titles that have nothing in common, 1 for equal ones. */
const likeness = (cosine: number, floor: number) => Math.max(0, (cosine - floor) / (1 - floor))

const toVector = (embedding: readonly number[]) => `[${embedding.join(',')}]`
