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
  /** `before`: the file as the manifest has it. Where that has none, a file at the path is replaced only if it `isOurs`. */
  write(file: ExportFile, before: ManifestFile | undefined, isOurs?: boolean): Promise<ManifestFile>
}

interface WriterOptions {
  target: ExportTarget
  marker: Marker
  /** Files that are written again, though the manifest has them: all, or those at fault. */
  rewrite: 'all' | ReadonlySet<string>
}

const defaultCacheControl = 'public, max-age=0, must-revalidate'

export function createWriter({ target, marker, rewrite }: WriterOptions): ExportWriter {
  const { store, isOwn } = target
  const requireAbsent = createUnownedFileCheck(store)
  const isAtFault = (path: string) => rewrite !== 'all' && rewrite.has(path)
  return {
    async write({ path, content, type, cacheControl = defaultCacheControl }, before, isOurs = false) {
      // Of a new file the store may make it, in a thread of its own.
      const hash = before === undefined ? undefined : hashOf(content)
      // After an interrupted run the target may have what the manifest does not know of.
      const isUpToDate = !marker.isInterrupted && rewrite !== 'all' && !isAtFault(path)
      if (before !== undefined && before.sha256 === hash && isUpToDate) return before
      await marker.begin()
      const mayReplace = isOwn || isOurs || before !== undefined || marker.hasClaimed(path) || isAtFault(path)
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
