import type { Context, Needs, SettingsStore } from '#core'
import type { Costs } from '#plugins/costs'
import type { Gates } from '#plugins/gates'
import type { Memory } from '#plugins/memory'
import type { Posts, SimilarPosts } from '#plugins/posts'
import type { ApprovalDeps } from './approval.ts'
import { createDefaultGate } from './default-gate.ts'
import type { Tasks } from './index.ts'
import { ReclaimTask } from './job-types.ts'
import type { PipelineDeps } from './pipeline/stage-job.ts'
import { createPostParticipant } from './post-participant.ts'
import { isCriticRequired, minAutoPublishScore, nearDuplicateLimit, qaSettingsOf } from './qa-settings.ts'
import { builtInRails } from './rails/built-in.ts'
import { createNearDuplicateRail } from './rails/near-duplicate.ts'
import { createPipelineRegistry, type PipelineRegistry } from './registry.ts'
import { countByStatus } from './repository/tasks.ts'
import type { taskSettings } from './settings.ts'
import { createTasks } from './tasks.ts'
import { createTopicGate, createTopics } from './topics.ts'

type ComponentsContext = Omit<Context<Needs, typeof taskSettings>, 'needs'> & {
  needs: {
    posts: Posts
    gates: Gates
    memory: Memory | undefined
    similar: SimilarPosts | undefined
    costs: Costs | undefined
    store: SettingsStore
  }
}

/** Everything the plugin consists of, wired. */
export function createComponents(context: ComponentsContext) {
  const { needs, settings, db, emit, enqueue, now } = context
  const { posts, gates, similar, costs, store } = needs
  const registry = createPipelineRegistry({ settings, store, costs }, [
    ...builtInRails,
    createNearDuplicateRail(similar)
  ])
  const approval: ApprovalDeps = {
    posts,
    decisions: posts.registerParticipant(createPostParticipant({ gates, posts, costs })),
    gates,
    costs,
    emit,
    regenerate: (tx, { task_id }) => enqueue(tx, ReclaimTask, { task_id })
  }
  const defaultLength = () => settings.get('default_target_length')
  const timeZone = () => store.value('operator_timezone')
  const isGateOn = () => settings.get('pipeline_gate_topic_decision') === 'on'
  const tasks = createTasks({ ...approval, db, enqueue, defaultLength, timeZone, now })
  const topics = createTopics({
    ...approval,
    db,
    similar,
    enqueue,
    isGateOn,
    maxPending: () => settings.get('topic_discovery_max_pending'),
    minDuplicateSimilarity: () => settings.get('topic_dedup_threshold'),
    defaultLength
  })
  const { registerRail, registerWriter, registerCritic } = registry
  const { retry, cancel } = tasks
  const service: Tasks = { registerRail, registerWriter, registerCritic, retry, cancel, countByStatus }
  return {
    service,
    tasks,
    topics,
    timeZone,
    topicGate: createTopicGate(topics, isGateOn),
    defaultGate: createDefaultGate({ db, posts, tasks, settings }),
    duplicateThreshold: () => nearDuplicateLimit(store),
    isCriticMissing: () => isCriticRequired(store) && !registry.hasCritic(),
    pipeline: pipelineDeps(context, approval, registry)
  }
}

/** What the jobs of the pipeline work with. */
function pipelineDeps(
  { needs: { memory, costs, store }, settings, db, enqueue, log, now }: ComponentsContext,
  approval: ApprovalDeps,
  { writer, rails }: PipelineRegistry
): PipelineDeps {
  return {
    ...approval,
    db,
    enqueue,
    log,
    memory,
    costs,
    now,
    writer,
    rails,
    qaSettings: () => qaSettingsOf(store, settings, rails()),
    maxSources: () => settings.get('writer_max_sources'),
    minAutoPublishScore: () => minAutoPublishScore(settings)
  }
}
