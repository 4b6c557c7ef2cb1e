import type { Queryable } from '#core'
import { type MediaJobRow, setProgress } from '../repository/jobs.ts'
import { type MediaOutput, shareOf } from './media-outputs.ts'
import type { Steps } from './steps.ts'

/** Somebody withdrew the post or changed its text: what was being made is not wanted any more. */
export class UnwantedError extends Error {
  override readonly name = 'UnwantedError'
}

const progressStep = 4
/** A percent of a long work takes long: it is told, too, but not more often. */
const percentMs = 1000

/**
 * Writes the progress of a part now and then, and finds out whether it is still wanted. One report waits for the one before:
 * of two connections the later one may be the first to write.
 */
export function createProgressReports(
  { db, now }: { db: Queryable; now(): Date },
  job: Pick<MediaJobRow, 'job_id' | 'try_number' | 'media'>,
  part: MediaOutput
): Steps['report'] {
  const { from, share } = shareOf(part, job.media)
  let written = 0
  let writtenAt = now().getTime()
  const report = async (percent: number) => {
    const reached = from + percent * share
    const isNext = Math.floor(reached) > Math.floor(written) && now().getTime() - writtenAt >= percentMs
    if (reached - written < progressStep && !isNext) return
    written = reached
    writtenAt = now().getTime()
    if (!(await setProgress(db, job, Math.floor(reached)))) throw new UnwantedError()
  }
  let last = Promise.resolve()
  return percent => {
    last = last.then(() => report(percent))
    return last
  }
}
