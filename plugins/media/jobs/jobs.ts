import { type Delivery, type Job, type JobOptions, job } from '#core'
import { coverJob } from '../covers/cover-job.ts'
import type { PodcastArt } from '../podcast/podcast-art.ts'
import { lockJob, moveJob } from '../repository/jobs.ts'
import { paidCover } from './budget-waits.ts'
import { createCoverOutcome } from './cover-outcome.ts'
import {
  DrawPodcastArt,
  MakeCover,
  MakeLongMedia,
  MakeMedia,
  type MediaWork,
  RefreshMedia,
  RemoveFiles,
  RemoveOrphans
} from './job-types.ts'
import { failMedia, type MakeDeps, makeMedia } from './make.ts'
import { enqueueMaking } from './media-requests.ts'
import type { PlacedFiles } from './placed-files.ts'
import type { Removal } from './removal.ts'
import { type TrimDeps, trimJob, trimWork } from './trim-work.ts'

/** A long text by a slow engine; a dead process is noticed long before. */
const makeTimeoutSeconds = 6 * 3600

/** What takes long and what may crash runs in processes of its own: a death is hardly ever the job's doing. */
const maxDeaths = 20

interface OtherJobDeps {
  removal: Removal
  placed: PlacedFiles
  art: PodcastArt
}

/** The media as durable jobs. */
export const mediaJobs = (deps: MakeDeps & TrimDeps, { removal, placed, art }: OtherJobDeps): Job[] => [
  coverJob({
    ...deps,
    paid: (post_id, work) => paidCover(deps, post_id, work),
    outcome: createCoverOutcome(deps)
  }),
  job(MakeMedia, (data, delivery) => makeAndTrim(deps, data, delivery), makeOptions(deps)),
  job(MakeLongMedia, (data, delivery) => makeAndTrim(deps, data, delivery), makeOptions(deps)),
  job(MakeCover, (data, delivery) => makeMedia(deps, data, delivery), makeOptions(deps)),
  job(RemoveFiles, ({ keys }) => removal.removeFiles(keys)),
  job(RemoveOrphans, () => removal.removeOrphans(), { cron: '7 3 * * *' }),
  trimJob(deps),
  job(DrawPodcastArt, (_, { signal }) => art.update(signal)),
  job(
    RefreshMedia,
    async (_, { signal }) => {
      await placed.refresh()
      // Its title and its template are settings.
      await art.update(signal)
    },
    { cron: '*/5 * * * *' }
  )
]

const makeOptions = (deps: MakeDeps): JobOptions<MediaWork> => ({
  retries: 5,
  retryDelaySeconds: 5,
  timeoutSeconds: makeTimeoutSeconds,
  maxDeaths,
  onDeadLetter: ({ job_id }, error) => failMedia(deps, job_id, error),
  onRetry: async (tx, { job_id }) => {
    const row = await lockJob(tx, job_id)
    if (row?.state !== 'failed') return `The job ${job_id} is ${row?.state ?? 'gone'}: only a failed one is retried.`
    await moveJob(tx, job_id, 'ask')
    await enqueueMaking(deps, tx, row)
    return null
  }
})

async function makeAndTrim(deps: MakeDeps & TrimDeps, work: MediaWork, delivery: Delivery): Promise<void> {
  await makeMedia(deps, work, delivery)
  await trimWork(deps)
}
