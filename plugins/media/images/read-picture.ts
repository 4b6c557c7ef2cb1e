import { pictureLimits } from '../pictures/picture-limits.ts'
import type { MediaStore } from '../storage/media-store.ts'

/** The bytes of a stored picture. Null when it is gone, and for what an operator put there that is too large to be decoded. */
export async function readPicture(store: Pick<MediaStore, 'get'>, filename: string): Promise<Uint8Array | null> {
  const file = await store.get(`images/${filename}`)
  if (file === null) return null
  try {
    if (file.bytes > pictureLimits.maxBytes) return null
    return await file.readRange({ start: 0, end: file.bytes - 1 })
  } finally {
    await file.close()
  }
}
