import {
  CONTRACT,
  definePlugin,
  ErrorPagesService,
  FormerAddressesService,
  optional,
  SettingsStoreService
} from '#core'
import { ExportService } from '#plugins/export'
import { PictureSizesService, SpeechService } from '#plugins/media'
import { PostsService, PublishedPostsService } from '#plugins/posts'
import { PostSearchService } from '#plugins/search'
import { checkSiteSettings, themeCheck } from './checks.ts'
import { commandGroups } from './commands/groups.ts'
import { createComponents } from './components.ts'
import { createErrorPages } from './error-pages.ts'
import { createExportPart } from './export/export-part.ts'
import { SitePagesService } from './index.ts'
import { deleteAllRelated } from './repository/related.ts'
import { pagePatterns, siteRoutes } from './routes.ts'
import { siteSettings } from './settings.ts'

export default definePlugin({
  name: 'site',
  contract: CONTRACT,
  describe: 'The public posts as pages for readers',
  needs: {
    posts: PostsService,
    published: PublishedPostsService,
    store: SettingsStoreService,
    search: optional(PostSearchService),
    staticExport: optional(ExportService),
    former: optional(FormerAddressesService),
    media: optional(SpeechService),
    sizes: optional(PictureSizesService)
  },
  provides: { errorPages: ErrorPagesService, pages: SitePagesService },
  settings: siteSettings,
  setup(context) {
    const components = createComponents({ ...context, hasMedia: context.needs.media !== undefined })
    checkSiteSettings(context)
    context.needs.published.servePagesAt(pagePatterns)
    return {
      ...createExportPart(context, components),
      services: {
        errorPages: createErrorPages(components),
        pages: components.pages
      },
      routes: siteRoutes(components),
      commands: commandGroups(components),
      checks: [themeCheck(components)],
      onRestore: async (tx, signal) => {
        await deleteAllRelated(tx)
        await (await import('./rerender.ts')).rerenderPages(tx, context.needs.posts.render, signal)
      }
    }
  }
})
