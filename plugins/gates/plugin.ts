import { CONTRACT, definePlugin, optional, SettingsStoreService } from '#core'
import { NotifyService } from '#plugins/notify'
import { createGateMessages } from './chat/messages.ts'
import { gateErrors } from './errors.ts'
import { createGates } from './gates.ts'
import { GatesService } from './index.ts'
import { gateRoutes } from './routes.ts'

export default definePlugin({
  name: 'gates',
  contract: CONTRACT,
  describe: 'Approval gates: what waits for a decision, and who decided',
  needs: { notify: optional(NotifyService), store: SettingsStoreService },
  provides: { gates: GatesService },
  errors: gateErrors,
  setup({ needs, db, emit, now }) {
    const gates = createGates({ db, emit, store: needs.store })
    const timeZone = () => needs.store.value('operator_timezone')
    const messages = createGateMessages({ db, gates, notify: needs.notify, timeZone, now })
    return {
      services: { gates: { ...gates, ...messages.service } },
      routes: gateRoutes(gates),
      commands: {
        gates: {
          describe: 'List, switch and pass approval gates',
          load: async () => (await import('./commands/gates.ts')).gateCommands(gates, now)
        }
      },
      subscriptions: messages.subscriptions
    }
  }
})
