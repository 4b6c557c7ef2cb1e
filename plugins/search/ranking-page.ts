import { encodeCursor, type ListIdentity, listMark, type Page, type PageQuery, pageRequest } from '#core'
import type { RankingPart } from './fusion.ts'

/** What a ranking is of: the places of one say nothing in another. */
export type Ranked = { q: string } | { slug: string }

/** The part of a ranking asked for, and the offset that was given. */
export interface RankingRequest extends RankingPart {
  given: number
  ranked: Ranked
}

/**
 * The part of a ranking asked for: a cursor holds the place in it and the post before.
 * @throws InputError for a cursor of another ranking.
 */
export function rankingPart(query: PageQuery, ranked: Ranked, defaultLimit?: number): RankingRequest {
  const page = pageRequest({ limit: defaultLimit, ...query }, ['integer', 'integer'], identityOf(ranked))
  const { after, limit, offset: given } = page
  if (after === null) return { limit, offset: given, given, ranked }
  const [place, post_no] = after
  return { limit, offset: Number(place), after: Number(post_no), given, ranked }
}

const identityOf = (ranked: Ranked): ListIdentity =>
  'q' in ranked ? ['search', ranked.q] : ['related posts', ranked.slug]

export const rankingCursor = (ranked: Ranked, place: number, post_no: number | undefined): string =>
  encodeCursor([String(place), String(post_no ?? 0)], { list: listMark(identityOf(ranked)) })

/** A page of a ranking. */
export function toRankingPage<Item>(
  { items, total, from, post_nos }: { items: Item[]; total: number; from: number; post_nos: readonly number[] },
  { limit, given, ranked }: RankingRequest
): Page<Item> {
  const next = from + limit
  return {
    items,
    total,
    limit,
    offset: given,
    next_cursor: next < total ? rankingCursor(ranked, next, post_nos.at(-1)) : null
  }
}
