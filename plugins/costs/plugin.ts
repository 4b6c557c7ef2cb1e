import { CONTRACT, definePlugin, job, optional, SettingsStoreService } from '#core'
import { NotifyService } from '#plugins/notify'
import { cleanCallsJob } from './cleanup.ts'
import { createComponents } from './components.ts'
import { CostsService } from './index.ts'
import { costRoutes } from './routes.ts'
import { costSettings } from './settings.ts'
import { refuseUselessEntries } from './useless-entries.ts'
import { WakeWaiting } from './wake.ts'

export default definePlugin({
  name: 'costs',
  contract: CONTRACT,
  describe: 'What models, voices and image models cost, and their budgets; task counts, workers and queues',
  needs: { store: SettingsStoreService, notify: optional(NotifyService) },
  provides: { costs: CostsService },
  settings: costSettings,
  setup(context) {
    const { log, db, settings } = context
    const components = createComponents(context)
    refuseUselessEntries(context.needs.store)
    context.needs.store.onRead(() =>
      components
        .onSettingsRead()
        .catch(error => log.warn({ err: error }, 'what waits for a budget is looked at within a minute'))
    )
    return {
      services: { costs: components.service },
      routes: costRoutes(components),
      graphql: async () => (await import('./graphql.ts')).costsGraphql(components),
      commands: {
        costs: {
          describe: 'What models cost, and the budgets; task counts, workers and queues',
          load: async () => (await import('./commands/costs.ts')).costCommands(components)
        }
      },
      jobs: [
        job(WakeWaiting, data => components.wake(data), { cron: '* * * * *' }),
        cleanCallsJob({ db, log, days: () => settings.get('cost_calls_days') })
      ],
      checks: components.checks
    }
  }
})
