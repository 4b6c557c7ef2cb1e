import { type Delivery, type Log, messageOf, type Tx, UnavailableError } from '#core'
import type { Costs } from '#plugins/costs'
import type { Notify } from '#plugins/notify'
import type { PublishedPosts } from '#plugins/posts'
import { CoverError } from '../cover-error.ts'
import type { Covers } from '../covers/covers.ts'
import { presentable } from '../presentable.ts'
import { deleteFile, listFiles, listKinds, type MediaFileRow } from '../repository/files.ts'
import { findJob, isSpokenByAnother, lockJob, type MediaJobRow, moveJob, supersedeOthers } from '../repository/jobs.ts'
import { retryAfterWait } from '../retry-after.ts'
import { SpeechError } from '../speech/speech-error.ts'
import { isInWork } from '../states.ts'
import { untilBudgetEnds } from './budget-waits.ts'
import { failureNotice } from './failure-notice.ts'
import { createProgressReports, UnwantedError } from './job-progress.ts'
import type { MediaWork } from './job-types.ts'
import { offeredKinds } from './kinds.ts'
import { type EpisodeMakerDeps, type MadeEpisode, type MadeFile, makeEpisode } from './make-episode.ts'
import { type FilmMakerDeps, makeFilm } from './make-film.ts'
import { allowingNoArt, type MediaOutput, type MediaSources, mediaHashes, missingOutput } from './media-outputs.ts'
import { enqueueMaking, type MediaRequests } from './media-requests.ts'
import { updateMediaState } from './media-state.ts'
import { lockWanted, type SaveDeps, saveFiles } from './save-files.ts'
import type { Steps } from './steps.ts'
import { tagEpisode } from './tag-episode.ts'
import { jobFault, recordTryFault } from './try-faults.ts'

export interface MakeDeps extends EpisodeMakerDeps, FilmMakerDeps, SaveDeps {
  published: Pick<PublishedPosts, 'isPublic'>
  requests: MediaRequests
  covers: Pick<Covers, 'make' | 'update' | 'designOf' | 'isDrawn'>
  notify: Notify | undefined
  costs: Costs | undefined
  log: Pick<Log, 'warn'>
}

const actor = { actor: 'media' }
/** Of a film, in percent: what is done when it is encoded. */
const filmEncoded = 95
/** Each kind has a part or two; a picture may change meanwhile. */
const maxParts = 12

/** Makes what a row asks for. Every step may be repeated: pieces, files and rows are found again by what they were made from. */
export async function makeMedia(
  deps: MakeDeps,
  { job_id, waits = 0 }: MediaWork,
  { signal, recordProgress }: Pick<Delivery, 'signal' | 'recordProgress'>
): Promise<void> {
  const job = await begin(deps, job_id)
  if (job === null) return
  let waited = waits
  const onSaved = async () => {
    waited = 0
    await recordProgress()
  }
  try {
    const { post_id, niche_slug } = job
    const waiting = { kind: 'media', id: job_id } as const
    await untilBudgetEnds(deps, { waiting, purpose: { post_id, niche_slug, part: 'media' } }, () =>
      makeAll(deps, job, onSaved, signal)
    )
    await followReplaced(deps, job)
  } catch (fault) {
    signal.throwIfAborted()
    if (fault instanceof UnwantedError || !(await isOfThisTry(deps, job))) return
    const error = presentable(fault)
    if (isPermanent(error)) return failMedia(deps, job_id, error)
    await recordTryFault(deps, job, error)
    const later = retryAfterWait(error, waited, deps.now())
    if (later === null) throw error
    await deps.db.transaction(tx => enqueueMaking(deps, tx, job, later))
  }
}

/**
 * Whoever withdraws a post removes its sentences, and the try that speaks them fails. It has no other after it: where the post is
 * published again by then, a new try is queued, or another process has begun it.
 */
async function isOfThisTry({ db }: MakeDeps, { job_id, try_number }: MediaJobRow): Promise<boolean> {
  const job = await findJob(db, job_id)
  return job?.state === 'running' && job.try_number === try_number
}

/** The cover first, because the audio shows it. One that cannot be made does not hold up what is heard: its fault follows. */
async function makeAll(
  deps: MakeDeps,
  job: BegunJob,
  onSaved: () => Promise<void>,
  signal: AbortSignal
): Promise<void> {
  const cover = job.media.includes('image') ? deps.covers.make(job.post_id, signal) : Promise.resolve(null)
  const [outcome] = await Promise.allSettled([cover])
  signal.throwIfAborted()
  await makeMissing(deps, { job, hasCover: outcome.status === 'fulfilled' }, onSaved, signal)
  if (outcome.status === 'rejected') throw outcome.reason
}

/** Another try would end alike. */
const isPermanent = (error: unknown): error is Error =>
  error instanceof CoverError || (error instanceof SpeechError && error.retryAfterMs === null)

type BegunJob = MediaJobRow & { niche_slug: string | null }

/** The job, while it is wanted; a changed text or voice asks anew. */
async function begin(deps: MakeDeps, job_id: string): Promise<BegunJob | null> {
  const { db, posts, published, requests } = deps
  const job = await findJob(db, job_id)
  if (job === undefined || !isInWork(job.state)) return null
  const post = await posts.readStored(db, job.post_id)
  const isPublic = await published.isPublic(db, job.post_id)
  if (post !== undefined && isPublic && requests.hashOf(post) === job.hash)
    return (await beginAlone(deps, job)) ? { ...job, niche_slug: post.niche_slug } : null
  await moveJob(db, job_id, isPublic ? 'replace' : 'withdraw')
  await requests.follow(job.post_id, { isNew: false })
  return null
}

/** How long one waits for another before it looks again: as long as it has waited, within these. */
const waitMs = { min: 10_000, max: 60_000 }

/**
 * A job that another worker is speaking the same text for begins later, and finds it spoken: each sentence may have to be paid
 * for. One that has begun before goes on.
 */
async function beginAlone({ db, posts, enqueue, now }: MakeDeps, job: MediaJobRow): Promise<boolean> {
  const { job_id, post_id } = job
  return db.transaction(async tx => {
    // Of two that begin at once, the second one sees the first.
    await posts.lock(tx, post_id)
    const isNew = job.state === 'pending' && job.media.includes('podcast')
    if (!isNew || !(await isSpokenByAnother(tx, job))) return moveJob(tx, job_id, 'begin')
    const waitedMs = now().getTime() - Date.parse(job.updated_at)
    const startAt = new Date(now().getTime() + Math.min(Math.max(waitedMs, waitMs.min), waitMs.max))
    await enqueueMaking({ enqueue, posts }, tx, job, { startAt })
    return false
  })
}

/** Part after part, each saved once it is there: a job that goes on after a kill makes only what is missing. */
async function makeMissing(
  deps: MakeDeps,
  { job, hasCover }: { job: MediaJobRow; hasCover: boolean },
  onSaved: () => Promise<void>,
  signal: AbortSignal
): Promise<void> {
  for (let made = 0; made < maxParts; made++) {
    const next = await finish(deps, job, { hasCover, isFirst: made === 0 })
    if (next === null) return
    const steps = { report: createProgressReports(deps, job, next.part), onSaved }
    const { files, clean } = await makePart(deps, { job, ...next }, steps, signal)
    if (!(await saveFiles(deps, job, files))) return
    await clean?.()
    await onSaved()
  }
  throw new UnavailableError(`The media of post ${job.post_id} change faster than they are made: they are made later.`)
}

/** An edit asks for media by itself. A changed voice does not: what was being made by the former one is made by the new one. */
async function followReplaced({ db, requests }: MakeDeps, { job_id, post_id }: MediaJobRow): Promise<void> {
  if ((await findJob(db, job_id))?.state === 'replaced') await requests.follow(post_id, { isNew: false })
}

interface NextOutput extends MediaSources {
  part: MediaOutput
}

async function makePart(
  deps: MakeDeps,
  { job, part, ...sources }: NextOutput & { job: MediaJobRow },
  steps: Steps,
  signal: AbortSignal
): Promise<Pick<MadeEpisode, 'files'> & Partial<MadeEpisode>> {
  const { post, picture } = sources
  if (part === 'speech') return makeEpisode(deps, { post, picture, hashes: mediaHashes(sources) }, steps, signal)
  await steps.report(0)
  const episode = await listFiles(deps.db, post.post_id)
  const made = await (part === 'tag'
    ? retag(deps, sources, episode, signal)
    : makeFilm(deps, part, { job, sources, episode }, { report: share => steps.report(filmEncoded * share), signal }))
  // It waits for the reports before it: a late one would be written after those of the next part.
  if (part !== 'tag') await steps.report(filmEncoded)
  if (made !== null) return { files: [made.file], clean: made.clean }
  // Somebody removed the audio from the store: it is missing, and made again.
  await deleteFile(deps.db, post.post_id, 'mp3')
  return { files: [] }
}

async function retag(
  deps: MakeDeps,
  sources: MediaSources,
  episode: readonly MediaFileRow[],
  signal: AbortSignal
): Promise<{ file: MadeFile; clean?: undefined } | null> {
  const audio = episode.find(({ extension }) => extension === 'mp3')
  const tagged = audio === undefined ? null : await tagEpisode(deps, audio, sources.picture, signal)
  if (audio === undefined || tagged === null) return null
  const { stored, isWithoutArt } = tagged
  const hashes = mediaHashes(sources)
  const hash = isWithoutArt ? hashes.audioWithoutArt : hashes.audio
  const { duration_ms, audio_hash } = audio
  return { file: { extension: 'mp3', kind: 'podcast', hash, stored, durationMs: duration_ms, audioHash: audio_hash } }
}

/**
 * The job is done once nothing is missing, the cover that was asked for neither. @returns the next part to make; null when there is
 * none, or the job is not wanted any more
 */
async function finish(
  deps: MakeDeps,
  job: MediaJobRow,
  { hasCover, isFirst }: { hasCover: boolean; isFirst: boolean }
): Promise<NextOutput | null> {
  const { posts, requests } = deps
  const { job_id, post_id } = job
  return requests.withSources(post_id, async (tx, sourcesOf) => {
    // While the post is locked nobody changes its text or its picture.
    const post = await lockWanted(deps, tx, job)
    if (post === null) return null
    const files = await listFiles(tx, post_id)
    const sources = sourcesOf(post)
    const hashes = mediaHashes(sources)
    // A picture that could not be drawn just now is not tried again by the same job.
    const part = missingOutput(job.media, isFirst ? files : allowingNoArt(files, sources), hashes)
    if (part !== null) return Object.assign(sources, { part })
    if (!hasCover) return null
    await moveJob(tx, job_id, 'finish')
    await supersedeOthers(tx, job)
    await updateMediaState({ posts }, tx, sources)
    return null
  })
}

/** The post stays as it is, with the files it had. */
export async function failMedia(deps: MakeDeps, job_id: string, error: Error): Promise<void> {
  const failed = await deps.db.transaction(tx => writeFailure(deps, tx, job_id, error))
  logFailure(deps, failed, error)
}

type Failed = { job_id: string; post_id: string; reason: string } | null

/** The same in the transaction of the caller, which logs it then. Null for a job that is not being made any more. */
export async function writeFailure(
  { posts, notify }: Pick<MakeDeps, 'posts' | 'notify'>,
  tx: Tx,
  job_id: string,
  error: Error
): Promise<Failed> {
  const found = await findJob(tx, job_id)
  if (found === undefined) return null
  const { post_id } = found
  const { title } = await posts.lock(tx, post_id)
  const job = await lockJob(tx, job_id)
  const reason = jobFault(job?.first_error ?? null, messageOf(error))
  if (job === undefined || !(await moveJob(tx, job_id, 'fail', reason))) return null
  const media = offeredKinds(await listKinds(tx, [post_id]))
  await posts.setMedia(tx, post_id, { media, state: 'failed', error: reason }, actor)
  const notice = failureNotice({ post_id, title, reason })
  await notify?.queue(tx, [{ source: `media:${job_id}:${job.updated_at}`, notice, kind: 'failed' }])
  return { job_id, post_id, reason }
}

/** With what it was caused by, which nobody else is shown. */
export function logFailure({ log }: Pick<MakeDeps, 'log'>, failed: Failed, err: Error): void {
  if (failed !== null) log.warn({ err, ...failed }, 'media could not be made')
}
