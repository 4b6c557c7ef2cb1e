import { CONTRACT, definePlugin, EventLogsService, optional, SettingsStoreService } from '#core'
import { GatesService } from '#plugins/gates'
import { MemoryService } from '#plugins/memory'
import { PostsService } from '#plugins/posts'
import { SimilarPostsService } from '#plugins/search'
import { taskChecks } from './checks.ts'
import { pipelineLog } from './event-log.ts'
import { eventRoutes } from './event-routes.ts'
import { TasksService } from './index.ts'
import { nearDuplicate, refusedFrom } from './near-duplicate.ts'
import { createParts } from './parts.ts'
import { createPostParticipant } from './post-moves.ts'
import { railSettingsOf } from './posture.ts'
import { taskRoutes } from './routes.ts'
import { allSettings } from './settings.ts'
import { pipelineJobs } from './steps.ts'
import { topicRoutes } from './topic-routes.ts'
import { topicDecision } from './topics.ts'

export default definePlugin({
  name: 'tasks',
  contract: CONTRACT,
  describe: 'Content tasks: a topic is drafted, checked and waits for a decision',
  needs: {
    posts: PostsService,
    gates: GatesService,
    memory: optional(MemoryService),
    similar: optional(SimilarPostsService),
    store: SettingsStoreService,
    logs: EventLogsService
  },
  provides: { tasks: TasksService },
  settings: allSettings,
  setup(context) {
    const { needs, settings, db } = context
    const { service, tasks, topics, signOff, pipeline, timeZone } = createParts(context)
    needs.gates.define(topicDecision(topics, () => settings.get('pipeline_gate_topic_decision') === 'on'))
    needs.gates.defineDefault(signOff)
    needs.logs.usePipeline(pipelineLog(db))
    needs.posts.takePart(createPostParticipant(needs))
    needs.posts.refuseDuplicatesFrom(() => refusedFrom(railSettingsOf(needs.store, nearDuplicate)))
    return {
      services: { tasks: service },
      routes: async app => {
        await app.register(taskRoutes(tasks, timeZone))
        await app.register(eventRoutes(db, timeZone))
        await app.register(topicRoutes(topics))
      },
      graphql: async () => (await import('./graphql.ts')).tasksGraphql(tasks, db),
      commands: {
        tasks: {
          describe: 'The content queue: create, read, approve, reject, publish, retry and cancel tasks',
          load: async () => (await import('./commands/tasks.ts')).taskCommands(tasks, db)
        },
        topics: {
          describe: 'The topic queue: propose topics, decide which are written',
          load: async () => (await import('./commands/topics.ts')).topicCommands(topics)
        }
      },
      jobs: pipelineJobs(pipeline),
      checks: taskChecks(db, settings)
    }
  }
})
