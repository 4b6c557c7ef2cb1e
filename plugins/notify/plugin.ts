import { CONTRACT, definePlugin, SettingsStoreService } from '#core'
import { notifyChecks } from './checks.ts'
import { createComponents } from './components.ts'
import { NotifyService } from './index.ts'
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
    needs.store.onRead(components.chatConnections.apply)
    return {
      services: { notify: components.service },
      routes: notifyRoutes(components.deliveries, components.testNotice),
      commands: {
        notify: {
          describe: 'Messages to the operator: what became of them, and a test',
          load: async () => (await import('./commands/notify.ts')).notifyCommands({ db, ...components })
        }
      },
      jobs: components.jobs,
      subscriptions: [components.reportDeadLetters],
      checks: notifyChecks({ db, ...components })
    }
  }
})
