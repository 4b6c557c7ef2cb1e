import { UnavailableError } from '#core'
import { temporaryName } from '#files'
import type { FileContent, HashedKey, PutOptions, WrittenFile } from '../index.ts'
import { changedMeanwhile, type FilePlace, fileModeOf, folderModeOf, linked } from './folders.ts'
import type { WriteThread } from './write-thread.ts'

const maxLength = 1_000_000

/** Writes a small file that need not outlive a power cut, by a thread. Null for any other, and where the thread takes none. */
export async function putSmall(
  { place, thread }: { place: FilePlace; thread: WriteThread },
  key: string | HashedKey,
  content: FileContent,
  { isDurable = true, ifMatch }: PutOptions
): Promise<WrittenFile | null> {
  if (typeof key !== 'string' || !isWhole(content) || content.length > maxLength) return null
  if (isDurable || typeof ifMatch === 'string') return null
  const { root } = place
  const modes = { mode: fileModeOf(place), folderMode: folderModeOf(place) }
  const result = await thread.write({
    root,
    key,
    temporaryName: temporaryName(),
    content,
    ...modes,
    isNew: ifMatch === null
  })
  if (result === null) return null
  if (result.kind === 'written') return { key, bytes: result.bytes, etag: result.etag, sha256: result.sha256 }
  if (result.kind === 'failed') throw Object.assign(new Error(result.message), result.cause)
  if (result.kind === 'unknown')
    throw new UnavailableError(`The thread that writes ${key} to ${root} has ended: try again.`)
  throw result.kind === 'link' ? linked(place, result.path) : changedMeanwhile(key)
}

export const isWhole = (content: FileContent): content is string | Uint8Array =>
  typeof content === 'string' || content instanceof Uint8Array
