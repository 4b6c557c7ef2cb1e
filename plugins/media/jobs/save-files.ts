import type { Changes, Db, Enqueue, Tx } from '#core'
import type { Post, Posts } from '#plugins/posts'
import { mediaCacheTag } from '../cache-tag.ts'
import { deleteFile, listFiles, listKinds, lockFiles, saveFile } from '../repository/files.ts'
import { lockJob, type MediaJobRow, moveJob } from '../repository/jobs.ts'
import type { MediaStore } from '../storage/media-store.ts'
import { DrawPodcastArt, RemoveFiles } from './job-types.ts'
import { offeredKinds } from './kinds.ts'
import type { MadeFile } from './make-episode.ts'
import type { MediaRequests } from './media-requests.ts'

export interface SaveDeps {
  db: Db
  enqueue: Enqueue
  changes: Pick<Changes, 'touch'>
  posts: Posts
  requests: Pick<MediaRequests, 'hashOf'>
  store: MediaStore
  now: () => Date
}

/** A player that has begun with the old file may still ask for its ranges. */
const replacedFilesStayMs = 600_000

/** Readers get all files of a part at once. False when nobody wants them any more: those that no post has are removed. */
export async function saveFiles(deps: SaveDeps, job: MediaJobRow, made: readonly MadeFile[]): Promise<boolean> {
  const { db, enqueue } = deps
  const isSaved = await db.transaction(async tx => {
    if ((await lockWanted(deps, tx, job)) !== null) {
      await replaceFiles(deps, tx, job.post_id, made)
      return true
    }
    await enqueue(tx, RemoveFiles, { keys: made.map(({ stored }) => stored.key) })
    return false
  })
  if (isSaved) await forgetRemoved(deps, job.post_id, made)
  return isSaved
}

/** Locks the post and the job, in this order. Null when the job is not wanted: its text has changed, or the post is not public. */
export async function lockWanted(
  { posts, requests }: Pick<SaveDeps, 'posts' | 'requests'>,
  tx: Tx,
  { job_id, post_id, hash, try_number }: MediaJobRow
): Promise<Post | null> {
  await posts.lock(tx, post_id)
  const job = await lockJob(tx, job_id)
  const post = await posts.readStored(tx, post_id)
  if (job?.state !== 'running' || job.try_number !== try_number) return null
  if (post?.status === 'published' && requests.hashOf(post) === hash) return post
  await moveJob(tx, job_id, 'replace')
  return null
}

async function replaceFiles(
  { enqueue, changes, posts, now }: SaveDeps,
  tx: Tx,
  post_id: string,
  made: readonly MadeFile[]
): Promise<void> {
  await lockFiles(tx)
  const before = await listFiles(tx, post_id)
  for (const { extension, kind, hash, stored, durationMs, audioHash } of made) {
    const { key, bytes } = stored
    await saveFile(tx, { post_id, extension, kind, hash, key, bytes, duration_ms: durationMs, audio_hash: audioHash })
  }
  const files = await listFiles(tx, post_id)
  const media = offeredKinds(await listKinds(tx, [post_id]))
  await posts.setMedia(tx, post_id, { media, state: 'pending', error: null }, { actor: 'media' })
  await changes.touch(tx, mediaCacheTag)
  await enqueue(tx, DrawPodcastArt, {}, { key: 'art' })
  const gone = before.map(({ key }) => key).filter(key => files.every(file => file.key !== key))
  const startAt = new Date(now().getTime() + replacedFilesStayMs)
  if (gone.length > 0) await enqueue(tx, RemoveFiles, { keys: gone }, { startAt })
}

/** A removal of the same bytes may have overtaken them: then they are missing, and made again. */
async function forgetRemoved({ db, store }: SaveDeps, post_id: string, made: readonly MadeFile[]): Promise<void> {
  for (const { extension, stored } of made)
    if ((await store.stat(stored.key)) === null) await deleteFile(db, post_id, extension)
}
