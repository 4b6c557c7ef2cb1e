import type { FastifyPluginAsyncTypebox } from '#core'
import type { SiteParts } from './parts.ts'
import { llmsRoute, robotsRoute, sitemapRoutes, themeFileRoutes } from './routes/documents.ts'
import {
  archiveRoute,
  categoryRoute,
  homeRoute,
  podcastRoute,
  postRoute,
  searchRoute,
  tagRoute
} from './routes/pages.ts'
import { staticPageRoute } from './routes/static-page.ts'

/** Where the pages of posts, categories and tags are. */
export const pagePatterns = { post: '/posts/{slug}', category: '/categories/{slug}', tag: '/tags/{slug}' } as const

/** Every page and file of the site. */
export const siteRoutes =
  (parts: SiteParts): FastifyPluginAsyncTypebox =>
  async app => {
    homeRoute(app, parts)
    archiveRoute(app, parts)
    categoryRoute(app, parts)
    tagRoute(app, parts)
    postRoute(app, parts)
    staticPageRoute(app, parts)
    searchRoute(app, parts)
    podcastRoute(app, parts)
    themeFileRoutes(app, parts)
    robotsRoute(app, parts)
    llmsRoute(app, parts)
    sitemapRoutes(app, parts)
  }
