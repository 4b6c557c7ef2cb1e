import { ConflictError, type Emit, InputError, NotFoundError, type Tx, textFault } from '#core'
import { defaultGateName, type Gates } from '#plugins/gates'
import type { Posts } from '#plugins/posts'
import { TaskApproved, TaskRejected } from './index.ts'
import { insertEvent } from './repository/events.ts'
import { findPostId } from './repository/posts.ts'
import { lockTask, moveTask, type TaskChanges, type TaskRow } from './repository/tasks.ts'
import { isRejected, type Stage, type Transition, transitions } from './states.ts'

/** Who decides and why. */
export interface Decision {
  actor: string
  reason?: string | null
  /** Of the post's content that is decided on; absent or null: whatever it is. */
  content_hash?: string | null
  /** Also when its draft nearly repeats another post, or lacks a niche. */
  force?: boolean
}

/** What the decisions on a draft are made with. */
export interface ApprovalDeps {
  posts: Posts
  gates: Gates
  emit: Emit
  /** Queues the re-run of a task that was sent back. */
  regenerate(tx: Tx, task: TaskRow): Promise<void>
}

interface Move {
  actor: string
  changes?: TaskChanges
  detail?: Record<string, unknown>
  /** Only from this step of this attempt. */
  guard?: { stage: Stage; attempt: number } | null
}

/** Moves a task and writes its history in the same transaction; undefined when it was no longer where the move begins. */
export async function transition(
  tx: Tx,
  task_id: string,
  name: Transition,
  { actor, changes = {}, detail = {}, guard = null }: Move
): Promise<TaskRow | undefined> {
  const moved = await moveTask(tx, task_id, name, changes, guard)
  if (moved === undefined) return undefined
  await insertEvent(tx, { task_id, type: name, from: moved.from, to: moved.status, actor, detail })
  return moved
}

/**
 * A task locked for a decision, after its post: whatever changes both takes the locks in this order, so that no two
 * decisions wait for each other, and of two at once the second finds what the first left. @throws NotFoundError
 */
export async function lockForDecision(
  { posts }: Pick<ApprovalDeps, 'posts'>,
  tx: Tx,
  task_id: string
): Promise<TaskRow> {
  const post_id = await findPostId(tx, task_id)
  if (post_id !== null) await posts.lock(tx, post_id)
  const task = await lockTask(tx, task_id)
  if (task === undefined) throw new NotFoundError(`There is no task ${task_id}.`)
  // The draft was finished between the two looks: locking its post now would be the other order.
  if (task.post_id !== post_id) throw inProgress(task_id)
  return task
}

/** Publishes now, or at `publish_at`. What is approved or published already stays as it is. */
export async function approve(
  deps: ApprovalDeps,
  tx: Tx,
  task_id: string,
  publish_at: Date | null,
  by: Decision & { isAutomatic?: boolean }
): Promise<void> {
  const before = await lockForDecision(deps, tx, task_id)
  if (before.status === 'approved' || before.status === 'published') return refuseOtherSlot(before, publish_at)
  const name = publish_at === null ? 'approved' : 'approved_for_later'
  const task = await transition(tx, task_id, name, {
    actor: by.actor,
    changes: { publish_at: publish_at?.toISOString() ?? null, progress: 100, reason: null },
    detail: { publish_at: publish_at?.toISOString() ?? null, reason: by.reason ?? null }
  })
  if (task === undefined) throw refused(before, name)
  const post_id = postOf(task)
  const decided = { ...by, isRecorded: true }
  const { content_hash } =
    publish_at === null
      ? await deps.posts.publish(tx, post_id, decided)
      : await deps.posts.schedule(tx, post_id, publish_at, decided)
  await record(deps, tx, task, by.isAutomatic ? 'auto_approved' : 'approved', { ...by, content_hash })
  await deps.emit(tx, TaskApproved, {
    task_id,
    actor: by.actor,
    post_id,
    publish_at: publish_at?.toISOString() ?? null
  })
}

/** Turns a draft down without a re-run. */
export async function decline(deps: ApprovalDeps, tx: Tx, task_id: string, by: Decision): Promise<void> {
  await rejectDraft(deps, tx, task_id, 'declined', by, { reason: by.reason ?? 'Not approved.' })
}

/** Sends a draft back: the pipeline writes it again with the feedback. */
export async function sendBack(
  deps: ApprovalDeps,
  tx: Tx,
  task_id: string,
  feedback: string,
  by: Decision
): Promise<void> {
  const task = await rejectDraft(deps, tx, task_id, 'sent_back', by, { feedback, reason: by.reason ?? null })
  await deps.regenerate(tx, task)
}

/** Ends a task; one that is rejected for good already stays as it is. */
export async function rejectForGood(
  deps: ApprovalDeps,
  tx: Tx,
  task_id: string,
  feedback: string,
  by: Decision
): Promise<void> {
  // Locked: one that waited for the same decision finds it made, and agrees.
  if ((await lockForDecision(deps, tx, task_id)).status === 'rejected_final') return
  await rejectDraft(deps, tx, task_id, 'rejected_for_good', by, { feedback, reason: by.reason ?? null })
}

async function rejectDraft(
  deps: ApprovalDeps,
  tx: Tx,
  task_id: string,
  name: Transition,
  by: Decision,
  changes: TaskChanges
): Promise<TaskRow> {
  const before = await lockForDecision(deps, tx, task_id)
  const task = await transition(tx, task_id, name, { actor: by.actor, changes, detail: { ...changes } })
  if (task === undefined) throw refused(before, name)
  const reason = by.reason ?? changes.feedback ?? null
  if (task.post_id !== null) {
    const post = await deps.posts.withdraw(tx, task.post_id, { ...by, reason, isRecorded: true })
    by = { ...by, content_hash: post.content_hash }
  }
  await record(deps, tx, task, 'rejected', { ...by, reason })
  await deps.emit(tx, TaskRejected, { task_id, actor: by.actor, status: task.status })
  return task
}

const record = (
  deps: ApprovalDeps,
  tx: Tx,
  task: TaskRow,
  decision: 'approved' | 'rejected' | 'auto_approved',
  by: Decision
): Promise<void> =>
  deps.gates.record(tx, {
    gate_name: defaultGateName,
    subject_type: 'task',
    subject_id: task.task_id,
    decision,
    actor: by.actor,
    reason: by.reason ?? null,
    content_hash: by.content_hash ?? null
  })

function postOf(task: TaskRow): string {
  if (task.post_id === null)
    throw new ConflictError(`Task ${task.task_id} has no draft to publish: wait until it is awaiting_approval.`)
  return task.post_id
}

/** Approving again changes nothing; it is no way to another slot. */
function refuseOtherSlot({ task_id, status, publish_at, post_id }: TaskRow, wanted: Date | null): void {
  if (wanted === null || wanted.toISOString() === publish_at) return
  const remedy =
    status === 'approved'
      ? `"schedule at ${post_id} ${wanted.toISOString()} --force" (POST /api/schedule) gives it that one`
      : 'what is public has no slot to schedule: unpublish it first'
  throw new ConflictError(
    `Task ${task_id} is ${status} already, ${publish_at === null ? 'without a slot' : `for ${publish_at}`}: ${remedy}. Nothing was changed.`
  )
}

const inProgress = (task_id: string, from = 'awaiting_approval') =>
  new ConflictError(
    `Task ${task_id} is in_progress: the pipeline is writing it; decide when it is ${from}.`,
    'TASK_IN_PROGRESS'
  )

/** Why a move does not apply to a task. */
export function refused(task: TaskRow, wanted: Transition): ConflictError {
  const from = transitions[wanted].from.join(' or ')
  if (isRejected(task.status)) {
    return new ConflictError(
      `Task ${task.task_id} is already ${task.status}: nothing was changed.`,
      'TASK_ALREADY_REJECTED'
    )
  }
  if (task.status === 'in_progress') return inProgress(task.task_id, from)
  return new ConflictError(`Task ${task.task_id} is ${task.status}; this needs ${from}. Nothing was changed.`)
}

/** Refuses feedback that says nothing. */
export function requireFeedback(feedback: string): string {
  const text = feedback.trim()
  const fault = text === '' ? 'is required: say what should change' : textFault(text)
  if (fault !== undefined) throw new InputError({ feedback: fault })
  return text
}
