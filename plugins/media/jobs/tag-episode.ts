import type { OpenFile, WrittenFile } from '#plugins/storage'
import { tagHeaderBytes, tagLength, withCover } from '../audio/id3.ts'
import type { Images } from '../images/images.ts'
import type { MediaFileRow } from '../repository/files.ts'
import type { MediaStore } from '../storage/media-store.ts'

/** Players show it as large as a hand, and load it with each episode. */
const maxCoverSidePixels = 800

/** The picture of a post for the tag of its audio. */
export async function tagCover(images: Pick<Images, 'toJpeg'>, picture: string | null, signal: AbortSignal) {
  const bytes = picture === null ? null : await images.toJpeg(picture, maxCoverSidePixels, signal)
  return bytes === null ? null : { type: 'image/jpeg' as const, bytes }
}

export interface TagDeps {
  store: MediaStore
  images: Pick<Images, 'toJpeg'>
}

/** Stores the same audio with the picture that its post has now: nothing is spoken or encoded again. Null when it is gone. */
export async function tagEpisode(
  { store, images }: TagDeps,
  { key }: Pick<MediaFileRow, 'key'>,
  picture: string | null,
  signal: AbortSignal
): Promise<WrittenFile | null> {
  const cover = await tagCover(images, picture, signal)
  const file = await store.get(key)
  if (file === null) return null
  try {
    const length = tagLength(await file.readPart({ start: 0, end: tagHeaderBytes - 1 }))
    const tag = withCover(await file.readPart({ start: 0, end: length - 1 }), cover)
    return await store.put('episodes', 'mp3', contentOf(tag, file, length))
  } finally {
    await file.close()
  }
}

async function* contentOf(tag: Buffer, file: OpenFile, soundAt: number): AsyncGenerator<Uint8Array> {
  yield tag
  yield* file.read({ start: soundAt, end: file.bytes - 1 })
}
