import { fuseRankings } from '#text'

export interface Fused {
  post_no: number
  score: number
}

/** A page of a ranking. It begins after the last of `after` that is still near its rank; after none of them, at `offset`. */
export interface RankingWindow {
  limit: number
  offset: number
  /**
   * post_no of the last posts of the page before, in their order: posts published or withdrawn meanwhile move no other onto two
   * pages, or none. Absent on a page that follows none.
   */
  after?: readonly number[] | undefined
}

/** The index at which a page begins in this order. */
export function startOf({ offset, after = [] }: RankingWindow, post_nos: ArrayLike<number>): number {
  for (const post_no of after.toReversed()) {
    const index = Array.prototype.indexOf.call(post_nos, post_no)
    if (index !== -1) return index + 1
  }
  return offset
}

/** The list by words fused with the list by similarity, best first. */
export function fuse(byWords: Iterable<number>, bySimilarity: readonly number[], similarityWeight: number): Fused[] {
  const lists = [
    { ids: byWords, weight: 1 },
    { ids: bySimilarity, weight: similarityWeight }
  ]
  return fuseRankings(lists).map(({ id, score }) => ({ post_no: id, score }))
}
