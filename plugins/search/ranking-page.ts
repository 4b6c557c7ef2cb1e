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

/** The last one may be withdrawn before the next page is asked for, and some before it. */
const maxPostsBefore = 5
const cursorValues = ['integer', ...Array.from({ length: maxPostsBefore }, () => 'integer' as const)] as const
/** Where fewer came before. */
const noPost = 0

/**
 * The page of a ranking asked for: a cursor holds a rank in it and the posts before.
 * @throws InputError for a cursor of another ranking.
 */
export function rankingWindow(query: PageQuery, ranking: RankingIdentity, defaultLimit?: number): RankingRequest {
  const page = pageRequest({ limit: defaultLimit, ...query }, cursorValues, identityOf(ranking))
  const { after, limit, offset: requestedOffset } = page
  if (after === null) return { limit, offset: requestedOffset, requestedOffset, ranking }
  const [rank = 0, ...before] = after.map(Number)
  return { limit, offset: rank, after: before.filter(post_no => post_no !== noPost), requestedOffset, ranking }
}

const identityOf = (ranking: RankingIdentity): ListIdentity =>
  'q' in ranking
    ? ['search', ranking.q, ...(ranking.filter === undefined ? [] : [JSON.stringify(ranking.filter)])]
    : ['related posts', ranking.slug]

/** A cursor at a rank, which these posts come before: the last ones are in it. */
export function rankingCursor(ranking: RankingIdentity, rank: number, before: readonly number[]): string {
  const last = before.slice(-maxPostsBefore)
  const none = Array.from({ length: maxPostsBefore - last.length }, () => noPost)
  return encodeCursor([rank, ...none, ...last].map(String), { list: listFingerprint(identityOf(ranking)) })
}

/** A page of a ranking. */
export function toRankingPage<Item>(
  { items, total, from, post_nos }: { items: Item[]; total: number; from: number; post_nos: readonly number[] },
  { limit, after = [], requestedOffset, ranking }: RankingRequest
): Page<Item> {
  const next = from + limit
  return {
    items,
    total,
    limit,
    offset: requestedOffset,
    next_cursor: next < total ? rankingCursor(ranking, next, [...after, ...post_nos]) : null
  }
}
