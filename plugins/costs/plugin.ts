import { CONTRACT, definePlugin } from '#core'
import { createOperational } from './operational.ts'

export default definePlugin({
  name: 'costs',
  contract: CONTRACT,
  describe: 'What the pipeline has to do, and who is doing it',
  setup: ({ db }) => ({
    services: {},
    commands: {
      costs: {
        describe: 'What the pipeline has to do, and who is doing it',
        load: async () => (await import('./commands/costs.ts')).costCommands(createOperational(db))
      }
    }
  })
})
