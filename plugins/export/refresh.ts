import { type Db, type Enqueue, type Job, job, jobType } from '#core'
import type { Exports } from './exports.ts'

/** Updates the export. */
export const ExportRefresh = jobType<Record<string, never>>('export.refresh')

/** Queues a refresh. Only one waits at a time, so that a thousand changes cause a few refreshes. */
export const createRefreshRequest =
  ({ db, enqueue }: { db: Db; enqueue: Enqueue }) =>
  (): Promise<void> =>
    db.transaction(tx => enqueue(tx, ExportRefresh, {}, { key: 'refresh' }))

export function refreshJob(exports: Exports): Job {
  return job(
    ExportRefresh,
    async (_, { signal }) => {
      await exports.refresh(signal)
    },
    // Changed settings also change the export, without an event.
    { cron: '*/15 * * * *' }
  )
}
