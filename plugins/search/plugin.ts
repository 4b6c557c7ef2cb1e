import { CONTRACT, definePlugin, on, optional } from '#core'
import { MemoryService } from '#plugins/memory'
import {
  PostEdited,
  type PostEvent,
  PostPublished,
  PostsService,
  PostWithdrawn,
  PublishedPostsService
} from '#plugins/posts'
import { searchChecks } from './checks.ts'
import { PostSearchService, SimilarPostsService } from './index.ts'
import { createParts } from './parts.ts'
import { createPostSearch } from './post-search.ts'
import { renewVersions } from './repository/index-state.ts'
import { searchRoutes } from './routes.ts'
import { searchSettings } from './settings.ts'
import { embedTitlesJob } from './similar/titles.ts'
import { indexJob } from './update-posts.ts'

export default definePlugin({
  name: 'search',
  contract: CONTRACT,
  describe: 'Search over the public posts by words and by meaning, related posts and near-duplicates',
  needs: { posts: PostsService, published: PublishedPostsService, memory: optional(MemoryService) },
  provides: { similar: SimilarPostsService, search: PostSearchService },
  settings: searchSettings,
  setup(context) {
    const { needs } = context
    const parts = createParts(context)
    const { similar, updateIndex, updatePosts } = parts
    needs.posts.registerSimilarPosts(similar)
    needs.posts.registerCommands(async () => ({ search: (await import('./commands/search.ts')).searchCommand(parts) }))
    const updateOne = ({ post_id }: PostEvent) => updatePosts([post_id])
    return {
      services: { similar, search: createPostSearch(parts) },
      routes: searchRoutes(parts),
      commands: {
        search: {
          describe: 'The search index of the posts',
          load: async () => (await import('./commands/index-commands.ts')).indexCommands(parts)
        }
      },
      graphql: async () => (await import('./graphql.ts')).searchGraphql(parts),
      jobs: [indexJob(updateIndex), embedTitlesJob(() => similar.embedTitles())],
      subscriptions: [
        on(PostPublished, events => updatePosts(events.map(({ payload }) => payload.post_id)), { maxBatch: 250 }),
        on(PostEdited, updateOne),
        on(PostWithdrawn, updateOne)
      ],
      checks: searchChecks(parts),
      onRestore: tx => renewVersions(tx)
    }
  }
})
