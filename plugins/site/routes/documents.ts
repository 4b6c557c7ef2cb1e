import { type App, access, NotFoundError, Type } from '#core'
import type { SiteComponents } from '../components.ts'
import { llmsText, robotsText } from '../reads/robots.ts'
import { maxLocations, type Sitemap } from '../reads/sitemap.ts'
import { ownFiles, themeFiles, versionOf } from '../themes/theme-files.ts'
import { noQuery, pageCache, publicPage } from './page-reply.ts'

const immutable = 'public, max-age=31536000, immutable'
const xml = 'application/xml; charset=utf-8'
const text = 'text/plain; charset=utf-8'

/** The files of the theme. Another version than the one asked for is not to be kept: it is of a theme that was set meanwhile. */
export function themeFileRoutes(app: App, { themes }: SiteComponents): void {
  const config = { ...publicPage, cache: { tags: ['settings'] } }
  for (const { name, place, type } of themeFiles)
    app.get(place, { config, schema: { hide: true, querystring: versionQuery } }, async (request, reply) => {
      const { v } = request.query
      const set = (await themes.look()).files[name]
      const own = ownFiles[name]
      const content = own !== null && v === versionOf(own) ? own : (set ?? own)
      if (content === null) throw new NotFoundError(`The theme has no ${name}.`)
      reply.header('cache-control', v === versionOf(content) ? immutable : 'no-cache')
      return reply.type(type).send(content)
    })
}

const versionQuery = Type.Object({ v: Type.Optional(Type.String({ maxLength: 64 })) }, { additionalProperties: true })

export function robotsRoute(app: App, { published, site }: SiteComponents): void {
  const config = { ...publicPage, cache: published.cacheRule() }
  app.get('/robots.txt', { config, schema: { hide: true, querystring: noQuery } }, async (_, reply) =>
    reply.type(text).send(robotsText((await site.read()).view))
  )
}

export function llmsRoute(app: App, { db, published, site }: SiteComponents): void {
  const config = { ...publicPage, cache: published.cacheRule() }
  app.get('/llms.txt', { config, schema: { hide: true, querystring: noQuery } }, async (_, reply) => {
    const { items } = await published.listed(db, { limit: 100, offset: 0 })
    return reply.type(text).send(llmsText((await site.read()).view, items, published.addressOf))
  })
}

/** One site map, or, where that would have too many addresses, a list of its parts. */
export function sitemapRoutes(app: App, { published, sitemap }: SiteComponents & { sitemap: Sitemap }): void {
  const config = { access: access.public, cost: 'heavy', cache: pageCache(published) } as const
  app.get('/sitemap.xml', { config, schema: { hide: true, querystring: noQuery } }, async (_, reply) =>
    reply.type(xml).send(await sitemap.whole())
  )
  const params = Type.Object({ part: Type.Integer({ minimum: 0, maximum: maxLocations }) })
  app.get(
    '/sitemaps/:part.xml',
    { config, schema: { hide: true, params, querystring: noQuery } },
    async (request, reply) => {
      const part = await sitemap.part(request.params.part)
      if (part === undefined) throw new NotFoundError(`The site map has no part ${request.params.part}.`)
      return reply.type(xml).send(part)
    }
  )
}
