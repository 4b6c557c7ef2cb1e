import { errorCode } from '#core'
import type { FileStore } from '#plugins/storage'
import type { ExportFile } from './index.ts'
import type { ManifestFile } from './manifest.ts'
import type { Marker } from './marker.ts'
import { hashOf } from './surfaces.ts'
import { type ExportTarget, unownedFile } from './target.ts'
import { createUnownedFileCheck } from './unowned-files.ts'

/** Writes files of an export that differ from what is there. */
export interface ExportWriter {
  /** `before`: the file as the manifest has it; undefined for one that is new, and replaces one of somebody else only if it `isOurs`. */
  write(file: ExportFile, before: ManifestFile | undefined, isOurs?: boolean): Promise<ManifestFile>
}

export interface WriterOptions {
  target: ExportTarget
  marker: Marker
  /** Writes also what is there as it should be. */
  isForced: boolean
  /** Files that are not what the manifest says. */
  distrusted: ReadonlySet<string>
}

const defaultCacheControl = 'public, max-age=0, must-revalidate'

export function createWriter({ target, marker, isForced, distrusted }: WriterOptions): ExportWriter {
  const { store, isOwn } = target
  const requireAbsent = createUnownedFileCheck(store)
  return {
    async write({ path, content, type, cacheControl = defaultCacheControl }, before, isOurs = false) {
      // Of a new file the store may make it, in a thread of its own.
      const hash = before === undefined ? undefined : hashOf(content)
      // After an interrupted run the target may have what the manifest does not know of.
      const isKnown = !isForced && !marker.isInterrupted && !distrusted.has(path)
      if (before !== undefined && before.sha256 === hash && isKnown) return before
      await marker.begin()
      const mayReplace = isOwn || isOurs || before !== undefined || marker.hasClaimed(path) || distrusted.has(path)
      const condition = mayReplace ? {} : { ifMatch: null }
      if (!mayReplace) await requireAbsent(path)
      const put = store.put(path, content, { type, cacheControl, isDurable: false, ...condition })
      const written = await put.catch((error: unknown) => refuseUnowned(store, path, error))
      const { bytes, etag, sha256 = hash ?? hashOf(content) } = written
      return { path, bytes, sha256, etag }
    }
  }
}

function refuseUnowned(store: FileStore, path: string, error: unknown): never {
  throw errorCode(error) === 'CONFLICT' ? unownedFile(store, path) : error
}
