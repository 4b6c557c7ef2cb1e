import { CONTRACT, definePlugin, on, optional, SettingsStoreService } from '#core'
import { GatesService } from '#plugins/gates'
import { MemoryService } from '#plugins/memory'
import { postChecks } from './checks.ts'
import { postErrors } from './errors.ts'
import {
  DuePostsService,
  PostEdited,
  type PostEvent,
  PostPublished,
  PostSlotsService,
  PostsService,
  PostWithdrawn,
  PublishedPostsService
} from './index.ts'
import { createParts } from './parts.ts'
import { postRoutes } from './routes.ts'
import { postSettings } from './settings.ts'

export default definePlugin({
  name: 'posts',
  contract: CONTRACT,
  describe: 'Posts: their states, public reads, feed and previews',
  needs: { gates: GatesService, memory: optional(MemoryService), store: SettingsStoreService },
  provides: { posts: PostsService, published: PublishedPostsService, slots: PostSlotsService, due: DuePostsService },
  settings: postSettings,
  errors: postErrors,
  setup(context) {
    const { needs, db } = context
    const parts = createParts(context)
    if (parts.entries !== undefined) needs.memory?.registerBackfill('posts', parts.entries.all)
    const remember = async (post_ids: readonly string[]) => await parts.entries?.follow(post_ids)
    const rememberOne = ({ post_id }: PostEvent) => remember([post_id])
    return {
      services: { posts: parts.service, published: parts.published, slots: parts.slots, due: parts.due },
      routes: postRoutes(parts),
      graphql: async () => (await import('./graphql.ts')).postsGraphql(parts),
      commands: {
        posts: {
          describe: 'Read, make, edit and publish posts',
          load: async () => (await import('./commands/posts.ts')).loadPostGroup(parts)
        },
        categories: {
          describe: 'Names and descriptions of categories',
          load: async () => (await import('./commands/categories.ts')).categoryCommands(parts.categories)
        }
      },
      subscriptions: [
        on(PostPublished, events => remember(events.map(({ payload }) => payload.post_id)), { batch: 250 }),
        on(PostEdited, rememberOne),
        on(PostWithdrawn, rememberOne)
      ],
      checks: postChecks(db, parts.scheduler),
      onRestore: async (tx, signal) => (await import('./rendering/render-again.ts')).renderAnew(tx, context.log, signal)
    }
  }
})
