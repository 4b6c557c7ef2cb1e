// Speech, episodes and films by the embedded voice: node bench/media.ts [sentences] [folder for the films]
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Settings } from '../core/contract/settings.ts'
import { packageRoot } from '../core/paths.ts'
import type { CoverDesign } from '../plugins/media/drawing/cover-design.ts'
import { makeEpisode } from '../plugins/media/jobs/make-episode.ts'
import { makeFilm } from '../plugins/media/jobs/make-film.ts'
import type { FilmOutput } from '../plugins/media/jobs/media-outputs.ts'
import type { MediaFileRow } from '../plugins/media/repository/files.ts'
import { type MediaSettings, mediaSettings } from '../plugins/media/settings.ts'
import { createBuiltInSpeech } from '../plugins/media/speech/built-in.ts'
import { createMediaStore } from '../plugins/media/storage/media-store.ts'
import type { Post } from '../plugins/posts/index.ts'
import { createFileStore } from '../plugins/storage/file/file-store.ts'

const settings: Pick<Settings<MediaSettings>, 'get' | 'secretFor'> = {
  get: key => mediaSettings[key].default as never,
  secretFor: () => ({ value: '', fault: null })
}
const home = mkdtempSync(path.join(os.tmpdir(), 'galley-bench-'))
const speech = createBuiltInSpeech({ settings, log: { warn: () => {} }, now: () => new Date() })
const mediaFolder = createFileStore(path.join(home, 'media'), { setting: 'media_store' })
const store = createMediaStore(() => mediaFolder)
const feed = { describe: () => ({ title: 'Tides', author: 'Tides' }) as never }
const design: CoverDesign = {
  format: 'post',
  template: 'plain',
  title: 'How tides follow the moon',
  category: 'Ocean science',
  site: 'The Tidal Review',
  language: 'en',
  fontFolder: ''
}
const covers = { designOf: async () => design, isDrawn: async () => false }
const cover = readFileSync(path.join(packageRoot, 'docs/covers/plain.webp'))
const images = { toJpeg: async () => cover }
const art = { find: async () => null }
const { signal } = new AbortController()

const sentence = (at: number) =>
  `On day ${at} the sea rises twice along the coast, and the reason is the moon above it.`
const textOf = (sentences: number) =>
  Array.from(
    { length: sentences },
    (_, at) => `${at % 20 === 0 ? `## Part ${at / 20 + 1}\n\n` : ''}${sentence(at)}`
  ).join('\n\n')
const postOf = (sentences: number) =>
  ({
    post_id: `bench-${sentences}`,
    title: 'Tides',
    language: 'en',
    author: null,
    published_at: null,
    content: textOf(sentences)
  }) as Post

/** Memory of this process and its children, in MB. Pages that they share, such as those of Node.js, count once (PSS). */
function memoryMb(): number {
  const kilobytes = (pid: number | string) => Number(/^Pss:\s+(\d+)/m.exec(memoryOf(pid))?.[1] ?? 0)
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
  return children.reduce((sum, pid) => sum + kilobytes(pid), kilobytes(process.pid)) / 1024
}

function memoryOf(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

async function speakSentences(count: number): Promise<number> {
  const startedAt = performance.now()
  const file = path.join(home, 'spoken.wav')
  for (let at = 0; at < count; at++)
    await speech.speak(speech.chosen(), { text: sentence(at), language: 'en', file }, signal)
  return performance.now() - startedAt
}

/** Runs a piece of work. @returns what it made, the seconds it took, and the most memory it took above idle */
async function measured<Made>(work: () => Promise<Made>): Promise<{ made: Made; took: string }> {
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryMb())
  }, 100)
  const startedAt = performance.now()
  const made = await work()
  clearInterval(watch)
  const seconds = (performance.now() - startedAt) / 1000
  return { made, took: `${seconds.toFixed(1)} s, ${(peak - idle).toFixed(0)} MB above idle` }
}

async function episode(sentences: number): Promise<MediaFileRow[]> {
  const input = { post: postOf(sentences), picture: null, hashes: { speech: '', audio: '', audioWithoutArt: '' } }
  const { made, took } = await measured(() =>
    makeEpisode(
      { installation: { home }, speech, store, feed, images, art, log: console },
      input,
      { report: async () => {}, onSaved: async () => {} },
      signal
    )
  )
  const { files } = made
  await made.clean()
  console.log(`episode of ${((files[0]?.durationMs ?? 0) / 1000).toFixed(0)} s: ${took}`)
  return files.map(
    ({ extension, stored, durationMs, audioHash }) =>
      ({ extension, key: stored.key, duration_ms: durationMs, audio_hash: audioHash }) as MediaFileRow
  )
}

async function film(kind: FilmOutput, sentences: number, files: readonly MediaFileRow[]): Promise<void> {
  const sources = { post: postOf(sentences), voice: '', picture: 'cover', design: [] }
  const { made, took } = await measured(() =>
    makeFilm(
      { installation: { home }, store, images, covers },
      kind,
      { job: { job_id: 'bench', post_id: 'bench' }, sources, episode: files },
      { report: async () => {}, signal }
    )
  )
  if (made === null) throw new Error('a file of the episode is gone')
  const { stored, durationMs } = made.file
  await made.clean()
  const megabytes = (stored.bytes / 1_000_000).toFixed(1)
  console.log(`${kind} of ${((durationMs ?? 0) / 1000).toFixed(0)} s, ${megabytes} MB: ${took}`)
  if (folder !== undefined)
    copyFileSync(path.join(home, 'media', stored.key), path.join(folder, `${kind}-${sentences}.mp4`))
}

/** Where the films are to be copied. */
const folder = process.argv[3]
const idle = memoryMb()
try {
  console.log(`100 sentences spoken: ${((await speakSentences(100)) / 1000).toFixed(1)} s`)
  for (const sentences of [22, Number(process.argv[2] ?? 640)]) {
    const files = await episode(sentences)
    await film('video', sentences, files)
    await film('video_short', sentences, files)
  }
} finally {
  rmSync(home, { recursive: true })
}
