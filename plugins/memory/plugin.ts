import { CONTRACT, definePlugin, optional, SettingsStoreService } from '#core'
import { CostsService } from '#plugins/costs'
import { embedSubscriptions } from './budget-waits.ts'
import { memoryChecks } from './checks.ts'
import { createComponents } from './components.ts'
import { embedJobs } from './embed-job.ts'
import { MemoryService } from './index.ts'
import { memoryRoutes } from './routes.ts'
import { memorySettings } from './settings.ts'

export default definePlugin({
  name: 'memory',
  contract: CONTRACT,
  describe: 'Texts to write from and to find again by meaning: stored, chunked, embedded, searched',
  needs: { store: optional(SettingsStoreService), costs: optional(CostsService) },
  provides: { memory: MemoryService },
  settings: memorySettings,
  setup(context) {
    const { settings, needs } = context
    const { memory, entries, db, ...components } = createComponents(context)
    needs.store?.onRead(components.onSettingsRead)
    needs.store?.check('embedder', components.embedders.faultOf)
    const maxBytes = () => settings.get('memory_max_bytes')
    return {
      services: { memory },
      routes: memoryRoutes({ memory, entries, db, maxBytes }),
      graphql: async () => (await import('./graphql.ts')).memoryGraphql(memory),
      commands: {
        memory: {
          describe: 'Store texts and find them by meaning',
          load: async () => (await import('./commands/memory.ts')).memoryCommands({ memory, entries, db, maxBytes })
        }
      },
      jobs: embedJobs({ db, ...components }),
      subscriptions: embedSubscriptions({ db, ...components }),
      checks: memoryChecks({ db, ...components })
    }
  }
})
