import { on, type Subscription, type Tx } from '#core'
import { BudgetError, BudgetFreed, type Costs, type Purpose } from '#plugins/costs'
import { DraftTask, QaTask, ResearchTask, type StageJob } from '../job-types.ts'
import { resumeStage, waitForBudget } from '../moves.ts'
import type { TaskRow } from '../repository/tasks.ts'
import type { Stage } from '../states.ts'
import { actor, type PipelineDeps } from './stage-job.ts'

const kind = 'task'
const jobOf = { research: ResearchTask, draft: DraftTask, qa: QaTask } as const

/**
 * Runs the work of a stage: what is paid in it is for this task. Null when the next request does not fit a budget: then
 * the task waits at this stage, and the job has nothing more to do.
 */
export async function withinBudget<T>(
  { costs, ...deps }: PipelineDeps,
  { task, job, stage }: { task: TaskRow; job: StageJob; stage: Stage },
  work: () => Promise<T>
): Promise<T | null> {
  if (costs === undefined) return work()
  const { task_id, niche_slug, post_id } = task
  const purpose: Purpose = { task_id, niche_slug, attempt: job.attempt, part: stage }
  try {
    return await costs.attribute(post_id === null ? purpose : { ...purpose, post_id }, work)
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error
    await deps.db.transaction(async tx => {
      const at = { stage, attempt: job.attempt }
      if (await waitForBudget(tx, task_id, at, { error: error.message, actor }))
        await costs.wait(tx, { kind, id: task_id }, error)
    })
    return null
  }
}

/** Tasks that were in the pipeline and ended otherwise wait for no budget any more. */
export async function endBudgetWaits(
  costs: Pick<Costs, 'endWait'> | undefined,
  tx: Tx,
  task_ids: readonly string[]
): Promise<void> {
  const waiting = task_ids.map(id => ({ kind, id }))
  if (waiting.length > 0) await costs?.endWait(tx, waiting)
}

/** Goes on with tasks that there is room for; nothing waits without the plugin `costs`. */
export const resumeWhenFreed = (deps: PipelineDeps): Subscription[] =>
  deps.costs === undefined ? [] : [resumption(deps)]

const resumption = ({ db, enqueue }: PipelineDeps): Subscription =>
  on(BudgetFreed, async work => {
    if (work.kind !== kind) return
    await db.transaction(async tx => {
      const resumed = await resumeStage(tx, work.id, actor)
      if (resumed !== null) await enqueue(tx, jobOf[resumed.stage], { task_id: work.id, attempt: resumed.attempt })
    })
  })
