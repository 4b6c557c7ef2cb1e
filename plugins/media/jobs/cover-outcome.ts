import type { Tx } from '#core'
import type { Post } from '#plugins/posts'
import type { CoverOutcome } from '../covers/cover-job.ts'
import { ensureJob, listUnfinishedJobs, type MediaJobRow, moveJob } from '../repository/jobs.ts'
import { isInWork } from '../states.ts'
import { logFailure, type MakeDeps, writeFailure } from './make.ts'
import { updateMediaState } from './media-state.ts'
import { logIfNotRecorded, logUnforeseen, writeTryFault } from './try-faults.ts'

/**
 * A cover that every post gets has no row of `media_jobs`. One that cannot be made gets one, to be seen as others are while it is
 * tried again, and to be asked for once it has failed.
 */
export function createCoverOutcome(deps: MakeDeps): CoverOutcome {
  return {
    recordFault: async (post_id, error) => {
      let job_id: string | undefined
      await logIfNotRecorded(deps, { post_id }, () =>
        deps.db.transaction(async tx => {
          const job = await beginJob(deps, tx, post_id)
          job_id = job?.job_id
          if (job !== null) await writeTryFault(deps, tx, job, error)
        })
      )
      logUnforeseen(deps, { post_id, job_id }, error)
    },
    fail: async (post_id, error) => {
      const failed = await deps.db.transaction(async tx => {
        const job = await beginJob(deps, tx, post_id)
        return job === null ? null : writeFailure(deps, tx, job.job_id, error)
      })
      logFailure(deps, failed, error)
    },
    end: (post_id, isThere) => endJobs(deps, post_id, isThere)
  }
}

/** The row of a cover that is being made. Null for a post that is not public. */
async function beginJob(
  { posts, published, requests }: MakeDeps,
  tx: Tx,
  post_id: string
): Promise<MediaJobRow | null> {
  const post = await publicPost({ posts, published }, tx, post_id)
  if (post === undefined) return null
  const job = await ensureJob(tx, { post_id, media: ['image'], hash: requests.hashOf(post), requested_by: 'media' })
  await moveJob(tx, job.job_id, 'ask')
  await moveJob(tx, job.job_id, 'begin')
  return job
}

async function endJobs({ db, posts, published, requests }: MakeDeps, post_id: string, isThere: boolean): Promise<void> {
  if (!(await listUnfinishedJobs(db, post_id)).some(({ media }) => media.includes('image'))) return
  await requests.withSources(post_id, async (tx, sourcesOf) => {
    const post = await publicPost({ posts, published }, tx, post_id)
    if (post === undefined) return
    const jobs = (await listUnfinishedJobs(tx, post_id)).filter(({ media }) => media.every(kind => kind === 'image'))
    for (const job of jobs) {
      if (isThere) await finishJob(tx, job)
      // Nobody asked for it: what follows must not ask for it again, and an endpoint be paid for it.
      else if (job.requested_by === 'media') await moveJob(tx, job.job_id, 'remove')
      // Somebody who asks for it while the post has a picture of its own gets it.
      else if (job.error !== null) await moveJob(tx, job.job_id, 'replace')
    }
    await updateMediaState({ posts }, tx, sourcesOf(post))
  })
}

/** One that has failed is replaced with those of other kinds. */
async function finishJob(tx: Tx, { job_id, state }: MediaJobRow): Promise<void> {
  if (!isInWork(state)) return
  await moveJob(tx, job_id, 'begin')
  await moveJob(tx, job_id, 'finish')
}

/** Locked, so that nobody changes or withdraws it meanwhile. */
async function publicPost(
  { posts, published }: Pick<MakeDeps, 'posts' | 'published'>,
  tx: Tx,
  post_id: string
): Promise<Post | undefined> {
  if (!(await published.isPublic(tx, post_id))) return undefined
  await posts.lock(tx, post_id)
  return (await published.isPublic(tx, post_id)) ? posts.readStored(tx, post_id) : undefined
}
