import type { Db, FastifyPluginAsyncTypebox } from '#core'
import { eventRoutes } from './routes/events.ts'
import { taskRoutes } from './routes/tasks.ts'
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
export const allRoutes =
  ({ tasks, topics, db, timeZone }: RouteDeps): FastifyPluginAsyncTypebox =>
  async app => {
    await app.register(taskRoutes(tasks, timeZone))
    await app.register(eventRoutes(db, timeZone))
    await app.register(topicRoutes(topics))
  }
