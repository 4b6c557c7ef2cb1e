import { CONTRACT, definePlugin, on, onMany, optional, SettingsStoreService } from '#core'
import { GatesService } from '#plugins/gates'
import { MemoryService } from '#plugins/memory'
import { PostPublished, PostRejected, PostReopened, PostsService, SlotsChanged } from '#plugins/posts'
import type { ApprovalDeps } from './approval.ts'
import { taskChecks } from './checks.ts'
import { createChoices } from './choices.ts'
import { TasksService } from './index.ts'
import { createNearDuplicateRail } from './near-duplicate.ts'
import { autoPublishFrom, qaSettingsOf } from './posture.ts'
import { followPosts, followRejected } from './published.ts'
import { builtInRails } from './rails.ts'
import { followReopened, followSlots } from './reopened.ts'
import { taskRoutes } from './routes.ts'
import { allSettings } from './settings.ts'
import { createSignOff } from './sign-off.ts'
import { reclaim } from './step.ts'
import { pipelineJobs } from './steps.ts'
import { createTasks } from './tasks.ts'
import { createTopics, topicDecision } from './topics.ts'

export default definePlugin({
  name: 'tasks',
  contract: CONTRACT,
  describe: 'Content tasks: a topic is drafted, checked and waits for a decision',
  needs: { posts: PostsService, gates: GatesService, memory: optional(MemoryService), store: SettingsStoreService },
  provides: { tasks: TasksService },
  settings: allSettings,
  setup({ needs: { posts, gates, memory, store }, settings, db, emit, enqueue, log, now }) {
    const choices = createChoices(settings, [...builtInRails, createNearDuplicateRail(posts)])
    const approval: ApprovalDeps = {
      posts,
      gates,
      emit,
      regenerate: (tx, { task_id }) => enqueue(tx, reclaim, { task_id })
    }
    const defaultLength = () => settings.get('default_target_length')
    const timeZone = () => store.value('operator_timezone')
    const tasks = createTasks({ ...approval, db, enqueue, defaultLength, timeZone, now })
    const isTopicGateOn = () => settings.get('pipeline_gate_topic_decision') === 'on'
    const maxPending = () => settings.get('topic_discovery_max_pending')
    const nearFrom = () => settings.get('topic_dedup_threshold')
    const queue = { isGateOn: isTopicGateOn, maxPending, nearFrom, defaultLength }
    const topics = createTopics({ db, gates, posts, emit, enqueue, ...queue })
    gates.define(topicDecision(topics, isTopicGateOn))
    gates.defineDefault(createSignOff({ db, posts, tasks, settings }))
    return {
      services: { tasks: choices },
      routes: taskRoutes(tasks, db),
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
      jobs: pipelineJobs({
        ...approval,
        db,
        enqueue,
        log,
        memory,
        writer: choices.writer,
        rails: choices.rails,
        qaSettings: () => qaSettingsOf(store, settings, choices.rails()),
        maxSources: () => settings.get('writer_max_sources'),
        autoPublishFrom: () => autoPublishFrom(settings)
      }),
      subscriptions: [
        onMany(PostPublished, followPosts(db)),
        on(PostRejected, followRejected(db)),
        on(PostReopened, followReopened(db, { posts })),
        on(SlotsChanged, followSlots(db, { posts }))
      ],
      checks: taskChecks(db, settings)
    }
  }
})
