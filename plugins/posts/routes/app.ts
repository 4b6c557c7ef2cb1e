import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  access,
  type CacheRule,
  encodeCursor,
  type ListIdentity,
  listMark,
  type Page,
  type PageQuery,
  type PageRequest,
  pageRequest
} from '#core'
import type { RankingPart } from '../search/fusion.ts'
import { postsTopic, type Totals } from '../totals.ts'

export type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** A public read: cached until a post or a setting (addresses, titles) changes, or a slot is reached. */
export function publicRead(totals: Totals, ...topics: string[]): { access: typeof access.public; cache: CacheRule } {
  return {
    access: access.public,
    cache: { topics: [postsTopic, 'settings', ...topics], until: totals.until, prepare: totals.learn }
  }
}

/** The page of posts asked for. Its cursor holds the place in time, as PostgreSQL writes it, and the id. */
export const postPage = (query: PageQuery, of: ListIdentity): PageRequest =>
  pageRequest(query, ['timestamp', 'uuid'], of)

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
    ...{ items, total, limit, offset: given },
    next_cursor: next < total ? rankingCursor(ranked, next, post_nos.at(-1)) : null
  }
}

export const cursorOf = ({ sorted_at, post_id }: { sorted_at: string; post_id: string }) =>
  [sorted_at, post_id] as const
