import { CONTRACT, definePlugin, optional, SettingsStoreService } from '#core'
import { MemoryService } from '#plugins/memory'
import { PostsService, PublishedPostsService } from '#plugins/posts'
import { searchChecks } from './checks.ts'
import { createComponents } from './components.ts'
import { PostSearchService, SearchDriversService, SimilarPostsService } from './index.ts'
import { createPostSearch } from './post-search.ts'
import { forgetFeed } from './repository/feed.ts'
import { renewVersions } from './repository/index-state.ts'
import { forgetFollowed } from './repository/latent.ts'
import { searchRoutes } from './routes.ts'
import { searchSettings } from './settings.ts'
import { embedTitlesJob } from './similar/titles.ts'
import { indexJob, searchSubscriptions } from './update-posts.ts'

export default definePlugin({
  name: 'search',
  contract: CONTRACT,
  describe: 'Search over the public posts by words and by meaning, related posts and near-duplicates',
  needs: {
    posts: PostsService,
    published: PublishedPostsService,
    memory: optional(MemoryService),
    store: optional(SettingsStoreService)
  },
  provides: { similar: SimilarPostsService, search: PostSearchService, drivers: SearchDriversService },
  settings: searchSettings,
  setup(context) {
    const { needs } = context
    const components = createComponents(context)
    const { similar, traffic, updateByJob, updatePosts, engines } = components
    needs.store?.check('search_driver', engines.faultOf)
    needs.posts.registerSimilarPosts(similar)
    needs.posts.registerCommands(async () => ({
      search: (await import('./commands/search.ts')).searchCommand(components)
    }))
    return {
      services: { similar, search: createPostSearch(components), drivers: engines },
      routes: searchRoutes(components),
      graphql: async () => (await import('./graphql.ts')).searchGraphql(components),
      commands: {
        search: {
          describe: 'The search index of the posts',
          load: async () => (await import('./commands/index-commands.ts')).indexCommands(components)
        }
      },
      jobs: [indexJob(updateByJob), embedTitlesJob(signal => similar.embedAllTitles(traffic.throttle(signal)))],
      subscriptions: searchSubscriptions(updatePosts),
      checks: searchChecks(components),
      onRestore: async tx => {
        await renewVersions(tx)
        await forgetFeed(tx)
        await forgetFollowed(tx)
      }
    }
  }
})
