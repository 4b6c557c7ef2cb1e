import { service } from '#core'
import type { MeteredDriver } from '#plugins/costs'
import type { Images } from './images/images.ts'
import type { PictureSizes } from './images/picture-sizes.ts'

export type { StoredImage } from './images/images.ts'

/** A sentence or two to be spoken, at most 400 characters. */
export interface SpokenText {
  text: string
  /** BCP 47, of the post. */
  language: string
  /** Path of a file in which the WAV can be written. It is not there yet. */
  file: string
}

/** An engine that speaks. It is given a post sentence by sentence, so that the time of each is known exactly. */
export interface SpeechDriver extends MeteredDriver {
  /** Names engine and voice, for people. With another one, episodes that are asked for are made again. */
  readonly voice: string
  /** What its settings lack, and what to do; null when they lack nothing. */
  readonly settingsFault?: string | null
  /** What is not installed that it needs, and what to do: it completes "speech_driver …". Null when all is there. */
  readonly installFault?: string | null
  /** It would spell what is not in the letters of the post's language: such a post is refused. Default: it reads any letters. */
  readonly isMonolingual?: boolean
  /** Texts it speaks at once; default 1. */
  readonly concurrency?: number
  /**
   * Returns a WAV of at most 18 MB, at any sample rate; null when it has written that to the file. An engine in a process of its
   * own does better to write it there: what passes the process that serves delays those who read. Texts come in their order,
   * and each again when a process was killed.
   * @throws UnavailableError when it cannot speak; the post stays published, and the job says why
   */
  speak(spoken: SpokenText, signal: AbortSignal): Promise<Uint8Array | null>
  /** Called when a text is spoken to its end: frees the memory that only speaking needs. */
  unload?(): void
}

/** The engines that the setting `speech_driver` can choose. */
export interface Speech {
  /** Offers an engine under a name, which is the model that its work counts for. Call it in `setup`. */
  addDriver(name: string, driver: SpeechDriver): void
}
export const SpeechService = service<Speech>('media.speech')

/** Stores pictures of anybody as uploads are: decoded, bounded, encoded anew, and the same bytes as one file. */
export type ImageUploads = Pick<Images, 'add'>
/** Where other plugins store pictures. */
export const ImagesService = service<ImageUploads>('media.images')

export type { PictureSizes, SizedPicture } from './images/picture-sizes.ts'
/** The sizes of the pictures in the media store. */
export const PictureSizesService = service<PictureSizes>('media.picture-sizes')
