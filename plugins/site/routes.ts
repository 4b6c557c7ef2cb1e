import type { FastifyPluginAsyncTypebox } from '#core'
import type { SiteComponents } from './components.ts'
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
  (components: SiteComponents): FastifyPluginAsyncTypebox =>
  async app => {
    homeRoute(app, components)
    archiveRoute(app, components)
    categoryRoute(app, components)
    tagRoute(app, components)
    postRoute(app, components)
    staticPageRoute(app, components)
    searchRoute(app, components)
    podcastRoute(app, components)
    themeFileRoutes(app, components)
    robotsRoute(app, components)
    llmsRoute(app, components)
    sitemapRoutes(app, components)
  }
