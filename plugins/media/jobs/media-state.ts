import type { Tx } from '#core'
import type { Posts } from '#plugins/posts'
import { findCover } from '../repository/covers.ts'
import { listFiles, listKinds } from '../repository/files.ts'
import { listUnfinishedJobs, type MediaJobRow, moveJob } from '../repository/jobs.ts'
import { isInWork } from '../states.ts'
import { offeredKinds } from './kinds.ts'
import { allowingNoArt, type MediaSources, mediaHashes, missingOutput } from './media-outputs.ts'

/**
 * Tells the post how its media are, by its jobs, after something was made. A failed job whose media are all there by now, made by
 * another, is replaced; any other stays failed. The post is locked.
 */
export async function updateMediaState(
  { posts }: { posts: Pick<Posts, 'setMedia'> },
  tx: Tx,
  sources: MediaSources
): Promise<void> {
  const { post_id } = sources.post
  const files = await listFiles(tx, post_id)
  const cover = await findCover(tx, post_id)
  const hashes = mediaHashes(sources)
  const isMade = ({ media }: MediaJobRow) =>
    missingOutput(media, allowingNoArt(files, sources), hashes) === null &&
    (!media.includes('image') || cover?.is_stored === true)
  const unfinished = await listUnfinishedJobs(tx, post_id)
  const made = unfinished.filter(job => job.state === 'failed' && isMade(job))
  for (const { job_id } of made) await moveJob(tx, job_id, 'supersede')
  const left = unfinished.filter(job => !made.includes(job))
  const shown = left.find(({ state }) => isInWork(state)) ?? left[0]
  const media = offeredKinds(await listKinds(tx, [post_id]))
  await posts.setMedia(tx, post_id, { media, state: stateOf(shown), error: shown?.error ?? null }, { actor: 'media' })
}

function stateOf(job: MediaJobRow | undefined): 'pending' | 'failed' | 'done' {
  if (job === undefined) return 'done'
  return isInWork(job.state) ? 'pending' : 'failed'
}
