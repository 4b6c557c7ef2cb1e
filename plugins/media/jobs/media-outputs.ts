import { createHash } from 'node:crypto'
import type { Post } from '#plugins/posts'
import type { MediaFileRow } from '../repository/files.ts'

/** What a job makes one after the other. `tag`: audio that is there gets the picture that the post has now. */
export type MediaOutput = 'speech' | 'tag' | FilmOutput
export type FilmOutput = 'video' | 'video_short'

/** Of what a post's files are made from: a file with the same hash is not made again. */
export interface MediaHashes {
  /** Text and voice. */
  speech: string
  /** The same, with the picture in the audio's tag. */
  audio: string
  /** The same without the picture of the podcast, which could not be drawn: tagged when it is asked for again. */
  audioWithoutArt: string
  /** What is heard, and the cover and cards that are seen. */
  video: string
  video_short: string
}

export interface MediaSources {
  post: Post
  voice: string
  /** File name of the post's picture; null for none. */
  picture: string | null
  /** How the cards of films are drawn: what `Covers.designKey` answers. */
  design: readonly string[]
}

/** Another voice makes other files, too. */
export const textHash = ({ title, content, language, author }: Post, voice: string): string =>
  sha256([1, voice, language, title, author, content])

export function mediaHashes({ post, voice, picture, design }: MediaSources): MediaHashes {
  const speech = textHash(post, voice)
  return {
    speech,
    audio: picture === null ? speech : sha256([1, speech, picture]),
    audioWithoutArt: sha256([1, speech, 'without art']),
    video: sha256([1, speech, picture, design]),
    video_short: sha256([1, speech, design])
  }
}

type OutputFile = Pick<MediaFileRow, 'extension' | 'hash' | 'audio_hash'>

/** The files as far as they can be made now: audio of a post without a picture may lack that of the podcast, too. */
export function allowingNoArt(files: readonly OutputFile[], sources: MediaSources): readonly OutputFile[] {
  if (sources.picture !== null) return files
  const { audio, audioWithoutArt } = mediaHashes(sources)
  return files.map(file => (file.hash === audioWithoutArt ? { ...file, hash: audio } : file))
}

/**
 * The first part of some kinds that is not there yet; null when all are. With the audio belong the films that are there: one whose
 * sound is not that of the audio is missing, whoever asked for it.
 */
export function missingOutput(
  kinds: readonly string[],
  files: readonly OutputFile[],
  hashes: MediaHashes
): MediaOutput | null {
  // Whoever asks for a film asks for the audio as well.
  if (!kinds.includes('podcast')) return null
  const fileOf = (extension: string) => files.find(file => file.extension === extension)
  const hashOf = (extension: string) => fileOf(extension)?.hash
  const missingFilm = filmOutputs.find(film => {
    const file = fileOf(filmExtensions[film])
    if (file?.audio_hash === fileOf('mp3')?.audio_hash) return kinds.includes(film) && file?.hash !== hashes[film]
    return file !== undefined || kinds.includes(film)
  })
  // The transcripts tell whose words the audio has: its own hash changes with the picture.
  const isSpoken = transcripts.every(extension => hashOf(extension) === hashes.speech)
  if (!isSpoken || hashOf('mp3') === undefined) return 'speech'
  return hashOf('mp3') === hashes.audio ? (missingFilm ?? null) : 'tag'
}

/** The endings of their addresses. */
export const filmExtensions = { video: 'mp4', video_short: 'short.mp4' } as const
const filmOutputs = ['video', 'video_short'] as const

/** Where a part stands in the whole of some kinds: it begins at `from` percent, and has this share of all. */
export function shareOf(part: MediaOutput, kinds: readonly string[]): { from: number; share: number } {
  const films: MediaOutput[] = filmOutputs.filter(film => kinds.includes(film))
  const share = 1 / (1 + films.length)
  const before = films.indexOf(part) + 1
  return { from: 100 * share * before, share }
}

/** Made together with the audio. */
const transcripts = ['vtt', 'srt', 'json', 'chapters.json']

const sha256 = (parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
