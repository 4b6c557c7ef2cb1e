import { CONTRACT, definePlugin } from '#core'
import { createOperational } from './operational.ts'

export default definePlugin({
  name: 'costs',
  contract: CONTRACT,
  describe: 'Task counts, workers and queues',
  setup: ({ db }) => ({
    services: {},
    commands: {
      costs: {
        describe: 'Task counts, workers and queues',
        load: async () => (await import('./commands/costs.ts')).costCommands(createOperational(db))
      }
    }
  })
})
