import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from './pages.ts'

/** Sends a page with its `Link` header. */
export function sendPage<Item>(request: FastifyRequest, reply: FastifyReply, page: Page<Item>): FastifyReply {
  addPageLinks(request, reply, page)
  return reply.send(page)
}

/** The same for a page whose items are JSON texts already; `more` are fields of the answer beside the page's own. */
export function sendSerializedPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { items, ...rest }: Page<string>,
  more: object = {}
): FastifyReply {
  addPageLinks(request, reply, { items, ...rest })
  const fields = JSON.stringify({ ...rest, ...more }).slice(1)
  return reply.type('application/json; charset=utf-8').send(`{"items":[${items.join(',')}],${fields}`)
}

/** The `Link` header of a page that is a part of an answer. */
export function addPageLinks(request: FastifyRequest, reply: FastifyReply, page: Page<unknown>): void {
  const links = pageLinks(new URL(request.url, 'http://localhost'), page)
  if (links !== '') reply.header('link', links)
}

function pageLinks({ pathname, search }: URL, page: Page<unknown>): string {
  // The query as it came: parsing it and writing it again costs more than all the rest.
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
