import { encodeCursor, type ListIdentity, listFingerprint, type Page, type PageQuery, pageRequest } from '#lists'
import type { RankingWindow } from './fusion.ts'

/** What a ranking is of. A rank in one says nothing in another. */
type RankingIdentity = { q: string; filter?: object } | { slug: string }

/** The ranking of a query, with its filter if it has one. */
export const searchIdentity = (q: string, filter: object | undefined): RankingIdentity =>
  filter === undefined ? { q } : { q, filter }

/** The page of a ranking asked for, and the offset in the request. */
interface RankingRequest extends RankingWindow {
  requestedOffset: number
  ranking: RankingIdentity
}

/**
 * The page of a ranking asked for: a cursor holds a rank in it and the post before.
 * @throws InputError for a cursor of another ranking.
 */
export function rankingWindow(query: PageQuery, ranking: RankingIdentity, defaultLimit?: number): RankingRequest {
  const page = pageRequest({ limit: defaultLimit, ...query }, ['integer', 'integer'], identityOf(ranking))
  const { after, limit, offset: requestedOffset } = page
  if (after === null) return { limit, offset: requestedOffset, requestedOffset, ranking }
  const [rank, post_no] = after
  return { limit, offset: Number(rank), after: Number(post_no), requestedOffset, ranking }
}

const identityOf = (ranking: RankingIdentity): ListIdentity =>
  'q' in ranking
    ? ['search', ranking.q, ...(ranking.filter === undefined ? [] : [JSON.stringify(ranking.filter)])]
    : ['related posts', ranking.slug]

export const rankingCursor = (ranking: RankingIdentity, rank: number, post_no: number | undefined): string =>
  encodeCursor([String(rank), String(post_no ?? 0)], { list: listFingerprint(identityOf(ranking)) })

/** A page of a ranking. */
export function toRankingPage<Item>(
  { items, total, from, post_nos }: { items: Item[]; total: number; from: number; post_nos: readonly number[] },
  { limit, requestedOffset, ranking }: RankingRequest
): Page<Item> {
  const next = from + limit
  return {
    items,
    total,
    limit,
    offset: requestedOffset,
    next_cursor: next < total ? rankingCursor(ranking, next, post_nos.at(-1)) : null
  }
}
