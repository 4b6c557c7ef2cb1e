import { type Db, type QueueStats, readQueueStats } from '#core'
import { countTasksByStatus, readWorker, type WorkerRow } from './repository.ts'

/** Waiting work, and the workers that do it. Ages are in seconds. */
export interface Operational {
  /** Tasks by status, without statuses that no task has. */
  tasks: { total: number; by_status: Record<string, number> }
  worker: WorkerRow
  /** `oldest_seconds`: age of the oldest ready job; null when none is ready. */
  queues: QueueStats[]
}

export const createOperational = (db: Db) => async (): Promise<Operational> => {
  const [counts, worker, queues] = await Promise.all([countTasksByStatus(db), readWorker(db), readQueueStats(db)])
  const by_status = Object.fromEntries(counts.map(({ status, tasks }) => [status, tasks]))
  return { tasks: { total: counts.reduce((sum, { tasks }) => sum + tasks, 0), by_status }, worker, queues }
}
