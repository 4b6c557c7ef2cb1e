import { CONTRACT, definePlugin, JobDeadLettered, on, SettingsStoreService } from '#core'
import { notifyChecks } from './checks.ts'
import { createComponents } from './components.ts'
import { NotifyService } from './index.ts'
import { deadLetterNotice } from './notices.ts'
import { notifyRoutes } from './routes.ts'
import { notifySettings } from './settings.ts'

export default definePlugin({
  name: 'notify',
  contract: CONTRACT,
  describe: 'Messages to the operator over Telegram, Slack or Discord, and commands by chat',
  needs: { store: SettingsStoreService },
  provides: { notify: NotifyService },
  settings: notifySettings,
  setup(context) {
    const { db, needs } = context
    const components = createComponents(context)
    const { outbox, channels, chatCommands } = components
    needs.store.onRead(components.chatConnections.apply)
    return {
      services: {
        notify: {
          registerChannel: channels.add,
          registerCommands: chatCommands.add,
          report: (type, kind, noticeOf) =>
            on(type, (payload, { id }) =>
              db.transaction(tx => outbox.queue(tx, [{ source: `event:${id}`, notice: noticeOf(payload), kind }]))
            ),
          send: outbox.send,
          queue: outbox.queue,
          recordOutcomes: outbox.recordOutcomes
        }
      },
      routes: notifyRoutes(components.deliveries, components.testNotice),
      commands: {
        notify: {
          describe: 'Messages to the operator: what became of them, and a test',
          load: async () => (await import('./commands/notify.ts')).notifyCommands({ db, ...components })
        }
      },
      jobs: components.jobs,
      subscriptions: [
        on(JobDeadLettered, job =>
          db.transaction(tx =>
            outbox.queue(tx, [{ source: `parked:${job.id}`, notice: deadLetterNotice(job), kind: 'failed' }])
          )
        )
      ],
      checks: notifyChecks({ db, ...components })
    }
  }
})
