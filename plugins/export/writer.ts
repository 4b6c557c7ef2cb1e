import { forEachAsync } from '#concurrency'
import { errorCode } from '#core'
import type { WrittenFile } from '#plugins/storage'
import { filesAtOnce } from './concurrency.ts'
import type { ExportFile } from './index.ts'
import { type ManifestFile, maxPostBytes, ofChanged, readTargetText, unfinishedAt } from './manifest.ts'
import type { Marker } from './marker.ts'
import { hashOf } from './surfaces.ts'
import { type ExportTarget, UnownedFileError } from './target.ts'
import { createUnownedFileCheck } from './unowned-files.ts'

/** Writes files of an export that differ from what is there. */
export interface ExportWriter {
  /**
   * Claims files that no manifest names yet, so that a later run knows them for the export's. To be called before they are written.
   * A file `isKnown` that a manifest names, or that replaces whatever is there.
   * @throws UnownedFileError where a file of others is at one of the paths: then none is claimed
   */
  claim(claimant: string, paths: readonly string[], isKnown?: (path: string) => boolean): Promise<void>
  /** `before`: the file as the manifest has it. Where that has none, a file at the path is replaced only if it `isOurs`. */
  write(file: ExportFile, before: ManifestFile | undefined, isOurs?: boolean): Promise<ManifestFile>
}

interface WriterOptions {
  target: ExportTarget
  marker: Marker
  /** Files that are written again, though the manifest has them: all, or those at fault. */
  rewrite: 'all' | ReadonlySet<string>
  signal: AbortSignal
  /** Whether an export wrote a file that is at a claimed path. */
  isClaimedOwn(path: string, text: string): boolean
  now: () => Date
}

const defaultCacheControl = 'public, max-age=0, must-revalidate'

export function createWriter({ target, marker, rewrite, signal, isClaimedOwn, now }: WriterOptions): ExportWriter {
  const { store, isOwn } = target
  const requireAbsent = createUnownedFileCheck(store)
  const isAtFault = (path: string) => rewrite !== 'all' && rewrite.has(path)
  const mustRewrite = (path: string) => rewrite === 'all' || rewrite.has(path)
  /** Claimed and not written yet. */
  const absent = new Set<string>()
  /** A killed run may have claimed a path before it found out that a file of others is there. */
  const requireOurs = async (path: string) => {
    const found = marker.hasClaimed(path) ? await readTargetText(store, path, maxPostBytes) : undefined
    if (found === null) return
    if (found === undefined || !isClaimedOwn(path, found.text)) throw new UnownedFileError(store, path)
  }
  /** Puts a file where none is, or one that a killed run wrote. */
  const putNew = async (path: string, put: (condition: { ifMatch?: null }) => Promise<WrittenFile>) => {
    if (await store.supportsConditions()) {
      try {
        return await put({ ifMatch: null })
      } catch (error) {
        if (errorCode(error) !== 'CONFLICT') throw error
      }
      await requireOurs(path)
    } else if (marker.hasClaimed(path)) await requireOurs(path)
    else if (!absent.delete(path)) await requireAbsent(path)
    return put({})
  }
  return {
    async claim(claimant, paths, isKnown = () => false) {
      const isNew = (path: string) => !isOwn && !isKnown(path) && !marker.hasClaimed(path) && !isAtFault(path)
      // With conditional writes the write itself fails.
      const asked = (await store.supportsConditions()) ? [] : paths.filter(isNew)
      const ask = async (path: string) => {
        await requireAbsent(path)
        absent.add(path)
      }
      await forEachAsync(asked, ask, { concurrency: filesAtOnce, signal })
      await marker.claim(claimant, paths)
    },
    async write(file, before, isOurs = false) {
      const { path, content, type, cacheControl = defaultCacheControl } = file
      const named = (done: ManifestFile) => ({
        ...ofChanged(done),
        ...(file.isUnfinished === true && unfinishedAt(now(), mustRewrite(path) ? undefined : before))
      })
      // After an interrupted run the target may have what the manifest does not know of.
      const mayStay = before !== undefined && !marker.isInterrupted && !mustRewrite(path)
      // Of a file that is written in any case the store may make it, in a thread of its own.
      const hash = mayStay ? hashOf(content) : undefined
      if (mayStay && before.sha256 === hash) return named(before)
      await marker.begin()
      const put = (condition: { ifMatch?: null }) =>
        store.put(path, content, { type, cacheControl, isDurable: false, ...condition })
      const mayReplace = isOwn || isOurs || before !== undefined || isAtFault(path)
      const written = await (mayReplace ? put({}) : putNew(path, put))
      const { bytes, etag, sha256 = hash ?? hashOf(content) } = written
      return named({ path, bytes, sha256, etag })
    }
  }
}
