import path from 'node:path'
import { UnavailableError } from '#core'
import { temporaryName } from '#files'
import type { FileContent, HashedKey, PutOptions, WrittenFile } from '../index.ts'
import { changedMeanwhile, type FilePlace, fileModeOf, linked } from './folders.ts'
import type { WriteThread } from './write-thread.ts'

const maxBytes = 1_000_000

/** Writes a small file that need not outlive a power cut, by a thread. Null for any other, and where the thread takes none. */
export async function putSmall(
  { place, thread }: { place: FilePlace; thread: WriteThread },
  key: string | HashedKey,
  content: FileContent,
  { isDurable = true, ifMatch }: PutOptions
): Promise<WrittenFile | null> {
  if (typeof key !== 'string' || !(content instanceof Uint8Array) || content.length > maxBytes) return null
  if (isDurable || typeof ifMatch === 'string') return null
  const file = path.join(place.root, key)
  const temporaryFile = path.join(path.dirname(file), temporaryName())
  const isNew = ifMatch === null
  const result = await thread.write({ temporaryFile, file, content, mode: fileModeOf(place), isNew })
  if (result === null) return null
  if (result.kind === 'written') return { key, bytes: content.length, etag: result.etag }
  if (result.kind === 'failed') throw Object.assign(new Error(result.message), result.cause)
  if (result.kind === 'unknown')
    throw new UnavailableError(`The thread that writes ${key} to ${place.root} has ended: try again.`)
  throw result.kind === 'link' ? linked(place, key) : changedMeanwhile(key)
}
