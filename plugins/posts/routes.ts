import type { FastifyPluginAsyncTypebox } from '#core'
import type { PostComponents } from './components.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { createPostRoute } from './routes/creation.ts'
import { editRoutes } from './routes/edits.ts'
import { feedRoutes } from './routes/feeds.ts'
import { previewRoutes } from './routes/previews.ts'
import { readRoutes } from './routes/reads.ts'

/** Every route of the plugin. */
export const postRoutes =
  (components: PostComponents): FastifyPluginAsyncTypebox =>
  async app => {
    readRoutes(app, components)
    feedRoutes(app, components)
    catalogueRoutes(app, components)
    createPostRoute(app, components)
    editRoutes(app, components)
    previewRoutes(app, components)
  }
