import { CONTRACT, definePlugin, on } from '#core'
import {
  CategoryDescribed,
  PostEdited,
  type PostEvent,
  PostPublished,
  PostsService,
  PostWithdrawn,
  PublishedPostsService
} from '#plugins/posts'
import { createExports } from './exports.ts'
import { createRefreshRequest, refreshJob } from './refresh.ts'
import { exportRoutes } from './routes.ts'
import { exportSettings } from './settings.ts'

export default definePlugin({
  name: 'export',
  contract: CONTRACT,
  describe: 'The public posts as static files: JSON, feeds and a site map',
  needs: { posts: PostsService, published: PublishedPostsService },
  settings: exportSettings,
  setup({ needs: { posts, published }, settings, db, enqueue, installation, log, now }) {
    const exports = createExports({ published, publicUrl: posts.publicUrl, settings, installation, db, log, now })
    const requestRefresh = createRefreshRequest({ db, enqueue })
    const withdrawn = async ({ post_id, slug }: PostEvent) => {
      await exports.withdraw(post_id, slug)
      await requestRefresh()
    }
    return {
      services: {},
      routes: exportRoutes(exports),
      commands: {
        export: {
          describe: 'The static export of the public posts',
          load: async () => (await import('./commands/export.ts')).exportCommands(exports)
        }
      },
      jobs: [refreshJob(exports)],
      subscriptions: [
        on(PostPublished, requestRefresh, { maxBatch: 250 }),
        on(PostEdited, requestRefresh),
        on(CategoryDescribed, requestRefresh),
        on(PostWithdrawn, withdrawn)
      ]
    }
  }
})
