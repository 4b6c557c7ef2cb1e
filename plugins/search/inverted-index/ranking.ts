import { inverseDocumentFrequency } from '#text'
import { type Hits, noHits, nthLargest, top } from './hits.ts'
import { notPublished } from './post-table.ts'
import type { PostingList } from './posting-list.ts'
import { maxWeight } from './weights.ts'

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

interface RankOptions {
  /** Only posts that have every word of these bits; without any, those that have one of the words. */
  required?: number
  /** Of posts that have one of the words, so many of the best: the others need not be compared to the end. */
  best?: { count: number; isWanted(post: number): boolean }
}

/** Scores posts by the words they have. In no order, but `best` first where these are asked for. */
export type Rank = (terms: readonly RankedTerm[], index: IndexStatistics, options?: RankOptions) => Hits

/** A post a year younger counts 0.8 % more. Scores a ten-thousandth apart are taken as equal, and the newer is first. */
const recencyHorizon = 3_800_000_000
const keyScale = 8192
/** More than sums of single precision differ by, in another order of the words, and than a step of a key. */
const scoreTolerance = 1 / 1024
const keySeconds = 2 ** 30
/** So many times as much counts a post of the last second there is as one of the first. */
const maxRecency = 1 + keySeconds / recencyHorizon
const maxScore = 500
/** Of the arrays of sums: a tenth is room for posts to come. */
const growth = 1.1

/** Ranks by BM25, each word by its rarity among all posts. Posts of the future are left out. */
export function createRank(): Rank {
  // All zero between two rankings: new arrays for each would be most of its time.
  let sums = createSums(0)
  return (terms, index, { required = 0, best } = {}) => {
    const size = index.publishedSeconds.length
    // With room for more: else each post that is published would make them anew.
    if (sums.scores.length < size) sums = createSums(Math.ceil(size * growth))
    if (best !== undefined) return rankBest(sums, terms, index, best)
    const needed = terms.filter(({ bit }) => (bit & required) !== 0)
    if (needed.reduce((bits, { bit }) => bits | bit, 0) !== required) return noHits
    let count = needed.length === 0 ? 0 : addRequired(sums, needed, index)
    const mode = needed.length === 0 ? 'collect' : 'score'
    if (needed.length === 0 || count > 0)
      for (const term of terms)
        if (!needed.includes(term)) count = add(sums, term, index, { before: required, count, mode })
    const hits = collectHits(sums, keepPublic(sums, count, index), index)
    clear(sums, needed[0]?.list.postNos ?? hits.postNos)
    return hits
  }
}

/** Sums by number of the post, and the numbers of the posts that may be hits. */
interface Sums {
  /** Half as long as of doubles, and so nearer to the processor: at usual scores what is lost is less than a step of a key. */
  scores: Float32Array
  bits: Uint32Array
  candidates: Int32Array
  /** Scratch space for scores. Old values stay in it. */
  compared: Float64Array
}

const createSums = (size: number): Sums => ({
  scores: new Float32Array(size),
  bits: new Uint32Array(size),
  candidates: new Int32Array(size),
  compared: new Float64Array(Math.min(size, maxCompared))
})

/**
 * Scores the posts that have all these words, beginning with the rarest: most posts of the others need no score. Of many words no
 * post has all, which is known before the longest lists.
 */
function addRequired(sums: Sums, needed: RankedTerm[], index: IndexStatistics): number {
  needed.sort((a, b) => a.list.postNos.length - b.list.postNos.length)
  let before = 0
  let count = 0
  for (const term of needed) {
    count = add(sums, term, index, { before, count: 0, mode: 'collect' })
    if (count === 0) return 0
    before |= term.bit
  }
  return count
}

interface Addition {
  /** Only posts that have the words of these bits are scored. */
  before: number
  /** Candidates so far. */
  count: number
  mode: AdditionMode
}

/** `score`: posts that have the word are scored. `collect`: they become candidates, too. */
type AdditionMode = 'score' | 'collect'

/** In steps, so that posts published between two pages of a ranking rarely change its order. */
const rarityStep = 1 / 16

const rarityOf = (postCount: number, holding: number) =>
  Math.max(1, Math.round(inverseDocumentFrequency(postCount, holding) / rarityStep)) * rarityStep

/** Adds a word to the sums. @returns the number of candidates. */
function add(sums: Sums, { list, bit, weight }: RankedTerm, index: IndexStatistics, { before, count, mode }: Addition) {
  const { scores, bits, candidates } = sums
  const { postNos, weights } = list
  const rarity = weight * rarityOf(index.postCount, postNos.length)
  const size = index.publishedSeconds.length
  const collects = mode === 'collect'
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

/** Adds a word to the posts that have a score. */
function raise({ scores, bits }: Sums, { list, bit, weight }: RankedTerm, index: IndexStatistics): void {
  const { postNos, weights } = list
  const rarity = weight * rarityOf(index.postCount, postNos.length)
  for (let at = 0; at < postNos.length; at++) {
    const post = postNos[at] ?? 0
    const score = scores[post] ?? 0
    if (score === 0) continue
    scores[post] = score + rarity * (weights[at] ?? 0)
    bits[post] = (bits[post] ?? 0) | bit
  }
}

type Best = NonNullable<RankOptions['best']>

/** The bound is computed once there are more than this many candidates for each wanted result. */
const worthBounding = 10

/**
 * The rarest words first. Once the words that are left cannot lift a post without the others among the best, they only
 * add to the candidates (MaxScore), of which those are left that they can lift among the best: most posts have none but common words.
 */
function rankBest(sums: Sums, terms: readonly RankedTerm[], index: IndexStatistics, best: Best): Hits {
  const rarestFirst = [...terms].sort((a, b) => a.list.postNos.length - b.list.postNos.length)
  const bounds = rarestFirst.map(
    ({ list, weight }) => maxWeight * weight * rarityOf(index.postCount, list.postNos.length)
  )
  let rest = bounds.reduce((sum, bound) => sum + bound, 0)
  let added = 0
  let count = 0
  let isCollecting = true
  for (const [at, term] of rarestFirst.entries()) {
    if (count > worthBounding * best.count && rest < maxRecency * added) {
      const min = scoreToBeat(sums, count, index, best) - scoreTolerance
      isCollecting &&= recentScore(rest, index.nowSeconds) >= min
      if (!isCollecting) count = keepPromising(sums, count, index, { rest, min })
    }
    if (isCollecting) count = add(sums, term, index, { before: 0, count, mode: 'collect' })
    else raise(sums, term, index)
    rest -= bounds[at] ?? 0
    added += bounds[at] ?? 0
  }
  const found = keepPublic(sums, count, index, best.isWanted)
  const hits = top(collectHits(sums, found, index, best.count), best.count)
  clear(sums, sums.candidates.subarray(0, found))
  return hits
}

/** Leaves the candidates that get `min` at least, should they have all that is left of the words. @returns how many are left */
function keepPromising(
  { scores, bits, candidates }: Sums,
  count: number,
  { publishedSeconds }: IndexStatistics,
  { rest, min }: { rest: number; min: number }
): number {
  let found = 0
  for (let at = 0; at < count; at++) {
    const post = candidates[at] ?? 0
    if (recentScore((scores[post] ?? 0) + rest, publishedSeconds[post] ?? notPublished) >= min)
      candidates[found++] = post
    else scores[post] = bits[post] = 0
  }
  return found
}

const isPublicAt = (seconds: number, { nowSeconds }: IndexStatistics) =>
  seconds !== notPublished && seconds <= nowSeconds

/** Of many candidates only the first are compared. They have the rarest words. The bound they give is never above that of all. */
const maxCompared = 16_384

/** A lower bound of the score of the last of the `best.count` best posts; 0 while fewer were scored. */
function scoreToBeat({ scores, candidates, compared }: Sums, count: number, index: IndexStatistics, best: Best) {
  let found = 0
  for (let at = 0; at < Math.min(count, maxCompared); at++) {
    const post = candidates[at] ?? 0
    const seconds = index.publishedSeconds[post] ?? notPublished
    if (isPublicAt(seconds, index) && best.isWanted(post)) compared[found++] = recentScore(scores[post] ?? 0, seconds)
  }
  return found < best.count ? 0 : nthLargest(compared.subarray(0, found), best.count)
}

/** Leaves the candidates that are public and wanted; the sums of the others are cleared. @returns how many are left */
function keepPublic(
  { scores, bits, candidates }: Sums,
  count: number,
  index: IndexStatistics,
  isWanted: (post: number) => boolean = () => true
): number {
  let found = 0
  for (let at = 0; at < count; at++) {
    const post = candidates[at] ?? 0
    if (isPublicAt(index.publishedSeconds[post] ?? notPublished, index) && isWanted(post)) candidates[found++] = post
    else scores[post] = bits[post] = 0
  }
  return found
}

/** The first `count` candidates as hits, in no order. Where `best` is less: the best of them, and perhaps a few more. */
function collectHits(sums: Sums, count: number, index: IndexStatistics, best = count): Hits {
  const { scores, bits, candidates, compared } = sums
  const { publishedSeconds } = index
  const keyOf = (post: number) => rankingKey(scores[post] ?? 0, publishedSeconds[post] ?? notPublished)
  const postNos = count <= best ? candidates.slice(0, count) : bestOf()
  const hits = { postNos, keys: new Float64Array(postNos.length), bits: new Uint32Array(postNos.length) }
  for (let at = 0; at < postNos.length; at++) {
    const post = postNos[at] ?? 0
    hits.keys[at] = keyOf(post)
    hits.bits[at] = bits[post] ?? 0
  }
  return hits

  function bestOf(): Int32Array {
    const first = Math.min(count, maxCompared)
    for (let at = 0; at < first; at++) compared[at] = keyOf(candidates[at] ?? 0)
    const min = nthLargest(compared.subarray(0, first), best)
    const found: number[] = []
    for (let at = 0; at < count; at++) if (keyOf(candidates[at] ?? 0) >= min) found.push(candidates[at] ?? 0)
    return Int32Array.from(found)
  }
}

function clear({ scores, bits }: Sums, postNos: Int32Array): void {
  for (const post of postNos) {
    scores[post] = 0
    bits[post] = 0
  }
}

/** A score with the age of the post. */
const recentScore = (score: number, seconds: number): number =>
  Math.min(score, maxScore) * (1 + timeOf(seconds) / recencyHorizon)

const timeOf = (seconds: number) => Math.min(Math.max(seconds, 0), keySeconds - 1)

/** Orders posts: the score with the age of the post, then its time. */
export const rankingKey = (score: number, seconds: number): number =>
  Math.max(1, Math.round(recentScore(score, seconds) * keyScale)) * keySeconds + timeOf(seconds)
