import { type Db, type Delivery, type Enqueue, type Log, messageOf, UnavailableError } from '#core'
import type { Notify } from '#plugins/notify'
import type { Post, Posts, PublishedPosts } from '#plugins/posts'
import type { Covers } from '../covers/covers.ts'
import { deleteFiles, listFiles, saveFile } from '../repository/files.ts'
import { findJob, lockJob, type MediaJobRow, replaceOthers, setJobState, setProgress } from '../repository/jobs.ts'
import { SpeechError } from '../speech/speech-error.ts'
import { failureNotice } from './failure-notice.ts'
import { RemoveFiles } from './job-types.ts'
import { type EpisodeMakerDeps, type MadeFile, makeEpisode } from './make-episode.ts'
import { hasPodcast, offeredBy, type Wishes } from './wish.ts'

export interface MakeDeps extends EpisodeMakerDeps {
  db: Db
  enqueue: Enqueue
  posts: Posts
  published: Pick<PublishedPosts, 'isPublic'>
  wishes: Wishes
  covers: Pick<Covers, 'make'>
  notify: Notify | undefined
  log: Pick<Log, 'warn'>
  now: () => Date
}

/** Somebody withdrew the post or changed its text: what was being made is not wanted any more. */
class Unwanted extends Error {
  override readonly name = 'Unwanted'
}

const actor = { actor: 'media' }
/** A player that has begun with the old file may still ask for its ranges. */
const replacedFilesStayMs = 600_000
const progressStep = 4

/** Makes what a row asks for. Every step may be repeated: pieces, files and rows are found again by what they were made from. */
export async function makeMedia(deps: MakeDeps, job_id: string, { signal }: Pick<Delivery, 'signal'>): Promise<void> {
  const begun = await begin(deps, job_id)
  if (begun === null) return
  try {
    const files = await makeFiles(deps, begun, signal)
    if (await finish(deps, begun.job, files)) await requireStored(deps, begun.job, files)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Unwanted) return
    if (!(error instanceof SpeechError) || error.retryAfterMs !== null) throw error
    // Another try would end alike.
    await failMedia(deps, job_id, error)
  }
}

/** Audio that is there already is not made again: another job may have asked for more kinds. */
async function makeFiles(
  deps: MakeDeps,
  { job, post }: { job: MediaJobRow; post: Post },
  signal: AbortSignal
): Promise<MadeFile[]> {
  if (job.media.includes('image')) await deps.covers.make(job.post_id, signal)
  if (!job.media.includes('podcast') || hasPodcast(await listFiles(deps.db, job.post_id), job.hash)) return []
  return makeEpisode(deps, post, progressOf(deps, job.job_id), signal)
}

/** The job with its post, while it is wanted; a changed text or voice asks anew. */
async function begin(
  { db, posts, published, wishes }: MakeDeps,
  job_id: string
): Promise<{ job: MediaJobRow; post: Post } | null> {
  const job = await findJob(db, job_id)
  if (job === undefined || (job.state !== 'pending' && job.state !== 'running')) return null
  const post = await posts.read(db, job.post_id)
  const isPublic = await published.isPublic(db, job.post_id)
  if (post !== undefined && isPublic && wishes.hashOf(post) === job.hash) {
    await setJobState(db, job_id, 'running')
    return { job, post }
  }
  await setJobState(db, job_id, isPublic ? 'replaced' : 'withdrawn')
  await wishes.follow(job.post_id, { isNew: false })
  return null
}

/** Writes the progress now and then, and finds out whether it is still wanted. */
function progressOf({ db }: MakeDeps, job_id: string): (percent: number) => Promise<void> {
  let written = 0
  return async percent => {
    if (percent - written < progressStep) return
    written = percent
    if (!(await setProgress(db, job_id, Math.floor(percent)))) throw new Unwanted()
  }
}

/** Readers get all new files at once. False when nobody wants them any more: those that no post has are removed. */
async function finish(
  deps: MakeDeps,
  { job_id, post_id, hash }: MediaJobRow,
  files: readonly MadeFile[]
): Promise<boolean> {
  const { db, enqueue, posts, now } = deps
  const keys = files.map(({ stored }) => stored.key)
  return db.transaction(async tx => {
    await posts.lock(tx, post_id)
    const job = await lockJob(tx, job_id)
    const post = await posts.read(tx, post_id)
    const isWanted = post?.status === 'published' && deps.wishes.hashOf(post) === hash
    if (job?.state !== 'running' || !isWanted) {
      if (job?.state === 'running') await setJobState(tx, job_id, 'replaced')
      await enqueue(tx, RemoveFiles, { keys })
      return false
    }
    const before = files.length === 0 ? [] : await deleteFiles(tx, post_id)
    for (const { extension, stored, durationMs } of files) {
      const { key, bytes } = stored
      await saveFile(tx, { post_id, extension, kind: 'podcast', hash, key, bytes, duration_ms: durationMs })
    }
    await setJobState(tx, job_id, 'done')
    await replaceOthers(tx, job)
    const media = offeredBy(await listFiles(tx, post_id))
    await posts.setMedia(tx, post_id, { media, state: 'done', error: null }, actor)
    const gone = before.filter(key => !keys.includes(key))
    const startAt = new Date(now().getTime() + replacedFilesStayMs)
    if (gone.length > 0) await enqueue(tx, RemoveFiles, { keys: gone }, { startAt })
    return true
  })
}

/** A removal of the same bytes may have overtaken them: then they are made again. */
async function requireStored(
  { db, store }: MakeDeps,
  { job_id }: MediaJobRow,
  files: readonly MadeFile[]
): Promise<void> {
  for (const { stored } of files) {
    if ((await store.stat(stored.key)) !== null) continue
    await setJobState(db, job_id, 'running')
    throw new UnavailableError(`${stored.key} was removed as it was stored: it is made again.`)
  }
}

/** The post stays as it is, with the files it had. */
export async function failMedia(deps: MakeDeps, job_id: string, error: Error): Promise<void> {
  const { db, posts, notify, log } = deps
  const reason = messageOf(error)
  const found = await findJob(db, job_id)
  if (found === undefined) return
  await db.transaction(async tx => {
    const { title } = await posts.lock(tx, found.post_id)
    const job = await lockJob(tx, job_id)
    if (job?.state !== 'pending' && job?.state !== 'running') return
    await setJobState(tx, job_id, 'failed', reason)
    const media = offeredBy(await listFiles(tx, job.post_id))
    await posts.setMedia(tx, job.post_id, { media, state: 'failed', error: reason }, actor)
    const notice = failureNotice({ post_id: job.post_id, title, reason })
    await notify?.queue(tx, [{ source: `media:${job_id}:${job.updated_at}`, notice, kind: 'failed' }])
  })
  log.warn({ job_id, post_id: found.post_id, reason }, 'media could not be made')
}
