import { type Queryable, UnavailableError } from '#core'
import { type Embedders, embedQuestionWith, likeness } from './embedders.ts'
import type { MemorySource } from './index.ts'
import { listByWords, listEntries, type VectorQuery } from './search-repository.ts'
import { listNearest, withIndexes } from './vector-search.ts'

// A word found in more passages than this says little; the rest of them is not looked at.
const passagesOfWord = 2000
const mostWords = 40
// From each of the two lists; further down nothing reaches the top of the fused one.
const candidates = 40
// Below this, unrelated texts are as near by chance.
const leastSimilarity = 0.2
// Reciprocal rank fusion: the customary constant, which keeps one list's first from outweighing both lists' second.
const rankConstant = 60

/** Entries whose words or meaning match the topic, best first, published posts left out. */
export async function sourcesFor(
  db: Queryable,
  embedders: Embedders,
  topic: string,
  limit: number,
  signal: AbortSignal
): Promise<MemorySource[]> {
  const vector = await vectorOf(embedders, topic, signal)
  return await withIndexes(db, async searched => {
    const byWords = await listByWords(searched, topicWords(topic), 'posts', passagesOfWord, candidates)
    const byMeaning = vector === null ? [] : await entriesByMeaning(searched, vector)
    return await readSources(searched, fuse([byWords.map(match => match.entry_id), byMeaning]).slice(0, limit))
  })
}

type Vector = Pick<VectorQuery, 'model' | 'embedding'> & { floor: number }

async function vectorOf(embedders: Embedders, topic: string, signal: AbortSignal): Promise<Vector | null> {
  try {
    const { model, floor, embeddings } = await embedQuestionWith(embedders.chosen(), topic, signal)
    return { model, floor, embedding: embeddings[0] ?? [] }
  } catch (error) {
    if (error instanceof UnavailableError) return null
    throw error
  }
}

async function entriesByMeaning(db: Queryable, { floor, ...vector }: Vector): Promise<string[]> {
  const near = await listNearest(db, { ...vector, limit: candidates, not_source_table: 'posts' })
  return [
    ...new Set(near.filter(match => likeness(match.similarity, floor) >= leastSimilarity).map(match => match.entry_id))
  ]
}

async function readSources(db: Queryable, best: readonly Ranked[]): Promise<MemorySource[]> {
  const entries = await listEntries(
    db,
    best.map(({ entry_id }) => entry_id)
  )
  const rows = new Map(entries.map(row => [row.entry_id, row]))
  return best.flatMap(({ entry_id, score }) => {
    const row = rows.get(entry_id)
    if (row === undefined) return []
    const { source_id, title, text, url } = row
    return [{ source_id, title: title ?? labelOf(text), text, url, score }]
  })
}

/** Words as people write them and as the parser takes them apart: `node.js` is one word there, `public-key` three. */
function topicWords(topic: string): string[] {
  const lower = topic.toLowerCase()
  const plain = lower.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const whole = lower.split(/\s+/).map(word => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  return [...new Set([...plain, ...whole])].filter(word => word !== '').slice(0, mostWords)
}

interface Ranked {
  entry_id: string
  score: number
}

function fuse(lists: readonly (readonly string[])[]): Ranked[] {
  const scores = new Map<string, number>()
  for (const list of lists) {
    for (const [rank, entry_id] of list.entries()) {
      scores.set(entry_id, (scores.get(entry_id) ?? 0) + 1 / (rankConstant + rank + 1))
    }
  }
  return [...scores].map(([entry_id, score]) => ({ entry_id, score })).sort((a, b) => b.score - a.score)
}

/** The beginning of a text without a title. */
function labelOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  const characters = [...line]
  return characters.length <= 80 ? line : `${characters.slice(0, 79).join('').trimEnd()}…`
}
