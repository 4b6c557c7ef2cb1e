import type { Enqueue, Tx } from '#core'
import { type ApprovalDeps, type Decision, lockForDecision, refused } from './approval.ts'
import { TaskRetried } from './index.ts'
import { moveTask } from './moves.ts'
import { pickup } from './pipeline/step.ts'
import { findTask, hasUncheckedDraft, type TaskRow } from './repository/tasks.ts'

export interface RetryDeps extends Pick<ApprovalDeps, 'decisions' | 'emit'> {
  enqueue: Enqueue
}

/**
 * Puts a task that failed, or whose draft was rejected, into the queue again. A text that was never checked to the end is
 * gone on with; any other is written again.
 * @throws ConflictError
 */
export async function retry(deps: RetryDeps, tx: Tx, task: TaskRow, by: Decision): Promise<void> {
  const { task_id } = task
  const keeps_draft = await hasUncheckedDraft(tx, task_id)
  const attempt = task.attempt + 1
  const moved = await moveTask(tx, task_id, 'retried', {
    actor: by.actor,
    // Another attempt: nothing that is left of the last one can move the task any more.
    changes: { attempt, progress: 0, reason: null, error: null, publish_at: null },
    detail: { attempt, keeps_draft, reason: by.reason ?? null, error: task.error }
  })
  if (moved === undefined) throw refused(task, 'retried')
  await deps.enqueue(tx, pickup, { task_id })
  await deps.emit(tx, TaskRetried, { task_id, actor: by.actor })
}

/** What starting a parked job of the pipeline anew means: its task is taken up again. Answers why not, when there is nothing to take up. */
export async function restart(deps: RetryDeps, tx: Tx, task_id: string, actor: string): Promise<string | null> {
  const found = await findTask(tx, task_id)
  if (found === undefined) return `there is no task ${task_id} any more`
  const { task } = await lockForDecision(deps, tx, task_id)
  if (task.status !== 'failed') return `task ${task_id} is ${task.status}, not failed: it does not need this job`
  await retry(deps, tx, task, { actor })
  return null
}
