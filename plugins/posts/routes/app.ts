import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { access, type CacheRule, encodeCursor, type Page, type PageQuery, type PageRequest, pageRequest } from '#core'
import type { RankingPart } from '../search/fusion.ts'
import { postsTopic, type Totals } from '../totals.ts'

export type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** A public read: kept as ready bytes until a post or a setting (addresses, titles) changes, or a slot is reached. */
export function publicRead(totals: Totals, ...topics: string[]): { access: typeof access.public; cache: CacheRule } {
  return {
    access: access.public,
    cache: { topics: [postsTopic, 'settings', ...topics], until: totals.until, learn: totals.learn }
  }
}

/** The page of posts asked for. Its cursor holds the place in time, as PostgreSQL writes it, and the id. */
export const postPage = (query: PageQuery): PageRequest => pageRequest(query, ['timestamp', 'uuid'])

/** The part of a ranking asked for, and the offset that was given: a cursor holds the place in it, and the post before. */
export function rankingPart(query: PageQuery, defaultLimit?: number): RankingPart & { given: number } {
  const { after, limit, offset: given } = pageRequest({ limit: defaultLimit, ...query }, ['integer', 'integer'])
  if (after === null) return { limit, offset: given, given }
  const [place = 0, post_no = 0] = after.map(Number)
  return { limit, offset: place, after: post_no, given }
}

export const rankingCursor = (place: number, post_no: number | undefined): string =>
  encodeCursor([String(place), String(post_no ?? 0)])

/** A page of a ranking. */
export function toRankingPage<Item>(
  { items, total, from, post_nos }: { items: Item[]; total: number; from: number; post_nos: readonly number[] },
  { limit, given }: { limit: number; given: number }
): Page<Item> {
  const next = from + limit
  return {
    ...{ items, total, limit, offset: given },
    next_cursor: next < total ? rankingCursor(next, post_nos.at(-1)) : null
  }
}

export const cursorOf = ({ sorted_at, post_id }: { sorted_at: string; post_id: string }) =>
  [sorted_at, post_id] as const
