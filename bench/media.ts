// Speech and episodes by the embedded voice: node bench/media.ts
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Settings } from '../core/contract/settings.ts'
import { makeEpisode } from '../plugins/media/jobs/make-episode.ts'
import { type MediaSettings, mediaSettings } from '../plugins/media/settings.ts'
import { createBuiltInSpeech } from '../plugins/media/speech/built-in.ts'
import { createFileStore } from '../plugins/media/storage/file-store.ts'
import type { Post } from '../plugins/posts/index.ts'

const settings: Pick<Settings<MediaSettings>, 'get' | 'secretFor'> = {
  get: key => mediaSettings[key].default as never,
  secretFor: () => ({ value: '', fault: null })
}
const home = mkdtempSync(path.join(os.tmpdir(), 'galley-bench-'))
const speech = createBuiltInSpeech({ settings, log: { warn: () => {} }, now: () => new Date() })
const store = createFileStore(path.join(home, 'media'))
const podcast = { describe: () => ({ title: 'Tides', author: 'Tides' }) as never }
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

/** Resident memory of this process and its children, in MB. */
function residentMb(): number {
  const kilobytes = (pid: number | string) => Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid))?.[1] ?? 0)
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
  return children.reduce((sum, pid) => sum + kilobytes(pid), kilobytes(process.pid)) / 1024
}

function statusOf(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

async function speakSentences(count: number): Promise<number> {
  const startedAt = performance.now()
  for (let at = 0; at < count; at++) await speech.speak(speech.chosen(), { text: sentence(at), language: 'en' }, signal)
  return performance.now() - startedAt
}

async function episode(sentences: number) {
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMb())
  }, 50)
  const startedAt = performance.now()
  const files = await makeEpisode(
    { installation: { home }, speech, store, podcast, images: { toJpeg: async () => null } },
    { post: postOf(sentences), picture: null, hashes: { speech: '', audio: '' } },
    async () => {},
    signal
  )
  clearInterval(watch)
  const seconds = (files[0]?.durationMs ?? 0) / 1000
  const took = (performance.now() - startedAt) / 1000
  console.log(`episode of ${seconds.toFixed(0)} s: ${took.toFixed(1)} s, ${(peak - idle).toFixed(0)} MB above idle`)
}

const idle = residentMb()
try {
  console.log(`100 sentences spoken: ${((await speakSentences(100)) / 1000).toFixed(1)} s`)
  await episode(22)
  await episode(Number(process.argv[2] ?? 640))
} finally {
  rmSync(home, { recursive: true })
}
