import { CONTRACT, definePlugin, optional } from '#core'
import { TasksService } from '#plugins/tasks'
import { createOperational } from './operational.ts'

export default definePlugin({
  name: 'costs',
  contract: CONTRACT,
  describe: 'Task counts, workers and queues',
  needs: { tasks: optional(TasksService) },
  setup: ({ needs, db }) => ({
    services: {},
    commands: {
      costs: {
        describe: 'Task counts, workers and queues',
        load: async () => (await import('./commands/costs.ts')).costCommands(createOperational(db, needs.tasks))
      }
    }
  })
})
