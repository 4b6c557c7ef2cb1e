import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { InputError } from '../contract/errors.ts'

const defaultLimit = 20
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

/** Where a list begins and how much of it is wanted. `after` is the decoded cursor; `list` is the mark its cursors carry, absent where none are given out. */
export interface PageRequest {
  limit: number
  offset: number
  after: readonly string[] | null
  list?: string
}

/** What a list is of: its name, then each filter it was asked with, always in the same order. */
export type ListIdentity = readonly [name: string, ...filters: (string | number | boolean | null | undefined)[]]

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

/** What a value of a cursor is: a moment as the database writes it, an id, a whole number from 0 on, or any text. */
export type CursorValue = 'timestamp' | 'uuid' | 'integer' | 'text'

/**
 * Reads list parameters. `values` is what the list's cursors hold, in their order: `['timestamp', 'uuid']`; `of` is the list
 * they belong to: `['posts', category, tag]`.
 * @throws InputError for a cursor of another list or of other filters: what `after` holds can be compared in SQL as it is.
 */
export function pageRequest(query: PageQuery, values: readonly CursorValue[], of: ListIdentity): PageRequest {
  const list = listMark(of)
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, values, list)
  if (after !== null && (query.offset ?? 0) > 0)
    throw new InputError({ cursor: 'cannot be combined with offset: use one of them' })
  return { limit: query.limit ?? defaultLimit, offset: query.offset ?? 0, after, list }
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
    next_cursor: hasMore ? encodeCursor(cursorOf(last), request) : null
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

/** Short, as cursors stand in addresses: it tells lists apart, and keeps no secret. */
export const listMark = (of: ListIdentity): string => hash('sha256', JSON.stringify(of), 'base64url').slice(0, 10)

/** A cursor from the sort values of the row it stands for, for the list of a request. */
export function encodeCursor(values: readonly string[], { list = '' }: Pick<PageRequest, 'list'>): string {
  return Buffer.from(JSON.stringify([...values, list])).toString('base64url')
}

function decodeCursor(text: string, kinds: readonly CursorValue[], list: string): string[] {
  const refused = new InputError({
    cursor: 'is not a cursor of this list and these filters: use next_cursor of a page as it is, with the same filters'
  })
  let values: unknown
  try {
    values = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    throw refused
  }
  if (!Array.isArray(values) || values.length !== kinds.length + 1 || values.pop() !== list) throw refused
  if (!kinds.every((kind, place) => isStorableText(values[place]) && forms[kind](values[place]))) throw refused
  return values
}

const forms: Readonly<Record<CursorValue, (value: string) => boolean>> = {
  timestamp: isTimestamp,
  uuid: value => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  integer: value => /^(0|[1-9]\d{0,14})$/.test(value),
  text: () => true
}

const timestamp = /^(\d{4,6})-(0[1-9]|1[0-2])-(\d\d)[T ]([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?(Z|\+00)$/
/** PostgreSQL's last year. */
const lastYear = 294_275

/** As a driver reads one, or as PostgreSQL writes it in full; a day that there is. */
function isTimestamp(value: string): boolean {
  const [, year, month, day] = (timestamp.exec(value) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  // Day 0 of the next month is the last of this one. The calendar repeats after 400 years; `UTC` takes years under 100 for 19xx.
  const days = new Date(Date.UTC(2_000 + (year % 400), month, 0)).getUTCDate()
  return year >= 1 && year <= lastYear && day >= 1 && day <= days
}

/** PostgreSQL takes neither NUL nor half a surrogate pair. */
const isStorableText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
