import type { Log } from '#core'
import type { OpenFile, WrittenFile } from '#plugins/storage'
import { tagHeaderBytes, tagLength, withCover } from '../audio/id3.ts'
import { DrawingError } from '../cover-error.ts'
import type { Images } from '../images/images.ts'
import type { PodcastArt } from '../podcast/podcast-art.ts'
import type { MediaFileRow } from '../repository/files.ts'
import type { MediaStore } from '../storage/media-store.ts'

/** Players show it as large as a hand, and load it with each episode. */
const maxCoverSidePixels = 800

export interface TagCoverDeps {
  images: Pick<Images, 'toJpeg'>
  art: Pick<PodcastArt, 'find'>
  log: Pick<Log, 'warn'>
}

/** The post of an episode, and the file name of its picture. */
export interface PicturedPost {
  post_id: string
  picture: string | null
}

/** A picture for the tag of audio; null for none. `isWithoutArt`: that of the podcast could not be drawn. */
interface TagCover {
  cover: { type: 'image/jpeg'; bytes: Uint8Array } | null
  isWithoutArt: boolean
}

/** The picture of a post for the tag of its audio. Without one it has that of the podcast, as podcast apps show it. */
export async function tagCover(
  deps: TagCoverDeps,
  { post_id, picture }: PicturedPost,
  signal: AbortSignal
): Promise<TagCover> {
  const { shown, isWithoutArt } =
    picture === null ? await podcastArt(deps, post_id, signal) : { shown: picture, isWithoutArt: false }
  const bytes = shown === null ? null : await deps.images.toJpeg(shown, maxCoverSidePixels, signal)
  return { cover: bytes === null ? null : { type: 'image/jpeg', bytes }, isWithoutArt }
}

/** The sentences are spoken by now: an episode without a picture is better than none. */
async function podcastArt({ art, log }: TagCoverDeps, post_id: string, signal: AbortSignal) {
  try {
    return { shown: await art.find(signal), isWithoutArt: false }
  } catch (err) {
    if (!(err instanceof DrawingError)) throw err
    log.warn({ err, post_id }, 'an episode has no picture: that of the podcast could not be drawn')
    return { shown: null, isWithoutArt: true }
  }
}

export interface TagDeps extends TagCoverDeps {
  store: MediaStore
}

/** Stores the same audio with the picture that its post has now: nothing is spoken or encoded again. Null when it is gone. */
export async function tagEpisode(
  deps: TagDeps,
  { key, post_id }: Pick<MediaFileRow, 'key' | 'post_id'>,
  picture: string | null,
  signal: AbortSignal
): Promise<{ stored: WrittenFile; isWithoutArt: boolean } | null> {
  const { store } = deps
  const { cover, isWithoutArt } = await tagCover(deps, { post_id, picture }, signal)
  const file = await store.get(key)
  if (file === null) return null
  try {
    const length = tagLength(await file.readRange({ start: 0, end: tagHeaderBytes - 1 }))
    const tag = withCover(await file.readRange({ start: 0, end: length - 1 }), cover)
    return { stored: await store.put('episodes', 'mp3', contentOf(tag, file, length)), isWithoutArt }
  } finally {
    await file.close()
  }
}

async function* contentOf(tag: Buffer, file: OpenFile, audioStart: number): AsyncGenerator<Uint8Array> {
  yield tag
  yield* file.read({ start: audioStart, end: file.bytes - 1 })
}
