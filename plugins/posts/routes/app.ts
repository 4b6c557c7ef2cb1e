import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  access,
  type CacheRule,
  encodeCursor,
  InputError,
  type Page,
  type PageQuery,
  type PageRequest,
  pageRequest
} from '#core'
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

const timestamp = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The page of posts asked for. Its cursor holds the place in time, as PostgreSQL writes it, and the id. */
export function postPage(query: PageQuery): PageRequest {
  const page = pageRequest(query, 2)
  const [at, post_id] = page.after ?? []
  const isPlace =
    at !== undefined &&
    post_id !== undefined &&
    timestamp.test(at) &&
    !Number.isNaN(Date.parse(at)) &&
    uuid.test(post_id)
  if (page.after !== null && !isPlace) throw wrongCursor()
  return page
}

/** The part of a ranking asked for, and the offset that was given: a cursor holds the place in it, and the post before. */
export function rankingPart(query: PageQuery, defaultLimit?: number): RankingPart & { given: number } {
  const { after, limit, offset: given } = pageRequest({ limit: defaultLimit, ...query }, 2)
  if (after === null) return { limit, offset: given, given }
  const [place, post_no] = after.map(Number)
  if (!isPlaceNumber(place) || !isPlaceNumber(post_no)) throw wrongCursor()
  return { limit, offset: place, after: post_no, given }
}

const isPlaceNumber = (value: number | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 0

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

export function wrongCursor(): InputError {
  return new InputError({ cursor: 'is not a cursor of this list: use next_cursor of a page as it is' })
}

export const cursorOf = ({ sorted_at, post_id }: { sorted_at: string; post_id: string }) =>
  [sorted_at, post_id] as const
