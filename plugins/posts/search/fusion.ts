/**
 * Of reciprocal rank fusion. The usual 60 lets the worse of two lists push aside the first places of the better one: with
 * lists as unequal as those of the embedded embedder, it cost 10 % of nDCG@10, and this nothing (bench/README.md).
 */
const fusion = 3

export interface Fused {
  post_no: number
  score: number
}

/** A part of a ranking. Where the post `after` is still near its place, the part begins after it instead of at `offset`. */
export interface RankingPart {
  limit: number
  offset: number
  /** post_no of the last post of the part before: posts published or withdrawn meanwhile move no other into two parts, or none. */
  after?: number | undefined
}

/** Where a part begins in the order of these. */
export function beginningOf({ offset, after }: RankingPart, post_nos: ArrayLike<number>): number {
  if (after === undefined) return offset
  const place = Array.prototype.indexOf.call(post_nos, after)
  return place === -1 ? offset : place + 1
}

/** What a place in a list is worth, the first being 1. */
const worthOf = (place: number) => 1 / (fusion + place)

const rounded = (score: number) => Math.round(score * 1e6) / 1e6

/** The score at a place of one list alone. */
export const scoreAt = (place: number): number => rounded(worthOf(place))

/**
 * Adds up `1 / (3 + place)` over the list by words and the list by meaning, best first. Of equal scores, the one that
 * stands higher by words is first, then the one by meaning.
 */
export function fuse(byWords: Iterable<number>, byMeaning: readonly number[], meaningWeight: number): Fused[] {
  const scores = new Map<number, number>()
  const add = (weight: number) => {
    let place = 0
    return (post_no: number) => {
      place += 1
      scores.set(post_no, (scores.get(post_no) ?? 0) + weight * worthOf(place))
    }
  }
  const addByWords = add(1)
  for (const post_no of byWords) addByWords(post_no)
  byMeaning.forEach(add(meaningWeight))
  return [...scores].map(([post_no, score]) => ({ post_no, score: rounded(score) })).sort((a, b) => b.score - a.score)
}
