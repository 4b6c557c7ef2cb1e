import { type Db, type QueueStats, readQueueStats, readWorkerState, type WorkerState } from '#core'
import type { CountByStatus } from './index.ts'

/** Waiting work, and the workers that do it. Ages are in seconds. */
export interface Operational {
  /** Tasks by status, without statuses that no task has. */
  tasks: { total: number; by_status: Record<string, number> }
  worker: WorkerState
  /** `oldest_seconds`: age of the oldest ready job; null when none is ready. */
  queues: QueueStats[]
}

/** Without the plugin `tasks` there are none to count. */
export const createOperational = (db: Db, countTasks: CountByStatus) => async (): Promise<Operational> => {
  const [counts, worker, queues] = await Promise.all([countTasks(db), readWorkerState(db), readQueueStats(db)])
  const by_status = Object.fromEntries(counts.map(({ status, tasks }) => [status, tasks]))
  return { tasks: { total: counts.reduce((sum, { tasks }) => sum + tasks, 0), by_status }, worker, queues }
}
