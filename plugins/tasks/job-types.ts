import { jobType } from '#core'

/** One stage of one attempt at a task. */
export interface StageJob {
  task_id: string
  attempt: number
  /** How often the writer was unavailable; absent for none. */
  tries?: number
}
/** Takes a new task out of the queue. */
export const PickUpTask = jobType<{ task_id: string }>('tasks.pickup')
/** Takes a task whose draft is written again. */
export const ReclaimTask = jobType<{ task_id: string }>('tasks.reclaim')
export const ResearchTask = jobType<StageJob>('tasks.research')
export const DraftTask = jobType<StageJob>('tasks.draft')
export const QaTask = jobType<StageJob>('tasks.qa')
