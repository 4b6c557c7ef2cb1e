import { type Job, type JobOptions, job } from '#core'
import { DraftTask, PickUpTask, QaTask, ReclaimTask, ResearchTask, type StageJob } from '../job-types.ts'
import { moveTask } from '../moves.ts'
import { findTask, hasUncheckedDraft } from '../repository/tasks.ts'
import { restart } from '../retry.ts'
import { type Stage, stages } from '../states.ts'
import { runDraft, runResearch } from './drafting.ts'
import { runQa } from './qa.ts'
import { actor, fail, type PipelineDeps } from './stage-job.ts'

/**
 * The pipeline as durable jobs, one for each stage. Each reads its task, does its work outside any transaction, and then
 * moves the task with a compare-and-swap on status, stage and attempt, together with its history and the next stage's job:
 * a job that ran twice, or whose process was killed, changes the task once.
 */
export function pipelineJobs(deps: PipelineDeps): Job[] {
  const options = {
    concurrency: 4,
    retries: 5,
    retryDelaySeconds: 2,
    timeoutSeconds: 900,
    maxDeaths,
    onRetry: (tx, { task_id }, by) => restart(deps, tx, task_id, by)
  } satisfies JobOptions<{ task_id: string }>
  const claimOptions = {
    ...options,
    concurrency: 16,
    onDeadLetter: ({ task_id }, error) => fail(deps, task_id, null, error)
  } satisfies JobOptions<{ task_id: string }>
  const stageOptions = (stage: Stage, timeoutSeconds = options.timeoutSeconds): JobOptions<StageJob> => ({
    ...options,
    timeoutSeconds,
    onDeadLetter: ({ task_id, attempt }, error) => fail(deps, task_id, { stage, attempt }, error)
  })
  return [
    job(PickUpTask, data => claim(deps, data.task_id, 'picked_up'), claimOptions),
    job(ReclaimTask, data => claim(deps, data.task_id, 'reclaimed'), claimOptions),
    job(ResearchTask, data => runResearch(deps, data), stageOptions('research')),
    job(DraftTask, (data, delivery) => runDraft(deps, data, delivery), stageOptions('draft', draftTimeoutSeconds)),
    job(QaTask, (data, delivery) => runQa(deps, data, delivery), stageOptions('qa', qaTimeoutSeconds))
  ]
}

/**
 * A stage waits for models for minutes: processes that are killed meanwhile are hardly its doing. There are not more, as each may pay
 * for its requests once more.
 */
const maxDeaths = 5

/**
 * Longer than all requests of a stage may take by llm_timeout_seconds and llm_max_retries: a stage that was cut off would send
 * them once more. A draft is up to four requests (in two forms, and corrected); a critic's may each be tried again.
 */
const draftTimeoutSeconds = 3_600
const qaTimeoutSeconds = 8 * 3_600

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
    if (task !== undefined) await enqueue(tx, isWritten ? QaTask : ResearchTask, { task_id, attempt })
  })
}
