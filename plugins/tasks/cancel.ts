import { ConflictError, type Tx } from '#core'
import type { PostDecision } from '#plugins/posts'
import { type ApprovalDeps, type LockedTask, recordDecision, transitionConflict } from './approval.ts'
import { taskDecision } from './gate-rows.ts'
import { TaskCancelled } from './index.ts'
import { moveTask } from './moves.ts'
import { endBudgetWaits } from './pipeline/budget.ts'

type CancelDeps = Pick<ApprovalDeps, 'decisions' | 'gates' | 'costs' | 'emit'>

/**
 * Ends a task that is not published yet, and archives its post. A worker that is writing it finds that out at the end of
 * its stage. One that has been dismissed already stays as it is.
 * @throws ConflictError
 */
export async function cancel(deps: CancelDeps, tx: Tx, locked: LockedTask, by: PostDecision): Promise<void> {
  const { task, post } = locked
  const { task_id, awaiting_gate, post_id } = task
  if (task.status === 'dismissed') return
  if (task.status === 'published' || post?.status === 'published') throw alreadyPublished(task_id)
  const reason = by.reason ?? null
  const moved = await moveTask(tx, task_id, 'cancelled', {
    actor: by.actor,
    changes: { awaiting_gate: null, publish_at: null, reason: reason ?? 'Cancelled.' },
    detail: { reason, gate: awaiting_gate, post_id }
  })
  if (moved === undefined) throw transitionConflict(task, 'cancelled')
  if (moved.from === 'in_progress') await endBudgetWaits(deps.costs, tx, [task_id])
  if (awaiting_gate !== null)
    await deps.gates.record(tx, taskDecision(awaiting_gate, task_id, 'cleared', { actor: by.actor, reason }))
  if (post !== null) await deps.decisions.archive(tx, post, by)
  if (task.status === 'awaiting_approval' && post?.status === 'draft')
    await recordDecision(deps, tx, locked, 'cleared', by)
  await deps.emit(tx, TaskCancelled, { task_id, actor: by.actor, post_id })
}

const alreadyPublished = (task_id: string) =>
  new ConflictError(
    `Task ${task_id} is published: "galley posts unpublish" or "galley posts archive" takes its post offline. Nothing was changed.`
  )
