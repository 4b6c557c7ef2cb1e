import { type Db, type Job, job, jobType, type Log } from '#core'
import { deleteOldGroups } from '../repository/alert-groups.ts'
import { removeBodies } from '../repository/deliveries.ts'

const CleanInbox = jobType<object>('webhooks.clean')

/** An alert that old is a new one. */
const groupDays = 90

interface CleanupDeps {
  db: Db
  log: Log
  bodyDays(): number
  bodiesMaxMb(): number
}

/** Removes bodies that are too old, or too many. What a delivery was known by stays, so that it never counts twice. */
export const cleanInboxJob = ({ db, log, bodyDays, bodiesMaxMb }: CleanupDeps): Job =>
  job(
    CleanInbox,
    async () => {
      const bodies = await removeBodies(db, { days: bodyDays(), maxBytes: bodiesMaxMb() * 1_048_576 })
      await db.transaction(tx => deleteOldGroups(tx, groupDays))
      if (bodies > 0) log.info({ bodies }, 'bodies of webhooks were removed')
    },
    { cron: '23 * * * *' }
  )
