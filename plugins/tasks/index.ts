import { event, type Queryable, service } from '#core'
import type { PostDecision } from '#plugins/posts'
import type { Critic, Rail, Writer } from './ports.ts'

export type {
  Assignment,
  Critic,
  Draft,
  Rail,
  RailContext,
  RailFinding,
  Source,
  Writer
} from './ports.ts'
export { railSettings } from './rails/rail-settings.ts'

/** Extension points of the pipeline, to register in `setup`, and decisions on tasks. */
export interface Tasks {
  /** Adds a quality check. @throws TypeError unless the plugin that brings it declares its two settings (`railSettings`). */
  registerRail(rail: Rail): void
  /** Offers a writer; the last registered whose `isChosen` returns true is used. */
  registerWriter(writer: Writer, isChosen: () => boolean): void
  registerCritic(critic: Critic, isChosen: () => boolean): void
  /** Retries a failed or rejected task; an unchecked draft is reused. Returns the task in its REST shape. `id` may be a prefix. @throws NotFoundError, ConflictError */
  retry(id: string, by: Pick<PostDecision, 'actor' | 'reason'>): Promise<object>
  /** Ends what is not published yet, and archives its post; as `retry`. */
  cancel(id: string, by: Pick<PostDecision, 'actor' | 'reason'>): Promise<object>
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
 * A draft was approved by its task; `publish_at` is null when it was published at once. A decision on the post alone
 * emits only events of posts.
 */
export const TaskApproved = event<TaskEvent & { post_id: string; publish_at: string | null }>('tasks.approved')
/** A draft failed its checks, or was rejected by its task. A decision on the post alone emits only events of posts. */
export const TaskRejected = event<TaskEvent & { status: string }>('tasks.rejected')
/** A draft failed its checks. Emitted together with `tasks.rejected`; `reason` says which checks, and why. */
export const DraftFailedQa = event<TaskEvent & { topic: string; reason: string }>('tasks.draft_failed_qa')
/** A task that failed, or whose draft was rejected, is in the queue again. */
export const TaskRetried = event<TaskEvent>('tasks.retried')
/** A task was ended before its post was published. */
export const TaskCancelled = event<TaskEvent & { post_id: string | null }>('tasks.cancelled')
/** A task ended without a draft; `error` says why. */
export const TaskFailed = event<TaskEvent & { topic: string; error: string }>('tasks.failed')
