import type { FastifyReply } from 'fastify'
import { type App, NotFoundError, Type } from '#core'
import { purgeBy, purgeTag } from '../cache-tags.ts'
import type { PostComponents } from '../components.ts'
import { type FeedFormat, type FeedScope, feedFormats, feedPath } from '../feeds/addresses.ts'
import { readFeed } from '../feeds/read-feed.ts'
import { publicRead } from '../reads/pages.ts'
import { SlugParameter } from '../schemas.ts'

const JsonFeed = Type.Object(
  {
    version: Type.String(),
    title: Type.String(),
    feed_url: Type.String(),
    items: Type.Array(Type.Object({ id: Type.String(), title: Type.String() }, { additionalProperties: true }))
  },
  { additionalProperties: true, description: 'JSON Feed 1.1.' }
)

/** A format as readers ask for it. `operation` is a part of the operations' names. */
const formats = {
  rss: { type: 'application/rss+xml', name: 'RSS 2.0', operation: '', schema: Type.String() },
  atom: { type: 'application/atom+xml', name: 'Atom', operation: 'Atom', schema: Type.String() },
  json: { type: 'application/feed+json', name: 'JSON', operation: 'Json', schema: JsonFeed }
} as const

/** Readers, aggregators and those who pass an address on add parameters of their own. */
const openQuery = Type.Object({}, { additionalProperties: true })

export function feedRoutes(app: App, components: PostComponents): void {
  for (const format of feedFormats) {
    feedRoute(app, components, format)
    categoryFeedRoute(app, components, format)
    tagFeedRoute(app, components, format)
  }
}

/** What they say beside what every public read says. */
const documentation = {
  responseHeaders: { Link: 'The WebSub hub (`rel="hub"`) and the feed itself (`rel="self"`), while there is a hub.' }
}

const schemaOf = (format: FeedFormat, { of, posts }: { of: string; posts: string }) => {
  const { type, name, operation, schema } = formats[format]
  return {
    operationId: `get${of}${operation}Feed`,
    tags: ['posts'],
    summary: `${name} feed of the newest public posts${posts}`,
    querystring: openQuery,
    response: { 200: { content: { [type]: { schema } } } }
  }
}

function feedRoute(app: App, components: PostComponents, format: FeedFormat): void {
  const schema = schemaOf(format, { of: '', posts: '' })
  const { access, cache } = publicRead(components.nextPublication)
  const config = { access, cache: { ...cache, ignoresQuery: true }, documentation, cost: 'heavy' } as const
  app.get(feedPath(format), { config, schema }, (_, reply) => sendFeed(reply, components, format, {}))
}

/** There are many of these: one that is read once is not cached. */
function configOfLabel({ nextPublication }: PostComponents) {
  const { access, cache } = publicRead(nextPublication)
  return {
    access,
    cache: { ...cache, isCachedOnRepeat: true, ignoresQuery: true },
    documentation,
    cost: 'heavy'
  } as const
}

function categoryFeedRoute(app: App, components: PostComponents, format: FeedFormat): void {
  const schema = { ...schemaOf(format, { of: 'Category', posts: ' of a category' }), params: SlugParameter }
  app.get(feedPath(format, { category: ':slug' }), { config: configOfLabel(components), schema }, (request, reply) => {
    const { slug } = request.params
    purgeBy(request, purgeTag.category(slug))
    return sendFeed(reply, components, format, { category: slug })
  })
}

function tagFeedRoute(app: App, components: PostComponents, format: FeedFormat): void {
  const schema = { ...schemaOf(format, { of: 'Tag', posts: ' with a tag' }), params: SlugParameter }
  app.get(feedPath(format, { tag: ':slug' }), { config: configOfLabel(components), schema }, (request, reply) => {
    const { slug } = request.params
    purgeBy(request, purgeTag.tag(slug))
    return sendFeed(reply, components, format, { tag: slug })
  })
}

async function sendFeed(reply: FastifyReply, { db, feeds }: PostComponents, format: FeedFormat, scope: FeedScope) {
  const feed = await readFeed(db, feeds, format, scope)
  if (feed === undefined) throw new NotFoundError(`There is no public post with ${labelOf(scope)}.`)
  const { text, self, hub } = feed
  // Subscribers of a hub look for both here before they read the feed (WebSub §4).
  if (hub !== '') reply.header('link', `<${asciiUrl(hub)}>; rel="hub", <${asciiUrl(self)}>; rel="self"`)
  return reply.type(`${formats[format].type}; charset=utf-8`).send(text)
}

/** An address may hold any letter, a header only some. */
const asciiUrl = (address: string): string => new URL(address).href

const labelOf = ({ category, tag }: FeedScope): string =>
  category === undefined ? `the tag ${tag}` : `the category ${category}`
