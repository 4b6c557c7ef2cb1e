import { createReadStream } from 'node:fs'
import path from 'node:path'
import { bounded, LimitError } from '#child-process'
import { callInProcess, LongCallError } from '#child-process/long-call'
import { type Installation, UnavailableError } from '#core'
import type { Post } from '#plugins/posts'
import type { WrittenFile } from '#plugins/storage'
import type { EncodedEpisode, EncodeInput, SpokenPiece } from '../audio/encode.ts'
import type { SpeechDriver } from '../index.ts'
import type { Narration, NarrationInput } from '../narration/narration.ts'
import { type Utterance, utterancesOf } from '../narration/utterances.ts'
import type { PodcastFeed } from '../podcast/podcast-feed.ts'
import type { SpeechDrivers } from '../speech/registry.ts'
import { SpeechError } from '../speech/speech-error.ts'
import type { MediaStore } from '../storage/media-store.ts'
import { chaptersJson, subRip, transcriptJson, webVtt } from '../transcript/formats.ts'
import type { MediaKind } from './kinds.ts'
import type { MediaHashes } from './media-parts.ts'
import { type TagCoverDeps, tagCover } from './tag-episode.ts'
import { cannotBeWritten, openWorkFolder, type WorkFolder } from './work-folder.ts'

export interface EpisodeMakerDeps extends TagCoverDeps {
  installation: Pick<Installation, 'home'>
  speech: SpeechDrivers
  store: MediaStore
  podcast: Pick<PodcastFeed, 'describe'>
}

/** A file in the store, and the ending of the address it is served at. */
export interface MadeFile {
  extension: string
  kind: MediaKind
  /** Of what it was made from. */
  hash: string
  stored: WrittenFile
  durationMs: number | null
}

/** What an episode is made of. */
export interface EpisodeOrder {
  post: Post
  /** File name of the picture in the tag; null for none. */
  picture: string | null
  hashes: Pick<MediaHashes, 'speech' | 'audio'>
}

/** Called with the percent that is done. @throws to end the work, when nobody wants it any more */
export type ReportProgress = (percent: number) => Promise<void>

/** Compiled, they lie beside this file's folder as JavaScript: the compiler does not rewrite a URL. */
const moduleAt = (name: string) => new URL(`${name}${path.extname(import.meta.url)}`, import.meta.url)
const narrateBounded = bounded<Narration>(moduleAt('../narration/narration'), 'narrateJson', { cpuTimeMs: 5000 })
const encoder = moduleAt('../audio/encode').href

/** An hour of speech takes half a minute; a machine may be forty times as slow. */
const encodeTimeoutMs = 3_600_000
const encodeHeapMb = 128
/** Of the whole, in percent: what is done when the text is read, and when it is spoken. */
const narrated = 2
const spoken = 70

/** Narrates a post: audio, transcripts and chapters, in the store. @throws UnavailableError; the reason of an aborted signal */
export async function makeEpisode(
  deps: EpisodeMakerDeps,
  { post, picture, hashes }: EpisodeOrder,
  report: ReportProgress,
  signal: AbortSignal
): Promise<MadeFile[]> {
  const driver = deps.speech.chosen()
  const { utterances, sections } = await narrationOf(post)
  if (utterances.length === 0) throw new SpeechError('The post has no words that can be read aloud.')
  await report(narrated)
  const folder = await openWorkFolder(deps.installation, post.post_id)
  const pieces = await speakAll(deps.speech, driver, { utterances, language: post.language, folder }, report, signal)
  driver.unload?.()
  const output = folder.pathOf('episode.mp3')
  const tags = { ...tagsOf(deps, post, driver), cover: await tagCover(deps, picture, signal) }
  const episode = await encode({ pieces, sections, tags, output }, signal)
  await report(95)
  const files = await storeAll(deps.store, { title: post.title, hashes, output }, episode)
  // An edit has only what is new in it spoken.
  await folder.keepOnly(pieces.map(({ file }) => file))
  return files
}

async function narrationOf({
  title,
  content,
  language
}: Post): Promise<{ utterances: Utterance[]; sections: string[] }> {
  try {
    const input: NarrationInput = { title, content, language }
    const narration = await narrateBounded(JSON.stringify(input), 'media')
    return { utterances: utterancesOf(narration), sections: narration.sections }
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    throw new SpeechError(`The text cannot be read aloud: it ${error.message}.`, { cause: error })
  }
}

interface ToSpeak {
  utterances: readonly Utterance[]
  language: string
  folder: WorkFolder
}

/** Pieces that are there already are not spoken again. */
async function speakAll(
  speech: SpeechDrivers,
  driver: SpeechDriver,
  { utterances, language, folder }: ToSpeak,
  report: ReportProgress,
  signal: AbortSignal
): Promise<SpokenPiece[]> {
  const pieces: SpokenPiece[] = []
  const waiting = [...utterances.entries()]
  let done = 0
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, { text, section, pauseMs }] = next
      const { file, isThere } = await folder.find(JSON.stringify([driver.voice, language, text]))
      if (!isThere) await folder.save(file, await speech.speak(driver, { text, language }, signal))
      pieces[at] = { file, text, section, pauseMs }
      await report(narrated + ((spoken - narrated) * ++done) / utterances.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: driver.concurrency ?? 1 }, work))
  } finally {
    // What one of them could not speak ends the others.
    waiting.length = 0
  }
  return pieces
}

async function encode(input: EncodeInput, signal: AbortSignal): Promise<EncodedEpisode> {
  try {
    return await callInProcess<EncodedEpisode>(
      { module: encoder, name: 'encodeEpisode', input },
      { signal, timeoutMs: encodeTimeoutMs, heapMb: encodeHeapMb }
    )
  } catch (error) {
    if (!(error instanceof LongCallError)) throw error
    if (error.code !== undefined) throw cannotBeWritten(path.dirname(input.output), error.code, error)
    throw new UnavailableError(`The episode could not be made: ${error.message}.`, { cause: error })
  }
}

function tagsOf({ podcast }: EpisodeMakerDeps, post: Post, driver: SpeechDriver): Omit<EncodeInput['tags'], 'cover'> {
  const { title, author } = podcast.describe()
  return {
    title: post.title,
    artist: post.author ?? author,
    album: title,
    date: post.published_at,
    provenance: `synthetic speech by ${driver.voice}`
  }
}

async function storeAll(
  store: MediaStore,
  { title, hashes, output }: { title: string; hashes: EpisodeOrder['hashes']; output: string },
  episode: EncodedEpisode
): Promise<MadeFile[]> {
  const { cues, chapters, durationMs } = episode
  const texts = {
    vtt: webVtt(cues),
    srt: subRip(cues),
    json: transcriptJson(cues),
    'chapters.json': chaptersJson(title, chapters)
  }
  const stored = await store.put('episodes', 'mp3', createReadStream(output))
  const files: MadeFile[] = [{ extension: 'mp3', kind: 'podcast', hash: hashes.audio, stored, durationMs }]
  for (const [extension, text] of Object.entries(texts)) {
    const name = extension.split('.').at(-1) ?? extension
    const file = await store.put('episodes', name, Buffer.from(text))
    files.push({ extension, kind: 'podcast', hash: hashes.speech, stored: file, durationMs: null })
  }
  return files
}
