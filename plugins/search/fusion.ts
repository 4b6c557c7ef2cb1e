import { fuseRankings } from '#text'

export interface Fused {
  post_no: number
  score: number
}

/** A page of a ranking. It begins after the posts of the page before; where none of them is near its rank, at `offset`. */
export interface RankingWindow {
  limit: number
  offset: number
  /**
   * post_no of the last posts of the page before, in their order: posts published or withdrawn meanwhile move no other onto two
   * pages, or none. Absent on a page that follows none.
   */
  after?: readonly number[] | undefined
}

/**
 * The index at which a page begins in this order. Posts come and go between those of the page before; fewer than half of them that
 * stand apart behind the others, with as many posts between, have got another rank.
 */
export function startOf({ offset, after = [] }: RankingWindow, post_nos: ArrayLike<number>): number {
  const found = after
    .map(post_no => Array.prototype.indexOf.call(post_nos, post_no))
    .filter(index => index !== -1)
    .sort((a, b) => a - b)
  const end = found.findIndex((index, at) => {
    const behind = found.length - at
    return behind < at && index - (found[at - 1] ?? index) > behind
  })
  const last = found.at(end === -1 ? -1 : end - 1)
  return last === undefined ? offset : last + 1
}

/** The list by words fused with the list by similarity, best first. */
export function fuse(byWords: Iterable<number>, bySimilarity: readonly number[], similarityWeight: number): Fused[] {
  const lists = [
    { ids: byWords, weight: 1 },
    { ids: bySimilarity, weight: similarityWeight }
  ]
  return fuseRankings(lists).map(({ id, score }) => ({ post_no: id, score }))
}
