import type { FastifyReply } from 'fastify'
import {
  type App,
  access,
  type FastifyPluginAsyncTypebox,
  NotFoundError,
  requestSignal,
  Type,
  validationFields
} from '#core'
import { sendPage, sendSerializedPage } from '#lists'
import { searchCacheTags } from './cache-tags.ts'
import type { SearchComponents } from './components.ts'
import { filterOf, toFacets } from './filter-query.ts'
import { rankingWindow, searchIdentity, toRankingPage } from './ranking-page.ts'
import {
  defaultRelated,
  defaultSuggestions,
  FoundPage,
  PostSearchQuery,
  RelatedPage,
  RelatedParams,
  RelatedQuery,
  SuggestionList,
  SuggestQuery
} from './schemas.ts'

/** Every route of the plugin. */
export const searchRoutes =
  (components: SearchComponents): FastifyPluginAsyncTypebox =>
  async app => {
    searchPosts(app, components)
    suggestPosts(app, components)
    relatedPosts(app, components)
    app.addHook('onListen', async () => components.readAhead())
    app.addHook('onClose', () => components.close())
  }

const limited = { access: access.public, cost: 'scan', rateLimit: 'query' } as const

function searchPosts(app: App, { search, published }: SearchComponents): void {
  const schema = {
    operationId: 'searchPosts',
    tags: ['posts'],
    summary: 'Public posts by words and by meaning, best first',
    querystring: PostSearchQuery,
    response: { 200: FoundPage }
  }
  const cache = { ...published.cacheRule(...searchCacheTags), isCachedOnRepeat: true }
  app.get(
    '/api/posts/search',
    { config: { ...limited, cache }, schema, attachValidation: true },
    async (request, reply) => {
      const filter = filterOf(request.query, request.validationError === undefined ? {} : validationFields(request))
      const { q, facets: countsFacets } = request.query
      const window = rankingWindow(request.query, searchIdentity(q, filter))
      const { elapsedTime: elapsedMs } = reply
      const found = await search.find(q, window, {
        clientSignal: requestSignal(request),
        elapsedMs,
        filter,
        countsFacets
      })
      const { corrected, facets, isDegraded, hasMore } = found
      const more = {
        ...(corrected.length === 0 ? {} : { corrected }),
        ...(hasMore ? { total_is_minimum: true } : {}),
        ...(facets === undefined ? {} : { facets: toFacets(facets) }),
        ...markDegraded(reply, isDegraded)
      }
      return sendSerializedPage(request, reply, toRankingPage(found, window), more)
    }
  )
}

function suggestPosts(app: App, { suggest, published }: SearchComponents): void {
  const schema = {
    operationId: 'suggestPosts',
    tags: ['posts'],
    summary: 'Titles and words for what a reader has typed so far',
    querystring: SuggestQuery,
    response: { 200: SuggestionList }
  }
  const cache = { ...published.cacheRule(...searchCacheTags), isCachedOnRepeat: true }
  app.get('/api/posts/suggest', { config: { ...limited, cache }, schema }, async (request, reply) => {
    const { q, limit = defaultSuggestions } = request.query
    const { isComplete, ...suggestions } = await suggest(q, limit)
    // No event says when the older titles have been read.
    if (!isComplete) reply.header('cache-control', 'no-store')
    return suggestions
  })
}

/** Says what was found without an embedder; it must not be cached, because no event says when the embedder is back. */
function markDegraded(reply: FastifyReply, isDegraded: boolean): { degraded?: true } {
  if (!isDegraded) return {}
  reply.header('cache-control', 'no-store')
  return { degraded: true }
}

function relatedPosts(app: App, { db, relatedFor, published }: SearchComponents): void {
  const schema = {
    operationId: 'listRelatedPosts',
    tags: ['posts'],
    summary: 'Public posts like this one, best first',
    params: RelatedParams,
    querystring: RelatedQuery,
    response: { 200: RelatedPage, 301: Type.Null({ description: 'The slug has changed: Location has the new one.' }) }
  }
  const config = { ...limited, cache: published.cacheRule(...searchCacheTags) }
  app.get('/api/posts/:slug/related', { config, schema }, async (request, reply) => {
    const { slug } = request.params
    const window = rankingWindow(request.query, { slug }, defaultRelated)
    const reader = { clientSignal: requestSignal(request), elapsedMs: reply.elapsedTime }
    const found = await relatedFor(reader, slug, window)
    if (found !== undefined) {
      const page = toRankingPage(found, window)
      return sendPage(request, reply, { ...page, ...markDegraded(reply, found.isDegraded) })
    }
    const newSlug = await published.findCurrentSlug(db, slug)
    if (newSlug === undefined) throw new NotFoundError(`There is no public post with the slug ${slug}.`)
    const { search: query } = new URL(request.url, 'http://localhost')
    return reply.header('cache-control', 'no-cache').redirect(`/api/posts/${newSlug}/related${query}`, 301)
  })
}
