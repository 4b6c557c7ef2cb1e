import { CONTRACT, definePlugin, job, SettingsStoreService } from '#core'
import { CostsService } from './index.ts'
import { createParts } from './parts.ts'
import { costSettings } from './settings.ts'
import { WakeWaiting } from './wake.ts'

export default definePlugin({
  name: 'costs',
  contract: CONTRACT,
  describe: 'What models, voices and image models cost, and their budgets; task counts, workers and queues',
  needs: { store: SettingsStoreService },
  provides: { costs: CostsService },
  settings: costSettings,
  setup(context) {
    const { log } = context
    const parts = createParts(context)
    context.needs.store.onRead(() =>
      parts
        .settingsRead()
        .catch(error => log.warn({ err: error }, 'what waits for a budget is looked at within a minute'))
    )
    return {
      services: { costs: parts.service },
      commands: {
        costs: {
          describe: 'What models cost, and the budgets; task counts, workers and queues',
          load: async () => (await import('./commands/costs.ts')).costCommands(parts)
        }
      },
      jobs: [job(WakeWaiting, data => parts.wake(data), { cron: '* * * * *' })]
    }
  }
})
