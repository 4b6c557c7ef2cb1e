import type { FastifyRequest } from 'fastify'
import { type App, AuthError, access, NotFoundError, Type } from '#core'
import { sendPage, toPage } from '#lists'
import { purgeBy, purgeTag } from '../cache-tags.ts'
import type { PostComponents } from '../components.ts'
import { cursorOf, postPage, publicRead } from '../reads/pages.ts'
import { entityTag, postOf, summaryOf } from '../reads/representation.ts'
import { findCurrentSlug } from '../repository/ids.ts'
import { type ListedRow, listAll, listPublic } from '../repository/lists.ts'
import { findByIdOrPrefix } from '../repository/reads.ts'
import { Post, PostPage, PostQuery, SlugParameter } from '../schemas.ts'
import { reservedSlugs } from '../slug.ts'

/** The answer where a post has another slug now. */
const moved = Type.Null({ description: 'The slug has changed: Location has the new one.' })

export function readRoutes(app: App, components: PostComponents): void {
  listPostsRoute(app, components)
  readPostRoute(app, components)
}

function listPostsRoute(app: App, { db, nextPublication, totals, links }: PostComponents): void {
  const config = { ...publicRead(nextPublication), access: access.optional('api:read') }
  const schema = {
    operationId: 'listPosts',
    tags: ['posts'],
    summary: 'Posts, newest first',
    querystring: PostQuery,
    response: { 200: PostPage }
  }
  app.get('/api/posts', { config, schema }, async (request, reply) => {
    const { status = 'published', category, tag } = request.query
    const isBearer = request.principal !== null
    if (status !== 'published' && !isBearer) {
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
    return send(await Promise.all([listPublic(db, filter, page, isBearer), totals.ofPublic(filter)]))
  })
}

const postSummary = 'A public post by its slug, 301 when that has changed; with a token any post by its post_id, too'

function readPostRoute(app: App, { db, bySlug, nextPublication, links }: PostComponents): void {
  const schema = {
    operationId: 'getPost',
    tags: ['posts'],
    summary: postSummary,
    params: SlugParameter,
    response: { 200: Post, 301: moved }
  }
  const config = { ...publicRead(nextPublication), access: access.optional('api:read') }
  // Without the plugin that serves the address, its requests arrive here. They get 404 before their query is checked.
  const preValidation = async ({ params }: FastifyRequest) => {
    const { slug } = params as { slug: string }
    if (reservedSlugs.has(slug)) throw noPublicPost(slug)
  }
  app.get('/api/posts/:slug', { config, schema, preValidation }, async (request, reply) => {
    const { slug } = request.params
    purgeBy(request, purgeTag.post(slug))
    const post = await (request.principal === null ? bySlug.anonymous : bySlug.bearer).load(slug)
    if (post !== undefined) return reply.header('etag', entityTag(post, links)).send(postOf(post, links))
    const newSlug = await findCurrentSlug(db, slug)
    const byId = newSlug === undefined && request.principal !== null ? await findByIdOrPrefix(db, slug) : undefined
    if (byId !== undefined) return reply.header('etag', entityTag(byId, links)).send(postOf(byId, links))
    if (newSlug === undefined) throw noPublicPost(slug)
    // A redirect ends when another post takes the slug: it must be asked for again.
    return reply.header('cache-control', 'no-cache').redirect(`/api/posts/${newSlug}`, 301)
  })
}

const noPublicPost = (slug: string) => new NotFoundError(`There is no public post with the slug ${slug}.`)
