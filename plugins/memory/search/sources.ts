import type { Queryable } from '#core'
import { type FusedRank, fuseRankings } from '#text'
import { truncateText } from '#text/excerpts'
import type { Vectors } from '../embedders/vectors.ts'
import { type MemorySource, similarityAboveBaseline } from '../index.ts'
import { listEntryTexts } from '../repository/entries.ts'
import { listPassagesByWords } from '../repository/word-search.ts'
import { maxFusedCandidates, similarityWeight } from './fusion.ts'
import { findNearest, withIndexes } from './nearest.ts'
import type { QueryEmbeddings } from './query-embeddings.ts'
import { maxPassagesScanned, wordsOfQuery } from './query-words.ts'
import { rankByWords } from './word-ranking.ts'

/** Below this, unrelated texts are as near by chance. */
const minSimilarity = 0.2
/** Passages by words. */
const maxRanked = 100
const shareOfOthers = 0.1
/** A writer quotes what others wrote, not the posts themselves. */
const leftOut = { not_source_table: 'posts' } as const

/** Entries whose words or meaning match the topic, best first, published posts left out. */
export async function sourcesFor(
  db: Queryable,
  queryEmbeddings: QueryEmbeddings,
  topic: string,
  limit: number
): Promise<MemorySource[]> {
  const search = (vectors: Vectors | null) =>
    withIndexes(db, async searched => {
      const lists = [{ ids: await entriesByWords(searched, queryEmbeddings, topic), weight: 1 }]
      if (vectors !== null)
        lists.push({ ids: await entriesByVector(searched, vectors), weight: similarityWeight(vectors.model) })
      return await readSources(searched, fuseRankings(lists).slice(0, limit))
    })
  return await queryEmbeddings.searchWithServingModel(db, () => queryEmbeddings.rankingVectorOf(db, topic), search)
}

/** An entry counts with its best passage, and a little with the others. */
async function entriesByWords(db: Queryable, queryEmbeddings: QueryEmbeddings, topic: string): Promise<string[]> {
  const words = { words: wordsOfQuery(topic), maxScanned: maxPassagesScanned, limit: maxRanked }
  const rows = await listPassagesByWords(db, { ...words, ...leftOut })
  const scores = new Map<string, number>()
  // The best of an entry comes first.
  for (const { passage, score } of rankByWords(topic, rows, await queryEmbeddings.rarityIn(db))) {
    const best = scores.get(passage.entry_id)
    scores.set(passage.entry_id, best === undefined ? score : best + score * shareOfOthers)
  }
  return [...scores]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxFusedCandidates)
    .map(([entry_id]) => entry_id)
}

async function entriesByVector(
  db: Queryable,
  { baselineCosine, model, embeddings: [embedding = []] }: Vectors
): Promise<string[]> {
  const { matches } = await findNearest(db, { model, embedding, ...leftOut, limit: maxFusedCandidates })
  return [
    ...new Set(
      matches
        .filter(match => similarityAboveBaseline(match.similarity, baselineCosine) >= minSimilarity)
        .map(match => match.entry_id)
    )
  ]
}

async function readSources(db: Queryable, best: readonly FusedRank<string>[]): Promise<MemorySource[]> {
  const entries = await listEntryTexts(
    db,
    best.map(({ id }) => id)
  )
  const rows = new Map(entries.map(row => [row.entry_id, row]))
  return best.flatMap(({ id, score }) => {
    const row = rows.get(id)
    if (row === undefined) return []
    const { source_id, title, text, url } = row
    return [{ source_id, title: title ?? labelOf(text), text, url, score }]
  })
}

const maxLabelLength = 80

/** The beginning of a text without a title. */
function labelOf(text: string): string {
  return truncateText(text.trim().split('\n', 1)[0] ?? '', maxLabelLength)
}
