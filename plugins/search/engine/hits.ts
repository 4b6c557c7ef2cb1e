import type { EngineHits } from '../driver.ts'
import type { Hits } from '../inverted-index/hits.ts'
import { notPublished, type PostTable } from '../inverted-index/post-table.ts'
import { rankingKey } from '../inverted-index/ranking.ts'

/**
 * What an engine found, as far as the database agrees: each post once, that is public now and passes the filter. An engine may be
 * behind, or say anything.
 */
export function publicHits({ hits }: EngineHits, table: PostTable, nowSeconds: number): Hits {
  const scores = new Map<number, number>()
  for (const { post_no, score } of hits) {
    const seconds = table.publishedSeconds[post_no] ?? notPublished
    if (seconds === notPublished || seconds > nowSeconds) continue
    scores.set(post_no, Number.isFinite(score) ? Math.max(0, score) : 0)
  }
  const postNos = Int32Array.from(scores.keys())
  const keyOf = (post_no: number) =>
    rankingKey(scores.get(post_no) ?? 0, table.publishedSeconds[post_no] ?? notPublished)
  return { postNos, keys: Float64Array.from(postNos, keyOf), bits: new Uint32Array(postNos.length) }
}
