import { CONTRACT, definePlugin, on, optional, SettingsStoreService } from '#core'
import { NotifyService } from '#plugins/notify'
import {
  CategoryDescribed,
  PostEdited,
  PostPublished,
  PostsService,
  PostWithdrawn,
  PublishedPostsService
} from '#plugins/posts'
import { SitePageChanged } from '#plugins/site'
import { revalidationChecks } from './checks.ts'
import { createComponents } from './components.ts'
import { RevalidationService } from './index.ts'
import { changeOfCategory, changeOfSitePage } from './public-changes.ts'
import { revalidationRoutes } from './routes.ts'
import { sendToTargetsJob } from './sender.ts'
import { revalidationSettings } from './settings.ts'
import { hubAddress } from './web-sub.ts'

export default definePlugin({
  name: 'revalidation',
  contract: CONTRACT,
  describe: 'Tells a front end, a CDN and a WebSub hub when public pages change',
  needs: {
    posts: PostsService,
    published: PublishedPostsService,
    notify: optional(NotifyService),
    store: SettingsStoreService
  },
  provides: { revalidation: RevalidationService },
  settings: revalidationSettings,
  setup(context) {
    const { db, needs, settings } = context
    const components = createComponents(context)
    const { sender, targets, queue, follow } = components
    needs.posts.registerFeedHub(() => hubAddress(settings))
    return {
      services: { revalidation: components.service },
      routes: revalidationRoutes(sender),
      commands: {
        revalidation: {
          describe: 'Notify a front end, a CDN and a hub of changes, and see what they answered',
          load: async () => (await import('./commands/revalidation.ts')).revalidationCommands({ db, ...components })
        }
      },
      jobs: [sendToTargetsJob(sender, targets)],
      subscriptions: [
        on(PostPublished, events => follow(events.map(({ payload }) => payload)), { maxBatch: 250 }),
        on(PostEdited, post => follow([post])),
        on(PostWithdrawn, post => follow([post])),
        on(CategoryDescribed, ({ slug }) => queue.add(changeOfCategory(slug))),
        on(SitePageChanged, ({ slug }) => queue.add(changeOfSitePage(slug)))
      ],
      checks: revalidationChecks({ ...components, ...context }),
      onRestore: tx => queue.addAfterRestore(tx)
    }
  }
})
