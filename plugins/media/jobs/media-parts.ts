import { createHash } from 'node:crypto'
import type { Post } from '#plugins/posts'
import type { MediaFileRow } from '../repository/files.ts'

/** What a job makes one after the other. `tag`: audio that is there gets the picture that the post has now. */
export type MediaPart = 'speech' | 'tag'

/** Of what a post's files are made from: a file with the same hash is not made again. */
export interface MediaHashes {
  /** Text and voice. */
  speech: string
  /** The same, with the picture in the audio's tag. */
  audio: string
}

export interface MediaSources {
  post: Post
  voice: string
  /** File name of the post's picture; null for none. */
  picture: string | null
}

/** Another voice makes other files, too. */
export const textHash = ({ title, content, language, author }: Post, voice: string): string =>
  sha256([1, voice, language, title, author, content])

export function mediaHashes({ post, voice, picture }: MediaSources): MediaHashes {
  const speech = textHash(post, voice)
  return { speech, audio: picture === null ? speech : sha256([1, speech, picture]) }
}

/** The first part of some kinds that is not there yet; null when all are. */
export function missingPart(
  kinds: readonly string[],
  files: readonly Pick<MediaFileRow, 'extension' | 'hash'>[],
  hashes: MediaHashes
): MediaPart | null {
  const hashOf = (extension: string) => files.find(file => file.extension === extension)?.hash
  if (!kinds.includes('podcast')) return null
  // The transcripts tell whose words the audio has: its own hash changes with the picture.
  const isSpoken = transcripts.every(extension => hashOf(extension) === hashes.speech)
  if (!isSpoken || hashOf('mp3') === undefined) return 'speech'
  return hashOf('mp3') === hashes.audio ? null : 'tag'
}

/** Made together with the audio. */
const transcripts = ['vtt', 'srt', 'json', 'chapters.json']

const sha256 = (parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
