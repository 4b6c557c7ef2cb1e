import { ConflictError, type Emit, InputError, NotFoundError, type Tx, textFault } from '#core'
import type { Costs } from '#plugins/costs'
import { defaultGateName, type Gates } from '#plugins/gates'
import type { LockedPost, ParticipantDecisions, PostDecision, Posts } from '#plugins/posts'
import { taskDecision } from './gate-rows.ts'
import { TaskApproved, TaskRejected } from './index.ts'
import { moveTask } from './moves.ts'
import type { TaskChanges } from './repository/moves.ts'
import { findPostId } from './repository/posts.ts'
import { lockTask, type TaskRow } from './repository/tasks.ts'
import { isRejected, type Transition, transitions } from './states.ts'

/** What the decisions on a draft are made with. */
export interface ApprovalDeps {
  posts: Posts
  /** What is decided on a post here: its task is moved here, too. */
  decisions: ParticipantDecisions
  gates: Gates
  costs: Costs | undefined
  emit: Emit
  /** Queues the re-run of a task. */
  regenerate(tx: Tx, task: TaskRow): Promise<void>
}

/** A task and its post, both locked. */
export interface LockedTask {
  task: TaskRow
  post: LockedPost | null
}

/**
 * A task locked for a decision, after its post: whatever changes both takes the locks in this order, so that no two
 * decisions wait for each other, and of two at once the second finds what the first left. @throws NotFoundError
 */
export async function lockForDecision(
  { posts }: Pick<ApprovalDeps, 'posts'>,
  tx: Tx,
  task_id: string
): Promise<LockedTask> {
  const post_id = await findPostId(tx, task_id)
  const post = post_id === null ? null : await posts.lock(tx, post_id)
  const task = await lockTask(tx, task_id)
  if (task === undefined) throw new NotFoundError(`There is no task ${task_id}.`)
  // The draft was finished between the two looks: locking its post now would be the other order.
  if (task.post_id !== post_id) throw inProgress(task_id)
  return { task, post }
}

/** Publishes now, or at `publish_at`. What is approved or published already stays as it is. */
export async function approve(
  deps: ApprovalDeps,
  tx: Tx,
  { task, post }: LockedTask,
  publish_at: Date | null,
  by: PostDecision
): Promise<void> {
  const { task_id, status } = task
  if (status === 'approved' || status === 'published') return refuseOtherSlot(deps, task, publish_at)
  const name = publish_at === null ? 'approved' : 'scheduled'
  const slot = publish_at?.toISOString() ?? null
  const moved = await moveTask(tx, task_id, name, {
    actor: by.actor,
    changes: { publish_at: slot, progress: 100, reason: null },
    detail: { publish_at: slot, reason: by.reason ?? null }
  })
  if (moved === undefined) throw transitionConflict(task, name)
  if (post === null) throw withoutDraft(task_id)
  if (publish_at !== null) await deps.decisions.schedule(tx, post, publish_at, by)
  else {
    await deps.decisions.publish(tx, post, by)
    await recordDecision(deps, tx, { task, post }, 'approved', by)
  }
  await deps.emit(tx, TaskApproved, { task_id, actor: by.actor, post_id: post.post_id, publish_at: slot })
}

/** At the slot that an edit took while it lies ahead, else now. */
export async function approveAtGate(deps: ApprovalDeps, tx: Tx, locked: LockedTask, by: PostDecision): Promise<void> {
  const { post } = locked
  const lost = post === null ? undefined : (await deps.posts.lostSlots(tx, [post.post_id])).get(post.post_id)
  if (!lost?.is_ahead) return approve(deps, tx, locked, null, by)
  await approve(deps, tx, locked, new Date(lost.slot), { ...by, regainsSlot: true })
}

/** Rejects a draft without a re-run; a retry gives the writer the feedback, where there is some. */
export async function rejectWithoutRetry(
  deps: ApprovalDeps,
  tx: Tx,
  locked: LockedTask,
  by: PostDecision,
  feedback?: string
): Promise<void> {
  const changes = { reason: by.reason ?? 'Not approved.', ...(feedback === undefined ? {} : { feedback }) }
  await rejectDraft(deps, tx, locked, 'rejected', by, changes)
}

/** Rejects a draft: the pipeline writes it again with the feedback. */
export async function rejectForRetry(
  deps: ApprovalDeps,
  tx: Tx,
  locked: LockedTask,
  feedback: string,
  by: PostDecision
): Promise<void> {
  const task = await rejectDraft(deps, tx, locked, 'rejected_for_retry', by, { feedback, reason: by.reason ?? null })
  await deps.regenerate(tx, task)
}

/** Ends a task; one that is finally rejected already stays as it is. */
export async function rejectFinally(
  deps: ApprovalDeps,
  tx: Tx,
  locked: LockedTask,
  feedback: string,
  by: PostDecision
): Promise<void> {
  if (locked.task.status === 'rejected_final') return
  await rejectDraft(deps, tx, locked, 'rejected_finally', by, { feedback, reason: by.reason ?? null })
}

async function rejectDraft(
  deps: ApprovalDeps,
  tx: Tx,
  locked: LockedTask,
  name: Transition,
  by: PostDecision,
  changes: TaskChanges
): Promise<TaskRow> {
  const { task, post } = locked
  const moved = await moveTask(tx, task.task_id, name, { actor: by.actor, changes, detail: { ...changes } })
  if (moved === undefined) throw transitionConflict(task, name)
  const reason = by.reason ?? changes.feedback ?? null
  if (post !== null) await deps.decisions.reject(tx, post, { ...by, reason })
  await recordDecision(deps, tx, locked, 'rejected', { ...by, reason })
  await deps.emit(tx, TaskRejected, { task_id: moved.task_id, actor: by.actor, status: moved.status })
  return moved
}

/** Writes the decision at the gate. Of a post that waits there posts write it; a draft that was unpublished waits by its task alone. */
export async function recordDecision(
  { gates }: Pick<ApprovalDeps, 'gates'>,
  tx: Tx,
  { task, post }: LockedTask,
  decision: 'approved' | 'rejected' | 'cleared',
  by: PostDecision
): Promise<void> {
  if (post?.status === 'awaiting_approval') return
  const content_hash = post?.content_hash ?? by.content_hash
  await gates.record(tx, taskDecision(defaultGateName, task.task_id, decision, { ...by, content_hash }))
}

const withoutDraft = (task_id: string) =>
  new ConflictError(`Task ${task_id} has no draft to publish: wait until it is awaiting_approval.`)

/** Approving again changes nothing; it is no way to another slot. */
function refuseOtherSlot({ posts }: ApprovalDeps, task: TaskRow, wanted: Date | null): void {
  const { task_id, status, publish_at } = task
  if (wanted === null || wanted.toISOString() === publish_at) return
  const remedy =
    status === 'approved'
      ? otherSlotRemedy(posts, task, wanted.toISOString())
      : 'what is public has no slot to schedule: unpublish it first'
  throw new ConflictError(
    `Task ${task_id} is ${status} already, ${publish_at === null ? 'without a slot' : `for ${publish_at}`}: ${remedy}. Nothing was changed.`
  )
}

function otherSlotRemedy(posts: Pick<Posts, 'slotHint'>, { post_id }: TaskRow, slot: string): string {
  const hint = post_id === null ? undefined : posts.slotHint({ post_id, slot, replacesSlot: true })
  return hint === undefined ? 'no plugin is on that gives posts their slots' : `${hint} gives it that one`
}

const inProgress = (task_id: string, from = 'awaiting_approval') =>
  new ConflictError(
    `Task ${task_id} is in_progress: the pipeline is writing it; decide when it is ${from}.`,
    'TASK_IN_PROGRESS'
  )

/** Why a move does not apply to a task. */
export function transitionConflict(task: TaskRow, wanted: Transition): ConflictError {
  const from = transitions[wanted].from.join(' or ')
  if (isRejected(task.status)) {
    return new ConflictError(
      `Task ${task.task_id} is already ${task.status}: nothing was changed.`,
      'TASK_ALREADY_REJECTED'
    )
  }
  if (task.status === 'in_progress') return inProgress(task.task_id, from)
  const remedy = task.status === 'awaiting_gate' ? ' Decide on its topic with galley topics approve or reject.' : ''
  return new ConflictError(`Task ${task.task_id} is ${task.status}; this needs ${from}.${remedy} Nothing was changed.`)
}

/** Refuses feedback that says nothing. */
export function requireFeedback(feedback: string): string {
  const text = feedback.trim()
  const fault = text === '' ? 'is required: say what should change' : textFault(text)
  if (fault !== undefined) throw new InputError({ feedback: fault })
  return text
}
