import { CONTRACT, definePlugin, optional, SettingsStoreService } from '#core'
import { GatesService } from '#plugins/gates'
import { MemoryService } from '#plugins/memory'
import { NotifyService } from '#plugins/notify'
import { postChecks } from './checks.ts'
import { createComponents } from './components.ts'
import { postErrors } from './errors.ts'
import { DuePostsService, PostSkipped, PostSlotsService, PostsService, PublishedPostsService } from './index.ts'
import { entrySubscriptions } from './memory-entries.ts'
import { skippedNotice } from './notices.ts'
import { listPostIds, listRelatedIds } from './repository/ids.ts'
import { postRoutes } from './routes.ts'
import { postSettings } from './settings.ts'

export default definePlugin({
  name: 'posts',
  contract: CONTRACT,
  describe: 'Posts: their states, public reads, feed and previews',
  needs: {
    gates: GatesService,
    memory: optional(MemoryService),
    notify: optional(NotifyService),
    store: SettingsStoreService
  },
  provides: { posts: PostsService, published: PublishedPostsService, slots: PostSlotsService, due: DuePostsService },
  settings: postSettings,
  errors: postErrors,
  setup(context) {
    const { needs } = context
    const components = createComponents(context)
    const { entries, service: posts, published, slots, due } = components
    if (entries !== undefined) needs.memory?.registerBackfill('posts', entries.all, entries.follower)
    needs.gates.registerSubjectIds({ list: listPostIds, listRelated: listRelatedIds })
    needs.gates.registerPostLinks(components.gateLinks)
    return {
      services: { posts, published, slots, due },
      routes: postRoutes(components),
      graphql: async () => (await import('./graphql.ts')).postsGraphql(components),
      commands: {
        posts: {
          describe: 'Read, make, edit and publish posts',
          load: async () => (await import('./commands/posts.ts')).loadPostGroup(components)
        },
        categories: {
          describe: 'Names and descriptions of categories',
          load: async () => (await import('./commands/categories.ts')).categoryCommands(components.categories)
        }
      },
      jobs: [components.announceJob],
      subscriptions: [
        ...(entries === undefined ? [] : entrySubscriptions(entries)),
        ...(needs.notify === undefined ? [] : [needs.notify.report(PostSkipped, 'failed', skippedNotice)])
      ],
      checks: postChecks(components),
      onRestore: async (tx, signal) => (await import('./rendering/rerender.ts')).rerenderAll(tx, context.log, signal)
    }
  }
})
