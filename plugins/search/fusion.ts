import { fuseRankings } from '#text'

export interface Fused {
  post_no: number
  score: number
}

/** A page of a ranking. Where the post `after` is still near its rank, the page begins after it instead of at `offset`. */
export interface RankingWindow {
  limit: number
  offset: number
  /** post_no of the last post of the page before: posts published or withdrawn meanwhile move no other onto two pages, or none. */
  after?: number | undefined
}

/** The index at which a page begins in this order. */
export function startOf({ offset, after }: RankingWindow, post_nos: ArrayLike<number>): number {
  if (after === undefined) return offset
  const index = Array.prototype.indexOf.call(post_nos, after)
  return index === -1 ? offset : index + 1
}

/** The list by words fused with the list by similarity, best first. */
export function fuse(byWords: Iterable<number>, bySimilarity: readonly number[], similarityWeight: number): Fused[] {
  const lists = [
    { ids: byWords, weight: 1 },
    { ids: bySimilarity, weight: similarityWeight }
  ]
  return fuseRankings(lists).map(({ id, score }) => ({ post_no: id, score }))
}
