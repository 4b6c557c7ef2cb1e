import { type TSchema, Type } from 'typebox'
import { InputError } from '#core'
import { type CursorValue, decodeCursor, encodeCursor, type ListIdentity, listFingerprint } from './cursor.ts'

const defaultLimit = 20
export const maxLimit = 100

/** The list parameters every list takes; spread into a route's query schema. */
export const pageParameters = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'next_cursor of the previous page; excludes offset' })
  )
}

export interface PageQuery {
  limit?: number
  offset?: number
  cursor?: string
}

/** Where a list begins and how much of it is wanted. `after` is the decoded cursor; `list` is the fingerprint its cursors carry, absent where none are given out. */
export interface PageRequest {
  limit: number
  offset: number
  after: readonly string[] | null
  list?: string
}

/** One page of a list. `next_cursor` is null at the end. */
export interface Page<Item> {
  items: Item[]
  total: number
  limit: number
  offset: number
  next_cursor: string | null
}

/** The schema of a page of `item`. */
export const pageOf = (item: TSchema) =>
  Type.Object({
    items: Type.Array(item),
    total: Type.Integer({ description: 'Of all pages.', examples: [42] }),
    limit: Type.Integer({ examples: [defaultLimit] }),
    offset: Type.Integer({ examples: [0] }),
    next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'Null at the end.', examples: [null] })
  })

/**
 * Reads list parameters. `values` is what the list's cursors hold, in their order: `['timestamp', 'uuid']`; `of` is the list
 * they belong to: `['posts', category, tag]`.
 * @throws InputError for a cursor of another list or of other filters: what `after` holds can be compared in SQL as it is.
 */
export function pageRequest(query: PageQuery, values: readonly CursorValue[], of: ListIdentity): PageRequest {
  const list = listFingerprint(of)
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, values, list)
  if (after !== null && (query.offset ?? 0) > 0)
    throw new InputError({ cursor: 'cannot be combined with offset: use one of them' })
  return { limit: query.limit ?? defaultLimit, offset: query.offset ?? 0, after, list }
}

/** The first `limit` items of a list, for callers that show no cursor. */
export const firstPage = (limit: number): PageRequest => ({ limit, offset: 0, after: null })

/** How many rows to read for a page: one more than it holds, which tells `toPage` that there is a next page. */
export const fetchLimit = ({ limit }: PageRequest): number => limit + 1

/**
 * Makes a page from up to `fetchLimit` rows: the extra row is not shown.
 * `cursorOf` gives a row's sort values, the unique tie-break last.
 */
export function toPage<Item>(
  rows: Item[],
  request: PageRequest,
  total: number,
  cursorOf: (row: Item) => readonly string[]
): Page<Item> {
  const items = rows.slice(0, request.limit)
  const last = items.at(-1)
  const hasMore = rows.length > request.limit && last !== undefined
  return {
    items,
    total,
    limit: request.limit,
    offset: request.offset,
    next_cursor: hasMore ? encodeCursor(cursorOf(last), request) : null
  }
}
