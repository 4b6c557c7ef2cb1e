import { type Db, type Enqueue, type Job, job, jobType } from '#core'
import type { Notify } from '#plugins/notify'
import type { Exports } from './exports.ts'
import { findingsNotice } from './notices.ts'
import { hasChanges } from './repository/changes.ts'
import { hasExported } from './repository/export.ts'
import { isToBeComputedAnew } from './repository/progress.ts'

/** Updates the export. */
const ExportRefresh = jobType<Record<string, never>>('export.refresh')
const ExportVerify = jobType<Record<string, never>>('export.verify')

/** Queues a refresh. Only one waits at a time, so that a thousand changes cause a few refreshes. */
export const createRefreshRequest =
  ({ db, enqueue }: { db: Db; enqueue: Enqueue }) =>
  (): Promise<void> =>
    db.transaction(tx => enqueue(tx, ExportRefresh, {}, { key: 'refresh' }))

/** Requests one where the target is behind: after a restore, and after changes that no run took up. It may show withdrawn posts. */
export async function requestMissedRefresh(db: Db, requestRefresh: () => Promise<void>): Promise<void> {
  const isBehind = async () => (await hasExported(db)) && (await hasChanges(db))
  if ((await isToBeComputedAnew(db)) || (await isBehind())) await requestRefresh()
}

/** Each run goes on with what the one before wrote: processes that are killed during a long one are hardly its doing. */
const maxDeaths = 10

export const refreshJob = (exports: Exports): Job =>
  job(
    ExportRefresh,
    async (_, { signal }) => {
      await exports.refresh(signal)
    },
    // A post's time comes without an event, and so does a new version. The first export of a large site takes a while.
    { cron: '*/15 * * * *', timeoutSeconds: 21_600, maxDeaths }
  )

/** Verifies the target every night, and notifies the operator of files at fault. */
export const verifyJob = (exports: Exports, { db, notify }: { db: Db; notify: Notify | undefined }): Job =>
  job(
    ExportVerify,
    async (_, { id, signal }) => {
      const refreshAndVerify = async () => {
        await exports.refresh(signal)
        return exports.verify({ isFixing: false, signal })
      }
      // A post may have been edited in between: what is at fault is so a second time.
      const { findings: first } = await refreshAndVerify()
      const { findings } = first === 0 ? { findings: 0 } : await refreshAndVerify()
      if (findings > 0)
        await db.transaction(async tx => notify?.send(tx, `export-verify:${id}`, findingsNotice(findings)))
    },
    { cron: '40 3 * * *', timeoutSeconds: 21_600 }
  )
