import { inverseDocumentFrequency } from '#text'
import { type Hits, noHits } from './hits.ts'
import { notPublished } from './post-table.ts'
import type { PostingList } from './posting-list.ts'

/** A word of the query with its list. `bit` is set for every post that has it. */
export interface RankedTerm {
  readonly list: PostingList
  readonly bit: number
  /** How much the query asks for it: 1 for a word that it says once. */
  readonly weight: number
}

/** What posts are ranked by beside their words. */
export interface IndexStatistics {
  /** How many posts there are. */
  readonly postCount: number
  /** By number of the post, when it is published, in seconds since 2000; `notPublished` for others. */
  readonly publishedSeconds: Int32Array
  /** Now by the database's clock, in seconds since 2000: later posts are not public yet. */
  readonly nowSeconds: number
}

/** Scores the posts that have every word of the bits `required`; without any, those that have one of the words. In no order. */
export type Rank = (terms: readonly RankedTerm[], index: IndexStatistics, required?: number) => Hits

/** A post a year younger counts 0.8 % more. Scores a ten-thousandth apart are taken as equal, and the newer is first. */
const recencyHorizon = 3_800_000_000
const keyScale = 8192
const keySeconds = 2 ** 30
const maxScore = 500

/** Ranks by BM25, each word by its rarity among all posts. Posts of the future are left out. */
export function createRank(): Rank {
  // All zero between two rankings: new arrays for each would be most of its time.
  let sums = createSums(0)
  return (terms, index, required = 0) => {
    const size = index.publishedSeconds.length
    if (sums.scores.length < size) sums = createSums(size)
    const needed = terms.filter(({ bit }) => (bit & required) !== 0)
    if (needed.reduce((bits, { bit }) => bits | bit, 0) !== required) return noHits
    let count = needed.length === 0 ? 0 : addRequired(sums, needed, index)
    for (const term of terms)
      if (!needed.includes(term)) count = add(sums, term, index, { before: required, count, collects: required === 0 })
    const hits = publicHits(sums, count, index)
    clear(sums, needed[0]?.list.postNos ?? hits.postNos)
    return hits
  }
}

/** Sums by number of the post, and the numbers of the posts that may be hits. */
interface Sums {
  scores: Float64Array
  bits: Uint32Array
  candidates: Int32Array
}

const createSums = (size: number): Sums => ({
  scores: new Float64Array(size),
  bits: new Uint32Array(size),
  candidates: new Int32Array(size)
})

/** Scores the posts that have all these words, beginning with the rarest: most posts of the others need no score. */
function addRequired(sums: Sums, needed: RankedTerm[], index: IndexStatistics): number {
  needed.sort((a, b) => a.list.postNos.length - b.list.postNos.length)
  let before = 0
  let count = 0
  for (const [at, term] of needed.entries()) {
    count = add(sums, term, index, { before, count: 0, collects: at === needed.length - 1 })
    before |= term.bit
  }
  return count
}

interface Addition {
  /** Only posts that have the words of these bits are scored. */
  before: number
  /** Candidates so far. */
  count: number
  /** The posts that have the word become candidates. */
  collects: boolean
}

/** In steps, so that posts published between two pages of a ranking rarely change its order. */
const rarityStep = 1 / 16

const rarityOf = (postCount: number, holding: number) =>
  Math.max(1, Math.round(inverseDocumentFrequency(postCount, holding) / rarityStep)) * rarityStep

/** Adds a word to the sums. @returns the number of candidates. */
function add(
  sums: Sums,
  { list, bit, weight }: RankedTerm,
  index: IndexStatistics,
  { before, count, collects }: Addition
) {
  const { scores, bits, candidates } = sums
  const { postNos, weights } = list
  const rarity = weight * rarityOf(index.postCount, postNos.length)
  const size = index.publishedSeconds.length
  let end = count
  for (let at = 0; at < postNos.length; at++) {
    const post = postNos[at] ?? 0
    if (post >= size) continue
    const words = bits[post] ?? 0
    if ((words & before) !== before) continue
    const score = scores[post] ?? 0
    // Without required words, a candidate has a score.
    if (collects && (before !== 0 || score === 0)) candidates[end++] = post
    scores[post] = score + rarity * (weights[at] ?? 0)
    bits[post] = words | bit
  }
  return end
}

/** The candidates that are public. The sums of the others are cleared. */
function publicHits({ scores, bits, candidates }: Sums, count: number, index: IndexStatistics): Hits {
  const { publishedSeconds, nowSeconds } = index
  let found = 0
  for (let at = 0; at < count; at++) {
    const post = candidates[at] ?? 0
    const seconds = publishedSeconds[post] ?? notPublished
    if (seconds !== notPublished && seconds <= nowSeconds) candidates[found++] = post
    else scores[post] = bits[post] = 0
  }
  const hits = { postNos: candidates.slice(0, found), keys: new Float64Array(found), bits: new Uint32Array(found) }
  for (let at = 0; at < found; at++) {
    const post = candidates[at] ?? 0
    hits.keys[at] = rankingKey(scores[post] ?? 0, publishedSeconds[post] ?? notPublished)
    hits.bits[at] = bits[post] ?? 0
  }
  return hits
}

function clear({ scores, bits }: Sums, postNos: Int32Array): void {
  for (const post of postNos) {
    scores[post] = 0
    bits[post] = 0
  }
}

/** Orders posts: the score with the age of the post, then its time. */
export function rankingKey(score: number, seconds: number): number {
  const time = Math.min(Math.max(seconds, 0), keySeconds - 1)
  const recent = Math.min(score, maxScore) * (1 + time / recencyHorizon)
  return Math.max(1, Math.round(recent * keyScale)) * keySeconds + time
}
