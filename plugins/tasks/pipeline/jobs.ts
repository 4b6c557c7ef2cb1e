import { type Job, type JobOptions, job } from '#core'
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
    retryDelaySeconds: 2,
    timeoutSeconds: 900,
    onRetry: (tx, { task_id }, by) => restart(deps, tx, task_id, by)
  } satisfies JobOptions<{ task_id: string }>
  const claims = {
    ...options,
    concurrency: 16,
    onDeadLetter: ({ task_id }, error) => fail(deps, task_id, null, error)
  } satisfies JobOptions<{ task_id: string }>
  const at = (stage: Stage, timeoutSeconds = options.timeoutSeconds): JobOptions<Step> => ({
    ...options,
    timeoutSeconds,
    onDeadLetter: (step, error) => fail(deps, step.task_id, { stage, attempt: step.attempt }, error)
  })
  return [
    job(pickup, data => claim(deps, data.task_id, 'picked_up'), claims),
    job(reclaim, data => claim(deps, data.task_id, 'reclaimed'), claims),
    job(research, step => runResearch(deps, step), at('research')),
    job(write, (step, delivery) => runDraft(deps, step, delivery), at('draft', draftTimeoutSeconds)),
    job(check, (step, delivery) => runQa(deps, step, delivery), at('qa', checkTimeoutSeconds))
  ]
}

/**
 * Longer than all requests of a step may take by llm_timeout_seconds and llm_max_retries: a step that was cut off would send
 * them once more. A draft is up to four requests (in two forms, and corrected); a critic's may each be tried again.
 */
const draftTimeoutSeconds = 3_600
const checkTimeoutSeconds = 8 * 3_600

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
