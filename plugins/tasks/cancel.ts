import { ConflictError, type Tx } from '#core'
import { defaultGateName } from '#plugins/gates'
import { type ApprovalDeps, type Decision, lockForDecision, refused, transition } from './approval.ts'
import { TaskCancelled } from './index.ts'
import type { TaskRow } from './repository/tasks.ts'

type CancelDeps = Pick<ApprovalDeps, 'posts' | 'gates' | 'emit'>

/**
 * Ends a task that is not published yet, and archives its post. A worker that is writing it finds that out at the end of
 * its step. One that has been dismissed already stays as it is.
 * @throws NotFoundError, ConflictError
 */
export async function cancel(deps: CancelDeps, tx: Tx, task_id: string, by: Decision): Promise<void> {
  const task = await lockForDecision(deps, tx, task_id)
  if (task.status === 'dismissed') return
  if (task.status === 'published') throw alreadyPublished(task_id)
  const reason = by.reason ?? null
  const moved = await transition(tx, task_id, 'cancelled', {
    actor: by.actor,
    changes: { awaiting_gate: null, publish_at: null, reason: reason ?? 'Cancelled.' },
    detail: { reason, gate: task.awaiting_gate, post_id: task.post_id }
  })
  if (moved === undefined) throw refused(task, 'cancelled')
  if (task.awaiting_gate !== null) await leaveGate(deps, tx, task_id, task.awaiting_gate, by)
  if (task.post_id !== null) await archive(deps, tx, task, task.post_id, by)
  await deps.emit(tx, TaskCancelled, { task_id, actor: by.actor, post_id: task.post_id })
}

async function archive(deps: CancelDeps, tx: Tx, task: TaskRow, post_id: string, by: Decision): Promise<void> {
  const post = await deps.posts.lock(tx, post_id)
  if (post.status === 'published') throw alreadyPublished(task.task_id)
  await deps.posts.archive(tx, post_id, by)
  // Of a post that waits the posts record that it leaves its gate; one that was unpublished waits by its task only.
  if (task.status === 'awaiting_approval' && post.status === 'draft')
    await leaveGate(deps, tx, task.task_id, defaultGateName, by)
}

const leaveGate = ({ gates }: CancelDeps, tx: Tx, task_id: string, gate_name: string, by: Decision) =>
  gates.record(tx, {
    gate_name,
    subject_type: 'task',
    subject_id: task_id,
    decision: 'cleared',
    actor: by.actor,
    reason: by.reason ?? null
  })

const alreadyPublished = (task_id: string) =>
  new ConflictError(
    `Task ${task_id} is published: "galley posts unpublish" or "galley posts archive" takes its post offline. Nothing was changed.`
  )
