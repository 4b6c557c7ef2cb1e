import { type Db, type Log, UnavailableError } from '#core'
import type { Memory } from '#plugins/memory'
import type { Posts } from './index.ts'
import {
  findNearestTitle,
  listAlike,
  listTitlesWithout,
  storeTitleEmbeddings,
  type TextRow
} from './repository/similar.ts'
import type { AlikePosts } from './search/alike.ts'

const titlesAtOnce = 200
/** So many posts that share words with the title, and so many near in meaning, are compared word by word. */
const compared = 10
/** Words in a row that count as one passage. */
const passageWords = 5

export interface Similar extends Pick<Posts, 'nearestTitle' | 'nearestText'> {
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
      return nearestByPassages(await listAlike(db, await alike.toTitle(title, compared), ids), content)
    }
  }
}

/** From a cosine: 0 for titles that have nothing in common, 1 for equal ones. */
const likeness = (cosine: number, floor: number) => Math.max(0, (cosine - floor) / (1 - floor))

const toVector = (embedding: readonly number[]) => `[${embedding.join(',')}]`

/** The one whose text shares most with `content`; similarity 0–1. */
export function nearestByPassages(rows: readonly TextRow[], content: string) {
  const wanted = passages(content)
  const scored = rows.map(({ post_id, slug, title, content: text }) => ({
    post_id,
    slug,
    title,
    similarity: overlap(wanted, passages(text))
  }))
  return scored.sort((a, b) => b.similarity - a.similarity || (a.post_id < b.post_id ? -1 : 1))[0] ?? null
}

/** The passages of a text: its runs of five words. */
export function passages(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const size = Math.min(passageWords, words.length)
  return new Set(
    size === 0
      ? []
      : Array.from({ length: words.length - size + 1 }, (_, index) => words.slice(index, index + size).join(' '))
  )
}

/** The share of the shorter text's passages that the other has as well. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size <= b.size ? [a, b] : [b, a]
  if (few.size === 0) return 0
  let shared = 0
  for (const passage of few) if (many.has(passage)) shared += 1
  return shared / few.size
}
