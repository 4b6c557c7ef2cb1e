import { CONTRACT, definePlugin, JobParked, on, optional, SettingsStoreService } from '#core'
import { GateDecided, GateHeld, GatesService } from '#plugins/gates'
import { PostPassedOver, PostsService } from '#plugins/posts'
import { DraftRefused, TaskFailed, TasksService } from '#plugins/tasks'
import { AlertReceived } from '#plugins/webhooks'
import { notifyChecks } from './checks.ts'
import { NotifyService } from './index.ts'
import { createParts } from './parts.ts'
import { notifyRoutes } from './routes.ts'
import { notifySettings } from './settings.ts'
import { createSubscriptions } from './subscriptions.ts'

export default definePlugin({
  name: 'notify',
  contract: CONTRACT,
  describe: 'Messages to the operator over Telegram, Slack or Discord, and decisions by chat',
  needs: {
    gates: GatesService,
    posts: optional(PostsService),
    tasks: optional(TasksService),
    store: SettingsStoreService
  },
  provides: { notify: NotifyService },
  settings: notifySettings,
  setup(context) {
    const { db, needs } = context
    const parts = createParts(context)
    needs.store.onRead(parts.chatSettings.apply)
    const { held, decided, failed, refused, skipped, parked, alerted } = createSubscriptions({
      db,
      outbox: parts.outbox,
      posts: needs.posts,
      timeZone: () => needs.store.value('operator_timezone')
    })
    return {
      services: { notify: { registerChannel: parts.channels.add, send: parts.outbox.send } },
      routes: notifyRoutes(parts.deliveries, parts.testNotice),
      commands: {
        notify: {
          describe: 'Messages to the operator: what became of them, and a test',
          load: async () => (await import('./commands/notify.ts')).notifyCommands({ db, ...parts })
        }
      },
      jobs: parts.jobs,
      subscriptions: [
        on(GateHeld, held, { batch: 250 }),
        on(GateDecided, decided, { batch: 250 }),
        on(TaskFailed, failed),
        on(DraftRefused, refused),
        on(PostPassedOver, skipped),
        on(JobParked, parked),
        on(AlertReceived, alerted)
      ],
      checks: notifyChecks({ db, ...parts })
    }
  }
})
