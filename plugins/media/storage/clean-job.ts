import { type Job, job, jobType, type Log } from '#core'
import type { MediaStore } from './media-store.ts'

const StoreClean = jobType<Record<string, never>>('media.clean')

/** Frees the space that killed processes left taken. */
export const cleanJob = (store: MediaStore, log: Log): Job =>
  job(
    StoreClean,
    async () => {
      const removed = await store.clean()
      if (removed > 0) log.info({ removed }, 'half-written media files were removed')
    },
    { cron: '17 * * * *' }
  )
