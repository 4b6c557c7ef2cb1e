import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { moduleAt } from '#child-process/fork'
import type { CallBudget } from '#child-process/long-call'
import type { Installation } from '#core'
import type { Covers } from '../covers/covers.ts'
import type { Images } from '../images/images.ts'
import type { MediaFileRow } from '../repository/files.ts'
import type { MediaJobRow } from '../repository/jobs.ts'
import type { MediaStore } from '../storage/media-store.ts'
import type { FilmFiles, FilmInput, MadeFilm } from '../video/film.ts'
import { guardWriting } from '../work-fault.ts'
import { callEncoder, type EncoderOptions } from './encoder-call.ts'
import type { MadeFile } from './make-episode.ts'
import { type FilmOutput, filmExtensions, type MediaSources, mediaHashes } from './media-outputs.ts'
import { filmPrefix, openWorkFolder, type WorkFolder, workFolderOf } from './work-folder.ts'

export interface FilmMakerDeps {
  installation: Pick<Installation, 'home'>
  store: MediaStore
  images: Pick<Images, 'toJpeg'>
  covers: Pick<Covers, 'designOf' | 'isDrawn'>
}

type FilmJob = Pick<MediaJobRow, 'job_id' | 'post_id'>

const filmModule = moduleAt('../video/film', import.meta.url).href
/** Ten hours of speech and 255 cards take some minutes. A machine that others keep busy may be ten times as slow. */
const budgets: readonly [CallBudget, CallBudget] = [
  { niceness: 19, timeoutMs: 1_800_000 },
  { niceness: 5, timeoutMs: 3_600_000 }
]
/** The index is written at once, and takes up to 75 MB an hour. A process that may take more is late to free what it took. */
const heapMbFor = (durationMs: number): number => Math.max(96, Math.ceil(30 + 75 * (durationMs / 3_600_000)))

export interface MadeFilmFile {
  file: MadeFile
  /** Removes what is needed no more once the film has its row. */
  clean(): Promise<void>
}

/** `report` is called with the share that is done, 0–1; what it throws ends the work. */
type FilmProgress = Pick<EncoderOptions, 'report' | 'signal'>

/**
 * A film of the episode that a post has. Null when a file of the episode is gone.
 * @throws UnavailableError; what `report` throws; the reason of an aborted signal
 */
export async function makeFilm(
  deps: FilmMakerDeps,
  part: FilmOutput,
  input: FilmSources,
  progress: FilmProgress
): Promise<MadeFilmFile | null> {
  const hash = mediaHashes(input.sources)[part]
  const audioHash = input.episode.find(({ extension }) => extension === 'mp3')?.audio_hash ?? null
  const folder = await openWorkFolder(deps.installation, input.job.post_id)
  const name = `${filmPrefix}${createHash('sha256')
    .update(JSON.stringify([version, hash, audioHash]))
    .digest('hex')}`
  const finished = { film: folder.pathOf(`${name}.mp4`), facts: folder.pathOf(`${name}.json`) }
  const facts = await ensureFilm(deps, part, { ...input, folder, finished }, progress)
  if (facts === null) return null
  const stored = await deps.store.put('episodes', 'mp4', createReadStream(finished.film))
  return {
    file: { extension: filmExtensions[part], kind: part, hash, stored, durationMs: facts.durationMs, audioHash },
    clean: async () => {
      await rm(finished.film, { force: true })
      await rm(finished.facts, { force: true })
    }
  }
}

/** Counts up when films are made in another way. */
const version = 1

interface FilmSources {
  job: FilmJob
  sources: MediaSources
  episode: readonly MediaFileRow[]
}

interface FilmWork extends FilmSources {
  folder: WorkFolder
  /** Paths of the film and of what is known of it. */
  finished: { film: string; facts: string }
}

/**
 * Makes a film, unless that was done before: a job that goes on after a kill, or after its store was full, finds the file. Another
 * film would have another time in it, and be another file of the store. What is known of it is written after it.
 */
async function ensureFilm(
  deps: FilmMakerDeps,
  part: FilmOutput,
  { job, sources, episode, folder, finished }: FilmWork,
  progress: FilmProgress
): Promise<MadeFilm | null> {
  const known = await folder.read(finished.facts)
  if (known !== null && (await folder.bytesOf(finished.film)) !== null) return JSON.parse(known.toString('utf8'))
  const place = await openFilmFolder(deps, job)
  try {
    const files = filesIn(place)
    if (!(await copyEpisode(deps.store, episode, files))) return null
    const audioMs = episode.find(({ extension }) => extension === 'mp3')?.duration_ms ?? 0
    const design = await deps.covers.designOf(sources.post)
    const picture = await pictureOf(deps, part, sources, progress.signal)
    const film: FilmInput = { kind: part, files, design, picture }
    const made = await callEncoder<MadeFilm>(
      { module: filmModule, name: 'renderFilm', input: film },
      { budgets, heapMb: heapMbFor(audioMs), folder: place, failure: 'The film could not be made', ...progress }
    )
    await guardWriting(place, () => rename(files.target, finished.film))
    await folder.save(finished.facts, Buffer.from(JSON.stringify(made)))
    return made
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** Of its own, since two jobs may make films of a post. What a killed process left of this job is removed. */
async function openFilmFolder({ installation }: FilmMakerDeps, { job_id, post_id }: FilmJob): Promise<string> {
  const parent = workFolderOf(installation, post_id)
  const prefix = `${filmPrefix}${job_id}-`
  return guardWriting(parent, async () => {
    const left = (await readdir(parent)).filter(name => name.startsWith(prefix))
    for (const name of left) await rm(path.join(parent, name), { recursive: true, force: true })
    return mkdtemp(path.join(parent, prefix))
  })
}

const filesIn = (folder: string): FilmFiles => ({
  audio: path.join(folder, 'episode.mp3'),
  transcript: path.join(folder, 'transcript.json'),
  chapters: path.join(folder, 'chapters.json'),
  target: path.join(folder, 'film.mp4')
})

/** Copies: the store may be on another machine. */
async function copyEpisode(
  store: MediaStore,
  episode: readonly MediaFileRow[],
  { audio, transcript, chapters }: FilmFiles
): Promise<boolean> {
  const copies = { mp3: audio, json: transcript, 'chapters.json': chapters }
  for (const [extension, target] of Object.entries(copies)) {
    const row = episode.find(file => file.extension === extension)
    const file = row === undefined ? null : await store.get(row.key)
    if (file === null) return false
    await guardWriting(path.dirname(target), () => pipeline(file.read(), createWriteStream(target, { mode: 0o600 })))
  }
  return true
}

/** A film for phones has words only. A cover that is drawn here is drawn anew, in the shape of a film. */
async function pictureOf(deps: FilmMakerDeps, part: FilmOutput, { post, picture }: MediaSources, signal: AbortSignal) {
  if (part !== 'video' || picture === null || (await deps.covers.isDrawn(post, picture))) return null
  return deps.images.toJpeg(picture, maxPictureSidePixels, signal)
}

const maxPictureSidePixels = 1280
