import { CONTRACT, definePlugin, SettingsStoreService } from '#core'
import { gateErrors } from './errors.ts'
import { createGates } from './gates.ts'
import { GatesService } from './index.ts'
import { gateRoutes } from './routes.ts'

export default definePlugin({
  name: 'gates',
  contract: CONTRACT,
  describe: 'Approval gates: what waits for a decision, and who decided',
  errors: gateErrors,
  needs: { store: SettingsStoreService },
  provides: { gates: GatesService },
  setup({ needs, db, emit }) {
    const gates = createGates({ db, emit, store: needs.store })
    return {
      services: { gates },
      routes: gateRoutes(gates),
      commands: {
        gates: {
          describe: 'List, switch and pass approval gates',
          load: async () => (await import('./commands/gates.ts')).gateCommands(gates)
        }
      }
    }
  }
})
