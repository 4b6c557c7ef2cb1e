import { CONTRACT, definePlugin, optional, SettingsStoreService } from '#core'
import { GatesService } from '#plugins/gates'
import { MemoryService } from '#plugins/memory'
import { NotifyService } from '#plugins/notify'
import { postChecks } from './checks.ts'
import { postErrors } from './errors.ts'
import { DuePostsService, PostSkipped, PostSlotsService, PostsService, PublishedPostsService } from './index.ts'
import { entrySubscriptions } from './memory-entries.ts'
import { skippedNotice } from './notices.ts'
import { createParts } from './parts.ts'
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
    const parts = createParts(context)
    const { entries } = parts
    if (entries !== undefined) needs.memory?.registerBackfill('posts', entries.all)
    needs.gates.registerSubjectIds({ list: listPostIds, listRelated: listRelatedIds })
    needs.gates.registerPostLinks(parts.gateLinks)
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
        ...(entries === undefined ? [] : entrySubscriptions(entries)),
        ...(needs.notify === undefined ? [] : [needs.notify.report(PostSkipped, 'failed', skippedNotice)])
      ],
      jobs: [parts.announceJob],
      checks: postChecks(parts),
      onRestore: async (tx, signal) => (await import('./rendering/rerender.ts')).rerenderAll(tx, context.log, signal)
    }
  }
})
