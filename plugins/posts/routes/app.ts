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

/** A part of a ranking: `offset` is where it begins, `given` the offset asked for. */
export interface RankingPage {
  limit: number
  offset: number
  given: number
}

/** The part of a ranking asked for. A ranking has no key to go on from: the cursor is the place in it. */
export function rankingPage(query: PageQuery, defaultLimit?: number): RankingPage {
  const { after, limit, offset: given } = pageRequest({ limit: defaultLimit, ...query }, 1)
  const offset = after === null ? given : Number(after[0])
  if (!Number.isSafeInteger(offset) || offset < 0) throw wrongCursor()
  return { limit, offset, given }
}

export function toRankingPage<Item>(items: Item[], total: number, { limit, offset, given }: RankingPage): Page<Item> {
  const next = offset + limit
  return { items, total, limit, offset: given, next_cursor: next < total ? encodeCursor([String(next)]) : null }
}

export function wrongCursor(): InputError {
  return new InputError({ cursor: 'is not a cursor of this list: use next_cursor of a page as it is' })
}

export const cursorOf = ({ sorted_at, post_id }: { sorted_at: string; post_id: string }) =>
  [sorted_at, post_id] as const
