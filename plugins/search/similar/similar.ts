import { type Db, type Log, UnavailableError } from '#core'
import type { Memory } from '#plugins/memory'
import type { SimilarPosts } from '#plugins/posts'
import type { Matcher } from '../matching/matching.ts'
import type { Analyzer } from '../query/analyzer.ts'
import { findNearestTitle, listCompared, listTitlesWithout, storeTitleEmbeddings } from '../repository/titles.ts'
import { findDuplicates } from './near-duplicates.ts'
import { nearestByShingles } from './shingles.ts'

const titlesOfBatch = 200
/** So many posts that share words with the title, and so many near in meaning, are compared word by word. */
const maxCompared = 10
const maxTextLength = 2000

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
  analyzer: Analyzer
  matcher: Matcher
  log: Log
}

/** Finds published posts like a text. The embedder is asked outside of every transaction. */
export function createSimilar({ db, memory, analyzer, matcher, log }: SimilarDeps): Similar {
  const embed = async (texts: readonly string[]) => {
    try {
      return await memory?.embed(texts)
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      log.warn({ err: error }, 'the embedder does not answer: titles are not compared')
      return undefined
    }
  }
  // Not known before the first answer: at most one batch is embedded again.
  let model = ''
  const embedTitles = async (post_ids?: readonly string[]) => {
    while (true) {
      const titles = await listTitlesWithout(db, model, titlesOfBatch, post_ids)
      const made = titles.length === 0 ? undefined : await embed(titles.map(row => row.title))
      if (made === undefined) return
      await storeTitleEmbeddings(db, made.model, titles, made.embeddings.map(toVector))
      const isDone = titles.length < titlesOfBatch && made.model === model
      model = made.model
      if (isDone) return
    }
  }
  const sharingWords = async (title: string) => {
    const [tokens = []] = await analyzer.analyze([title], await analyzer.languages())
    const terms = tokens.flatMap(token => token.terms)
    return matcher.sharing(terms, maxCompared)
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
      return nearest === undefined ? null : { ...nearest, similarity: similarityOf(nearest.similarity, made.floor) }
    },
    nearestText: async (title, content) => {
      const start = `${title}\n\n${content.slice(0, maxTextLength)}`
      const near = (await memory?.nearest('posts', start, maxCompared)) ?? []
      const ids = near.map(match => match.source_id)
      return nearestByShingles(await listCompared(db, await sharingWords(title), ids), content)
    },
    nearestOf: (content, posts) => nearestByShingles(posts, content),
    findDuplicates
  }
}

/** From a cosine: 0 for titles that have nothing in common, 1 for equal ones. */
const similarityOf = (cosine: number, floor: number) => Math.max(0, (cosine - floor) / (1 - floor))

const toVector = (embedding: readonly number[]) => `[${embedding.join(',')}]`
