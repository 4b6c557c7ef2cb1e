import { type Db, type Enqueue, type Job, job, jobType } from '#core'
import type { Exports } from './exports.ts'

/** Brings the export up to date. */
export const ExportRefresh = jobType<Record<string, never>>('export.refresh')

/** Asks for a refresh. One waits at a time, so that a thousand changes at once are a few refreshes. */
export const createFollow =
  ({ db, enqueue }: { db: Db; enqueue: Enqueue }) =>
  (): Promise<void> =>
    db.transaction(tx => enqueue(tx, ExportRefresh, {}, { key: 'refresh' }))

export function refreshJob(exports: Exports): Job {
  return job(
    ExportRefresh,
    async (_, { signal }) => {
      await exports.refresh(signal)
    },
    // Settings change what is exported, too, and no event tells.
    { cron: '*/15 * * * *' }
  )
}
