import { type Db, type QueueStats, readQueueStats } from '#core'
import { countTasks, readWorker, type WorkerRow } from './repository.ts'

/** Work that waits, and whether anybody does it. Ages are in seconds. */
export interface Operational {
  /** Tasks by status; a status that no task has is left out. */
  tasks: { total: number; by_status: Record<string, number> }
  worker: WorkerRow
  /** `oldest_seconds`: how long the oldest ready job has been waiting; null when none is. */
  queues: QueueStats[]
}

export const createOperational = (db: Db) => async (): Promise<Operational> => {
  const [counts, worker, queues] = await Promise.all([countTasks(db), readWorker(db), readQueueStats(db)])
  const by_status = Object.fromEntries(counts.map(({ status, tasks }) => [status, tasks]))
  return { tasks: { total: counts.reduce((sum, { tasks }) => sum + tasks, 0), by_status }, worker, queues }
}
