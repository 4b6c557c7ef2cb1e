import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { AuthError, access, NotFoundError, requestSignal, sendPage, sendReadyPage, toPage } from '#core'
import type { Parts } from '../parts.ts'
import { type ListedRow, listAll, listPublic } from '../repository/lists.ts'
import { findByIdOrPrefix, findMovedTo } from '../repository/reads.ts'
import { entityTag, postOf, summaryOf } from '../representation.ts'
import {
  defaultRelated,
  FoundPage,
  Post,
  PostPage,
  PostQuery,
  RelatedPage,
  RelatedQuery,
  SearchQuery,
  SlugParameter
} from '../schemas.ts'
import { createDeadline, usualMs } from '../search/deadline.ts'
import { languagesTopic, searchTopic } from '../search/terms.ts'
import { type App, cursorOf, postPage, publicRead, rankingPart, toRankingPage } from './app.ts'

/** The answer where a post has another slug now. */
const moved = Type.Null({ description: 'The slug has changed: Location has the new one.' })

export function readRoutes(app: App, parts: Parts): void {
  listPosts(app, parts)
  searchPosts(app, parts)
  readPost(app, parts)
  relatedPosts(app, parts)
  readFeed(app, parts)
}

function listPosts(app: App, { db, totals, links }: Parts): void {
  const config = { ...publicRead(totals), access: access.optional('api:read') }
  const schema = {
    ...{ operationId: 'listPosts', tags: ['posts'], summary: 'Posts, newest first' },
    ...{ querystring: PostQuery, response: { 200: PostPage } }
  }
  app.get('/api/posts', { config, schema }, async (request, reply) => {
    const { status = 'published', category, tag } = request.query
    const isAdmin = request.principal !== null
    if (status !== 'published' && !isAdmin) {
      throw new AuthError(`Posts that are ${status} are shown to bearers of a token only: get one from POST /token.`)
    }
    const page = postPage(request.query, ['posts', status, category, tag])
    const send = ([rows, total]: [ListedRow[], number]) => {
      const { items, ...rest } = toPage(rows, page, total, cursorOf)
      return sendPage(request, reply, { items: items.map(row => summaryOf(row, links)), ...rest })
    }
    if (status !== 'published') {
      const filter = { status, category, tag }
      return send(await Promise.all([listAll(db, filter, page), totals.ofAll(filter)]))
    }
    const filter = { category, tag }
    return send(await Promise.all([listPublic(db, filter, page, isAdmin), totals.ofPublic(filter)]))
  })
}

function searchPosts(app: App, { search, totals }: Parts): void {
  const schema = {
    ...{ operationId: 'searchPosts', tags: ['posts'], summary: 'Public posts by words and by meaning, best first' },
    ...{ querystring: SearchQuery, response: { 200: FoundPage } }
  }
  const { access, cache } = publicRead(totals, searchTopic, languagesTopic)
  const config = { access, cache: { ...cache, isCachedOnRepeat: true }, load: 'search', rateLimit: 'search' } as const
  app.get('/api/posts/search', { config, schema }, async (request, reply) => {
    const { q } = request.query
    const asked = rankingPart(request.query, { q })
    const deadline = createDeadline(usualMs, requestSignal(request))
    const found = await search.find(q, asked, { deadline })
    return sendReadyPage(request, reply, toRankingPage(found, asked), markDegraded(reply, found.isDegraded))
  })
}

/** Tells what was found without an embedder; it must not be kept, because nothing tells when the embedder is back. */
function markDegraded(reply: FastifyReply, isDegraded: boolean): { degraded?: true } {
  if (!isDegraded) return {}
  reply.header('cache-control', 'no-store')
  return { degraded: true }
}

function relatedPosts(app: App, { db, related, totals }: Parts): void {
  const schema = {
    ...{ operationId: 'listRelatedPosts', tags: ['posts'], summary: 'Public posts like this one, best first' },
    ...{ params: SlugParameter, querystring: RelatedQuery, response: { 200: RelatedPage, 301: moved } }
  }
  const config = { ...publicRead(totals, searchTopic, languagesTopic), load: 'search', rateLimit: 'search' } as const
  app.get('/api/posts/:slug/related', { config, schema }, async (request, reply) => {
    const { slug } = request.params
    const asked = rankingPart(request.query, { slug }, defaultRelated)
    const found = await related.to(slug, asked)
    if (found !== undefined) {
      const page = toRankingPage(found, asked)
      return sendPage(request, reply, { ...page, ...markDegraded(reply, found.isDegraded) })
    }
    const newSlug = await findMovedTo(db, slug)
    if (newSlug === undefined) throw new NotFoundError(`There is no public post with the slug ${slug}.`)
    const { search: query } = new URL(request.url, 'http://localhost')
    return reply.header('cache-control', 'no-cache').redirect(`/api/posts/${newSlug}/related${query}`, 301)
  })
}

const postSummary = 'A public post by its slug, 301 when that has changed; with a token any post by its post_id, too'

function readPost(app: App, { db, bySlug, totals, links }: Parts): void {
  const schema = {
    ...{ operationId: 'getPost', tags: ['posts'], summary: postSummary },
    ...{ params: SlugParameter, response: { 200: Post, 301: moved } }
  }
  const config = { ...publicRead(totals), access: access.optional('api:read') }
  app.get('/api/posts/:slug', { config, schema }, async (request, reply) => {
    const { slug } = request.params
    const post = await (request.principal === null ? bySlug.reader : bySlug.admin).load(slug)
    if (post !== undefined) return reply.header('etag', entityTag(post)).send(postOf(post, links))
    const newSlug = await findMovedTo(db, slug)
    const byId = newSlug === undefined && request.principal !== null ? await findByIdOrPrefix(db, slug) : undefined
    if (byId !== undefined) return reply.header('etag', entityTag(byId)).send(postOf(byId, links))
    if (newSlug === undefined) throw new NotFoundError(`There is no public post with the slug ${slug}.`)
    // A redirect ends when another post takes the slug: it must be asked for again.
    return reply.header('cache-control', 'no-cache').redirect(`/api/posts/${newSlug}`, 301)
  })
}

function readFeed(app: App, { feed, totals }: Parts): void {
  const schema = {
    operationId: 'getFeed',
    tags: ['posts'],
    summary: 'RSS 2.0 feed of the newest public posts',
    response: { 200: { content: { 'application/rss+xml': { schema: Type.String() } } } }
  }
  app.get('/feed.xml', { config: { ...publicRead(totals), load: 'heavy' }, schema }, async (_, reply) => {
    return reply.type('application/rss+xml; charset=utf-8').send(await feed())
  })
}
