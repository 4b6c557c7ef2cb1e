import type { FastifyPluginAsyncTypebox } from '#core'
import type { Parts } from './parts.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { createPostRoute } from './routes/creation.ts'
import { editRoutes } from './routes/edits.ts'
import { feedRoutes } from './routes/feeds.ts'
import { previewRoutes } from './routes/previews.ts'
import { readRoutes } from './routes/reads.ts'

/** Every route of the plugin. */
export const postRoutes =
  (parts: Parts): FastifyPluginAsyncTypebox =>
  async app => {
    readRoutes(app, parts)
    feedRoutes(app, parts)
    catalogueRoutes(app, parts)
    createPostRoute(app, parts)
    editRoutes(app, parts)
    previewRoutes(app, parts)
  }
