/** One of the lists that are fused, best first. */
export interface RankedList<Id> {
  ids: Iterable<Id>
  weight: number
}

export interface FusedRank<Id> {
  id: Id
  score: number
}

/**
 * The usual 60 lets the worse of two lists push aside the first ranks of the better one. With lists as unequal as words and the
 * embedded embedder, it cost 10 % of nDCG@10 (bench/README.md).
 */
const rankConstant = 3

const sixDecimals = (score: number) => Math.round(score * 1e6) / 1e6

/** The score of a rank, the first being 1, in a list of weight 1 that is fused with no other. */
export const scoreOfRank = (rank: number): number => sixDecimals(1 / (rankConstant + rank))

/**
 * Reciprocal rank fusion: adds up `weight / (rankConstant + rank)` over the lists, best first. Of equal scores the one that
 * the earlier list has, or has higher, is first.
 */
export function fuseRankings<Id>(lists: readonly RankedList<Id>[]): FusedRank<Id>[] {
  const scores = new Map<Id, number>()
  for (const { ids, weight } of lists) {
    let rank = 0
    for (const id of ids) {
      rank += 1
      scores.set(id, (scores.get(id) ?? 0) + weight / (rankConstant + rank))
    }
  }
  return [...scores].map(([id, score]) => ({ id, score: sixDecimals(score) })).sort((a, b) => b.score - a.score)
}
