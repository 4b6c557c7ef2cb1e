import { CONTRACT, definePlugin, on, onMany, optional, SettingsStoreService } from '#core'
import { GatesService } from '#plugins/gates'
import { MemoryService } from '#plugins/memory'
import { PostPublished, PostRejected, PostReopened, PostsService, SlotsChanged } from '#plugins/posts'
import { taskChecks } from './checks.ts'
import { TasksService } from './index.ts'
import { createParts } from './parts.ts'
import { followPosts, followRejected } from './published.ts'
import { followReopened, followSlots } from './reopened.ts'
import { taskRoutes } from './routes.ts'
import { allSettings } from './settings.ts'
import { pipelineJobs } from './steps.ts'
import { topicDecision } from './topics.ts'

export default definePlugin({
  name: 'tasks',
  contract: CONTRACT,
  describe: 'Content tasks: a topic is drafted, checked and waits for a decision',
  needs: { posts: PostsService, gates: GatesService, memory: optional(MemoryService), store: SettingsStoreService },
  provides: { tasks: TasksService },
  settings: allSettings,
  setup(context) {
    const { needs, settings, db } = context
    const { choices, tasks, topics, signOff, pipeline } = createParts(context)
    needs.gates.define(topicDecision(topics, () => settings.get('pipeline_gate_topic_decision') === 'on'))
    needs.gates.defineDefault(signOff)
    return {
      services: { tasks: choices },
      routes: taskRoutes(tasks, db),
      graphql: async () => (await import('./graphql.ts')).tasksGraphql(tasks, db),
      commands: {
        tasks: {
          describe: 'The content queue: create, read, approve, reject and publish tasks',
          load: async () => (await import('./commands/tasks.ts')).taskCommands(tasks)
        },
        topics: {
          describe: 'The topic queue: propose topics, decide which are written',
          load: async () => (await import('./commands/topics.ts')).topicCommands(topics)
        }
      },
      jobs: pipelineJobs(pipeline),
      subscriptions: [
        onMany(PostPublished, followPosts(db, needs)),
        on(PostRejected, followRejected(db, needs)),
        on(PostReopened, followReopened(db, needs)),
        on(SlotsChanged, followSlots(db, needs))
      ],
      checks: taskChecks(db, settings)
    }
  }
})
