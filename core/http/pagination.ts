import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { InputError } from '../errors.ts'

export const defaultLimit = 20
export const maximumLimit = 100

/** The list parameters every list takes; spread into a route's query schema. */
export const pageParameters = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maximumLimit, default: defaultLimit })),
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

/** Where a list begins and how much of it is wanted. `after` is the decoded cursor. */
export interface PageRequest {
  limit: number
  offset: number
  after: readonly string[] | null
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

/** Reads list parameters. `keys` is how many values the list's cursors hold. */
export function pageRequest(query: PageQuery, keys: number): PageRequest {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, keys)
  if (after !== null && (query.offset ?? 0) > 0)
    throw new InputError({ cursor: 'cannot be combined with offset: use one of them' })
  return { limit: query.limit ?? defaultLimit, offset: query.offset ?? 0, after }
}

/**
 * Makes a page from up to `limit + 1` rows: the extra row only tells that there is more.
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
    next_cursor: hasMore ? encodeCursor(cursorOf(last)) : null
  }
}

/** Sends a page with its `Link` header. */
export function sendPage<Item>(request: FastifyRequest, reply: FastifyReply, page: Page<Item>): FastifyReply {
  addPageLinks(request, reply, page)
  return reply.send(page)
}

/** The same for a page whose items are JSON texts already; `more` are fields of the answer beside the page's own. */
export function sendReadyPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { items, ...rest }: Page<string>,
  more: object = {}
): FastifyReply {
  addPageLinks(request, reply, { items, ...rest })
  const fields = JSON.stringify({ ...rest, ...more }).slice(1)
  return reply.type('application/json; charset=utf-8').send(`{"items":[${items.join(',')}],${fields}`)
}

function addPageLinks(request: FastifyRequest, reply: FastifyReply, page: Page<unknown>): void {
  const links = pageLinks(new URL(request.url, 'http://localhost'), page)
  if (links !== '') reply.header('link', links)
}

function pageLinks({ pathname, search }: URL, page: Page<unknown>): string {
  // The query as it came: to take it apart and write it anew costs more than all the rest.
  const given = search.slice(1).split('&')
  const others = given.filter(pair => !['', 'cursor', 'offset'].includes(nameOf(pair)))
  const link = (rel: string, parameter: string) => `<${pathname}?${[...others, parameter].join('&')}>; rel="${rel}"`
  const byCursor = given.some(pair => nameOf(pair) === 'cursor')
  const links: string[] = []
  if (page.next_cursor !== null)
    links.push(link('next', byCursor ? `cursor=${page.next_cursor}` : `offset=${page.offset + page.limit}`))
  if (!byCursor && page.offset > 0 && page.total > 0) links.push(link('prev', `offset=${previousOffset(page)}`))
  return links.join(', ')
}

/** From past the end, the last page there is. */
function previousOffset({ total, limit, offset }: Page<unknown>): number {
  const last = Math.floor((total - 1) / limit) * limit
  return Math.max(0, Math.min(offset - limit, last))
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=', 1)
  return name.includes('%') ? ([...new URLSearchParams(pair).keys()][0] ?? '') : name
}

/** A cursor from the sort values of the row it stands for. */
export function encodeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

function decodeCursor(text: string, keys: number): string[] {
  const refused = new InputError({ cursor: 'is not a cursor of this list: use next_cursor of a page as it is' })
  let values: unknown
  try {
    values = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    throw refused
  }
  if (!Array.isArray(values) || values.length !== keys || !values.every(isStorableText)) throw refused
  return values
}

/** PostgreSQL takes neither NUL nor half a surrogate pair. */
const isStorableText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
