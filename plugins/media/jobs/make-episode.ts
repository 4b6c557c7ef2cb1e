import { createReadStream } from 'node:fs'
import { bounded, LimitError } from '#child-process'
import { moduleAt } from '#child-process/fork'
import type { Installation } from '#core'
import type { Post } from '#plugins/posts'
import type { WrittenFile } from '#plugins/storage'
import type { EncodedEpisode, EncodeInput } from '../audio/encode.ts'
import type { SpeechDriver } from '../index.ts'
import type { Narration, NarrationInput } from '../narration/narration.ts'
import { isInOtherScript } from '../narration/other-script.ts'
import { type Utterance, utterancesOf } from '../narration/utterances.ts'
import type { PodcastFeed } from '../podcast/podcast-feed.ts'
import { progressBetween } from '../progress.ts'
import type { SpeechDrivers } from '../speech/registry.ts'
import { SpeechError } from '../speech/speech-error.ts'
import type { MediaStore } from '../storage/media-store.ts'
import { chaptersJson, subRip, transcriptJson, webVtt } from '../transcript/formats.ts'
import { ensureEncoded } from './encode-episode.ts'
import type { MediaKind } from './kinds.ts'
import type { MediaHashes } from './media-outputs.ts'
import { speakAll } from './speak.ts'
import type { Steps } from './steps.ts'
import { type TagCoverDeps, tagCover } from './tag-episode.ts'
import { openWorkFolder } from './work-folder.ts'

export interface EpisodeMakerDeps extends TagCoverDeps {
  installation: Pick<Installation, 'home'>
  speech: SpeechDrivers
  store: MediaStore
  feed: Pick<PodcastFeed, 'describe'>
}

/** A file in the store, and the ending of the address it is served at. */
export interface MadeFile {
  extension: string
  kind: MediaKind
  /** Of what it was made from. */
  hash: string
  stored: WrittenFile
  durationMs: number | null
  /** As in `MediaFileRow`. */
  audioHash: string | null
}

/** What an episode is made of. */
export interface EpisodeInput {
  post: Post
  /** File name of the picture in the tag; null for none. */
  picture: string | null
  hashes: Pick<MediaHashes, 'speech' | 'audio' | 'audioWithoutArt'>
}

const narrateBounded = bounded<Narration>(moduleAt('../narration/narration', import.meta.url), 'narrateJson', {
  cpuTimeMs: 5000
})
/** Of the whole, in percent: what is done when the text is read, when it is spoken, and when it is encoded. */
const narrated = 2
const spoken = 70
const encoded = 95

export interface MadeEpisode {
  files: MadeFile[]
  /** Removes what is needed no more once the files have their rows: an edit has only what is new in it spoken. */
  clean(): Promise<void>
}

/** Narrates a post: audio, transcripts and chapters, in the store. @throws UnavailableError; the reason of an aborted signal */
export async function makeEpisode(
  deps: EpisodeMakerDeps,
  { post, picture, hashes }: EpisodeInput,
  { report, onSaved }: Steps,
  signal: AbortSignal
): Promise<MadeEpisode> {
  const driver = deps.speech.chosen()
  const { utterances, sections } = await narrationOf(post)
  if (utterances.length === 0) throw new SpeechError('The post has no words that can be read aloud.')
  if (driver.isMonolingual === true) requireOwnLetters(utterances, post)
  await report(narrated)
  const folder = await openWorkFolder(deps.installation, post.post_id)
  const { pieces, bytes } = await speakAll(
    deps.speech,
    driver,
    { utterances, language: post.language, folder },
    { report: share => report(progressBetween(narrated, spoken, share)), onSaved },
    signal
  )
  driver.unload?.()
  const { cover, isWithoutArt } = await tagCover(deps, { post_id: post.post_id, picture }, signal)
  const tags = { ...tagsOf(deps, post, driver), cover }
  const episode = await ensureEncoded(
    { pieces, sections, tags },
    { folder, bytes, report: share => report(progressBetween(spoken, encoded, share)), signal }
  )
  await onSaved()
  await report(encoded)
  const hash = isWithoutArt ? hashes.audioWithoutArt : hashes.audio
  const output = { title: post.title, hash, speechHash: hashes.speech, output: episode.file }
  const files = await storeAll(deps.store, output, episode)
  return { files, clean: () => folder.keepOnly(pieces.map(({ file }) => file)) }
}

function requireOwnLetters(utterances: readonly Utterance[], { post_id, language }: Post): void {
  const texts = utterances.map(({ text }) => text)
  if (isInOtherScript(texts, language))
    throw new SpeechError(
      `The language of the post is ${language}, and most of its text is in other letters, which the voice would spell: set it with galley posts edit ${post_id.slice(0, 8)} --language, as ar for Arabic.`
    )
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

function tagsOf({ feed }: EpisodeMakerDeps, post: Post, driver: SpeechDriver): Omit<EncodeInput['tags'], 'cover'> {
  const { title, author } = feed.describe()
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
  { title, hash, speechHash, output }: { title: string; hash: string; speechHash: string; output: string },
  episode: EncodedEpisode
): Promise<MadeFile[]> {
  const { cues, chapters, durationMs, audioHash } = episode
  const texts = {
    vtt: webVtt(cues),
    srt: subRip(cues),
    json: transcriptJson(cues),
    'chapters.json': chaptersJson(title, chapters)
  }
  const stored = await store.put('episodes', 'mp3', createReadStream(output))
  const files: MadeFile[] = [{ extension: 'mp3', kind: 'podcast', hash, stored, durationMs, audioHash }]
  for (const [extension, text] of Object.entries(texts)) {
    const name = extension.split('.').at(-1) ?? extension
    const file = await store.put('episodes', name, Buffer.from(text))
    files.push({ extension, kind: 'podcast', hash: speechHash, stored: file, durationMs: null, audioHash: null })
  }
  return files
}
