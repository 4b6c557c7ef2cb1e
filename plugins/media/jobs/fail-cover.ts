import { ensureJob, moveJob } from '../repository/jobs.ts'
import { failMedia, type MakeDeps } from './make.ts'

/** A cover that every post gets has no row of `media_jobs`. One that cannot be made gets one, to be seen and made as others are. */
export async function failCover(deps: MakeDeps, post_id: string, error: Error): Promise<void> {
  const { db, posts, published, requests } = deps
  const post = await posts.read(db, post_id)
  if (post === undefined || !(await published.isPublic(db, post_id))) return
  const request = { post_id, media: ['image'], hash: requests.hashOf(post), requested_by: 'media' }
  const job_id = await db.transaction(async tx => {
    await posts.lock(tx, post_id)
    const job = await ensureJob(tx, request)
    await moveJob(tx, job.job_id, 'ask')
    return job.job_id
  })
  await failMedia(deps, job_id, error)
}
