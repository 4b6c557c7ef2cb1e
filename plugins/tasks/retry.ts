import type { Enqueue, Tx } from '#core'
import type { PostDecision } from '#plugins/posts'
import { type ApprovalDeps, lockForDecision, transitionConflict } from './approval.ts'
import { TaskRetried } from './index.ts'
import { PickUpTask } from './job-types.ts'
import { moveTask } from './moves.ts'
import { findTask, hasUncheckedDraft, type TaskRow } from './repository/tasks.ts'

interface RetryDeps extends Pick<ApprovalDeps, 'posts' | 'emit'> {
  enqueue: Enqueue
}

/**
 * Queues a failed or rejected task again. A draft whose checks did not finish is checked again; any other is written again.
 * @throws ConflictError
 */
export async function retry(deps: RetryDeps, tx: Tx, task: TaskRow, by: PostDecision): Promise<void> {
  const { task_id } = task
  const keeps_draft = await hasUncheckedDraft(tx, task_id)
  const attempt = task.attempt + 1
  const moved = await moveTask(tx, task_id, 'retried', {
    actor: by.actor,
    // Another attempt: nothing that is left of the last one can move the task any more.
    changes: { attempt, progress: 0, reason: null, error: null, publish_at: null },
    detail: { attempt, keeps_draft, reason: by.reason ?? null, error: task.error }
  })
  if (moved === undefined) throw transitionConflict(task, 'retried')
  await deps.enqueue(tx, PickUpTask, { task_id })
  await deps.emit(tx, TaskRetried, { task_id, actor: by.actor })
}

/** Retries the task of a dead job that is started again. Returns why not, for a task that needs no job. */
export async function restart(deps: RetryDeps, tx: Tx, task_id: string, actor: string): Promise<string | null> {
  const found = await findTask(tx, task_id)
  if (found === undefined) return `there is no task ${task_id} any more`
  const { task } = await lockForDecision(deps, tx, task_id)
  if (task.status !== 'failed') return `task ${task_id} is ${task.status}, not failed: it does not need this job`
  await retry(deps, tx, task, { actor })
  return null
}
