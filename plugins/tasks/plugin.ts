import { CONTRACT, definePlugin, optional, SettingsStoreService } from '#core'
import { CostsService } from '#plugins/costs'
import { EventLogsService } from '#plugins/events'
import { GatesService } from '#plugins/gates'
import { MemoryService } from '#plugins/memory'
import { NotifyService } from '#plugins/notify'
import { PostsService } from '#plugins/posts'
import { SimilarPostsService } from '#plugins/search'
import { taskChecks } from './checks.ts'
import { createComponents } from './components.ts'
import { taskErrors } from './errors.ts'
import { TasksService } from './index.ts'
import { taskMessages } from './notices.ts'
import { resumeWhenFreed } from './pipeline/budget.ts'
import { pipelineJobs } from './pipeline/jobs.ts'
import { registerTasks } from './registrations.ts'
import { taskRoutes } from './routes.ts'
import { allSettings } from './settings.ts'

export default definePlugin({
  name: 'tasks',
  contract: CONTRACT,
  describe: 'Content tasks: a topic is drafted, checked and waits for a decision',
  needs: {
    posts: PostsService,
    gates: GatesService,
    memory: optional(MemoryService),
    similar: optional(SimilarPostsService),
    notify: optional(NotifyService),
    costs: optional(CostsService),
    store: SettingsStoreService,
    logs: optional(EventLogsService)
  },
  provides: { tasks: TasksService },
  settings: allSettings,
  errors: taskErrors,
  setup(context) {
    const { needs, settings, db } = context
    const { service, tasks, topics, pipeline, timeZone, isCriticMissing, ...registered } = createComponents(context)
    registerTasks(context, registered)
    return {
      services: { tasks: service },
      routes: taskRoutes({ tasks, topics, db, timeZone }),
      graphql: async () => (await import('./graphql.ts')).tasksGraphql(tasks, db, needs.costs),
      commands: {
        tasks: {
          describe: 'The content queue: create, read, approve, reject, publish, retry and cancel tasks',
          load: async () => (await import('./commands/tasks.ts')).taskCommands(tasks, db, needs.costs)
        },
        topics: {
          describe: 'The topic queue: propose topics, decide which are written',
          load: async () => (await import('./commands/topics.ts')).topicCommands(topics)
        }
      },
      jobs: pipelineJobs(pipeline),
      subscriptions: [...resumeWhenFreed(pipeline), ...taskMessages(needs.notify, tasks, needs.memory !== undefined)],
      checks: taskChecks(db, settings, isCriticMissing)
    }
  }
})
