import { type Job, job } from '#core'
import { transition } from './approval.ts'
import { runQa } from './checking.ts'
import { runDraft, runResearch } from './drafting.ts'
import { findTask } from './repository.ts'
import { actor, check, fail, type PipelineDeps, pickup, reclaim, research, write } from './step.ts'

/**
 * The pipeline as durable steps. Each reads its task, does its work outside any transaction, and then moves the task on
 * with a compare-and-swap on status, stage and attempt, together with its history and the next step's job: a step that
 * ran twice, or whose process was killed, changes the task once.
 */
export function pipelineJobs(deps: PipelineDeps): Job[] {
  const giveUp = (data: { task_id: string }, error: Error) => fail(deps, data.task_id, error)
  const options = { concurrency: 4, retries: 5, retryDelay: 2, timeout: 900, onExhausted: giveUp }
  return [
    job(pickup, data => claim(deps, data.task_id, 'picked_up'), { ...options, concurrency: 16 }),
    job(reclaim, data => claim(deps, data.task_id, 'reclaimed'), { ...options, concurrency: 16 }),
    job(research, step => runResearch(deps, step), options),
    job(write, (step, delivery) => runDraft(deps, step, delivery), options),
    job(check, (step, delivery) => runQa(deps, step, delivery), options)
  ]
}

async function claim({ db, enqueue }: PipelineDeps, task_id: string, name: 'picked_up' | 'reclaimed'): Promise<void> {
  await db.transaction(async tx => {
    const before = await findTask(tx, task_id)
    if (before === undefined) return
    const attempt = before.attempt + (name === 'reclaimed' ? 1 : 0)
    const task = await transition(tx, task_id, name, {
      actor,
      changes: { stage: 'research', progress: 5, attempt, error: null, qa: null },
      detail: { attempt }
    })
    if (task !== undefined) await enqueue(tx, research, { task_id, attempt })
  })
}
