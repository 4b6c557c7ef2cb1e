import { fuseRankings, scoreOfRank } from '#text'

/**
 * The constant of reciprocal rank fusion. The usual 60 lets the worse of two lists push aside the first ranks of the
 * better one. With lists as unequal as those of the embedded embedder, it cost 10 % of nDCG@10 (bench/README.md).
 */
const constant = 3

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

/** The score at a place of one list alone. */
export const scoreAt = (place: number): number => scoreOfRank(place, constant)

/** The list by words fused with the list by meaning, best first. */
export function fuse(byWords: Iterable<number>, byMeaning: readonly number[], meaningWeight: number): Fused[] {
  const lists = [
    { ids: byWords, weight: 1 },
    { ids: byMeaning, weight: meaningWeight }
  ]
  return fuseRankings(lists, constant).map(({ id, score }) => ({ post_no: id, score }))
}
