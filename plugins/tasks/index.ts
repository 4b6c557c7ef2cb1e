import { event, type Queryable, service } from '#core'
import type { Critic, Rail, Writer } from './pipeline/ports.ts'

export type {
  Assignment,
  Critic,
  Draft,
  Rail,
  RailContext,
  RailFinding,
  Source,
  Verdict,
  Writer
} from './pipeline/ports.ts'
export { railSettings } from './rails/rail-settings.ts'

/** Who decides on a task, and why. */
export interface DecisionBy {
  actor: string
  reason?: string | null
}

/** Extension points of the pipeline, to register in `setup`, and decisions on tasks. */
export interface Tasks {
  /** Adds a quality check. @throws TypeError unless the plugin that brings it declares its two settings (`railSettings`). */
  registerRail(rail: Rail): void
  /** Offers a writer; the last registered whose `isChosen` answers true is used. */
  registerWriter(writer: Writer, isChosen: () => boolean): void
  registerCritic(critic: Critic, isChosen: () => boolean): void
  /** Takes up again what failed or was rejected; answers the task in its REST shape. `id` may be a prefix. @throws NotFoundError, ConflictError */
  retry(id: string, by: DecisionBy): Promise<object>
  /** Ends what is not published yet, and archives its post; as `retry`. */
  cancel(id: string, by: DecisionBy): Promise<object>
  /** How many tasks are in each status; one that none is in is left out. */
  countByStatus(db: Queryable): Promise<{ status: string; tasks: number }[]>
}
export const TasksService = service<Tasks>('tasks')

/** What the events of a task carry. */
export interface TaskEvent {
  task_id: string
  actor: string
}
/** A topic waits for a decision at `topic_decision`. */
export const TopicProposed = event<TaskEvent & { topic: string; source: string }>('tasks.topic_proposed')
/** A task entered the queue. */
export const TaskCreated = event<TaskEvent>('tasks.created')
/** A draft passed its checks and waits for a human. */
export const TaskAwaitingApproval = event<TaskEvent & { post_id: string }>('tasks.awaiting_approval')
/**
 * A draft was signed off by its task; `publish_at` is null when it was published at once. A decision on the post alone
 * emits only events of posts.
 */
export const TaskApproved = event<TaskEvent & { post_id: string; publish_at: string | null }>('tasks.approved')
/** A draft failed its checks, or was turned down by its task. A decision on the post alone emits only events of posts. */
export const TaskRejected = event<TaskEvent & { status: string }>('tasks.rejected')
/** A draft failed its checks, told beside `tasks.rejected`; `reason` says which and why. */
export const DraftRefused = event<TaskEvent & { topic: string; reason: string }>('tasks.draft_refused')
/** A task that failed, or whose draft was rejected, is in the queue again. */
export const TaskRetried = event<TaskEvent>('tasks.retried')
/** A task was ended before its post was published. */
export const TaskCancelled = event<TaskEvent & { post_id: string | null }>('tasks.cancelled')
/** The pipeline gave a task up; `error` says why. */
export const TaskFailed = event<TaskEvent & { topic: string; error: string }>('tasks.failed')
