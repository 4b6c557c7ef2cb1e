import { type Db, type QueueStats, readQueueStats, readWorkerState, type WorkerState } from '#core'
import type { Tasks } from '#plugins/tasks'

/** Waiting work, and the workers that do it. Ages are in seconds. */
export interface Operational {
  /** Tasks by status, without statuses that no task has. */
  tasks: { total: number; by_status: Record<string, number> }
  worker: WorkerState
  /** `oldest_seconds`: age of the oldest ready job; null when none is ready. */
  queues: QueueStats[]
}

/** Without the plugin `tasks` there are none to count. */
export const createOperational = (db: Db, tasks: Tasks | undefined) => async (): Promise<Operational> => {
  const countTasks = async () => (await tasks?.countByStatus(db)) ?? []
  const [counts, worker, queues] = await Promise.all([countTasks(), readWorkerState(db), readQueueStats(db)])
  const by_status = Object.fromEntries(counts.map(({ status, tasks }) => [status, tasks]))
  return { tasks: { total: counts.reduce((sum, { tasks }) => sum + tasks, 0), by_status }, worker, queues }
}
