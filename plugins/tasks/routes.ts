import type { Db, FastifyPluginAsyncTypebox } from '#core'
import { createTaskRoute } from './routes/creation.ts'
import { taskDecisionRoutes } from './routes/decisions.ts'
import { eventRoutes } from './routes/events.ts'
import { taskReadRoutes } from './routes/reads.ts'
import { topicRoutes } from './routes/topics.ts'
import type { TaskOperations } from './tasks.ts'
import type { Topics } from './topics.ts'

interface RouteDeps {
  tasks: TaskOperations
  topics: Topics
  db: Db
  timeZone(): string
}

/** Every route of the plugin. */
export const taskRoutes =
  ({ tasks, topics, db, timeZone }: RouteDeps): FastifyPluginAsyncTypebox =>
  async app => {
    taskReadRoutes(app, tasks, timeZone)
    createTaskRoute(app, tasks)
    taskDecisionRoutes(app, tasks)
    eventRoutes(app, db, timeZone)
    topicRoutes(app, topics)
  }
