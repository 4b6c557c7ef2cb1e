import { type Job, job, type Tx } from '#core'
import { moveTask } from '../moves.ts'
import { findTask, hasUncheckedDraft } from '../repository/tasks.ts'
import { restart } from '../retry.ts'
import { type Stage, stages } from '../states.ts'
import { runQa } from './checking.ts'
import { runDraft, runResearch } from './drafting.ts'
import { actor, check, fail, type PipelineDeps, pickup, reclaim, research, type Step, write } from './step.ts'

/**
 * The pipeline as durable steps. Each reads its task, does its work outside any transaction, and then moves the task on
 * with a compare-and-swap on status, stage and attempt, together with its history and the next step's job: a step that
 * ran twice, or whose process was killed, changes the task once.
 */
export function pipelineJobs(deps: PipelineDeps): Job[] {
  const options = {
    concurrency: 4,
    retries: 5,
    retryDelay: 2,
    timeout: 900,
    onRetry: (tx: Tx, { task_id }: { task_id: string }, by: string) => restart(deps, tx, task_id, by)
  }
  const claims = {
    ...options,
    concurrency: 16,
    onParked: ({ task_id }: { task_id: string }, error: Error) => fail(deps, task_id, null, error)
  }
  const at = (stage: Stage, timeout = options.timeout) => ({
    ...options,
    timeout,
    onParked: (step: Step, error: Error) => fail(deps, step.task_id, { stage, attempt: step.attempt }, error)
  })
  return [
    job(pickup, data => claim(deps, data.task_id, 'picked_up'), claims),
    job(reclaim, data => claim(deps, data.task_id, 'reclaimed'), claims),
    job(research, step => runResearch(deps, step), at('research')),
    job(write, (step, delivery) => runDraft(deps, step, delivery), at('draft', draftTimeout)),
    job(check, (step, delivery) => runQa(deps, step, delivery), at('qa', checkTimeout))
  ]
}

/**
 * Longer than all requests of a step may take by llm_timeout_seconds and llm_max_retries: a step that was cut off would send
 * them once more. A draft is up to four requests (in two forms, and corrected); a critic's may each be tried again.
 */
const draftTimeout = 3_600
const checkTimeout = 8 * 3_600

async function claim({ db, enqueue }: PipelineDeps, task_id: string, name: 'picked_up' | 'reclaimed'): Promise<void> {
  await db.transaction(async tx => {
    const before = await findTask(tx, task_id)
    if (before === undefined) return
    const attempt = before.attempt + (name === 'reclaimed' ? 1 : 0)
    const isWritten = name === 'picked_up' && (await hasUncheckedDraft(tx, task_id))
    const stage = isWritten ? 'qa' : 'research'
    const task = await moveTask(tx, task_id, name, {
      actor,
      changes: { stage, progress: stages[stage], attempt, error: null, qa: null },
      detail: { attempt, stage }
    })
    if (task !== undefined) await enqueue(tx, isWritten ? check : research, { task_id, attempt })
  })
}
