import { type Db, type Job, job, jobType, type Log } from '#core'
import { deleteOldCalls } from './repository/calls.ts'

export const CleanCalls = jobType<object>('costs.clean')

/** As many as one statement deletes: it holds no lock for long. */
const batchSize = 10_000

/** Deletes requests that ended long ago. What they cost stays in the sums of their months and days. */
export const cleanCallsJob = ({ db, log, days }: { db: Db; log: Log; days(): number }): Job =>
  job(
    CleanCalls,
    async (_, { signal }) => {
      let deleted = 0
      for (let last = batchSize; last === batchSize && !signal.aborted; deleted += last)
        last = await deleteOldCalls(db, days(), batchSize)
      if (deleted > 0) log.info({ deleted }, 'old paid requests were deleted')
    },
    { cron: '41 3 * * *' }
  )
