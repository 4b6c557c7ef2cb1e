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

/** The index at which a page begins in this order. One of the posts before may have got another rank: most stand as they did. */
export function startOf({ offset, after = [] }: RankingWindow, post_nos: ArrayLike<number>): number {
  const found = after.flatMap((post_no, at) => {
    const index = Array.prototype.indexOf.call(post_nos, post_no)
    return index === -1 ? [] : [{ index, shift: index - at }]
  })
  const groups = [...Map.groupBy(found.toReversed(), ({ shift }) => shift).values()]
  const [last] = groups.sort((a, b) => b.length - a.length)[0] ?? []
  return last === undefined ? offset : last.index + 1
}

/** The list by words fused with the list by similarity, best first. */
export function fuse(byWords: Iterable<number>, bySimilarity: readonly number[], similarityWeight: number): Fused[] {
  const lists = [
    { ids: byWords, weight: 1 },
    { ids: bySimilarity, weight: similarityWeight }
  ]
  return fuseRankings(lists).map(({ id, score }) => ({ post_no: id, score }))
}
