import { CONTRACT, definePlugin, SettingsStoreService } from '#core'
import { GatesService } from '#plugins/gates'
import { DuePostsService, PostSlotsService, PostsService } from '#plugins/posts'
import { createComponents } from './components.ts'
import { isPublisherOnTime, publisherMetrics } from './lateness.ts'
import { createPublishGate } from './publish-gate.ts'
import { publisherJob } from './publisher.ts'
import { scheduleRoutes } from './routes.ts'
import { scheduleSettings } from './settings.ts'

export default definePlugin({
  name: 'schedule',
  contract: CONTRACT,
  describe: 'Publish slots: given, moved and dropped, and the publisher that publishes at them',
  needs: {
    posts: PostsService,
    slots: PostSlotsService,
    due: DuePostsService,
    gates: GatesService,
    store: SettingsStoreService
  },
  settings: scheduleSettings,
  setup(context) {
    const { needs, db } = context
    const components = createComponents(context)
    needs.slots.registerScheduler(components.scheduler)
    needs.gates.registerGate(createPublishGate(components))
    return {
      services: {},
      routes: scheduleRoutes(components.schedule),
      commands: {
        schedule: {
          describe: 'Publish slots: give, move and drop them, and decide at the last gate',
          load: async () => (await import('./commands/schedule.ts')).scheduleCommands(components.schedule)
        }
      },
      jobs: [publisherJob(components)],
      metrics: publisherMetrics(db, needs.due),
      isReady: () => isPublisherOnTime(db, needs.due)
    }
  }
})
