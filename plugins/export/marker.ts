import { createSharedRuns } from '#coalescing'
import type { FileStore, WrittenFile } from '#plugins/storage'
import { readTargetText } from './manifest.ts'

/** A file that marks a target as an export's. While a run writes, it lists the files that no manifest names yet. */
const markerPath = '.galley-export'
const firstLine = 'writing\n'

export interface Marker {
  /** The file was there when it was read: lists are the export's own. */
  readonly isMarked: boolean
  /** A run has begun and not ended, or an earlier step of this one yielded: files may be newer than the manifests say. */
  readonly isInterrupted: boolean
  /** Whether that run or step claimed the file. */
  hasClaimed(path: string): boolean
  claimed(): readonly string[]
  /** Before the first change of a run. */
  begin(): Promise<void>
  /** Before files are written that no manifest names yet. They replace the earlier ones of `owner`, which are named by then. */
  claim(owner: string, paths: readonly string[]): Promise<void>
  /** After the manifest, which names every file. */
  end(): Promise<void>
}

export async function readMarker(store: FileStore): Promise<Marker> {
  const found = await readTargetText(store, markerPath)
  const lines = (found?.text ?? '').split('\n').slice(0, -1)
  const claimed = new Set(lines.slice(1))
  const owned = new Map<string, readonly string[]>()
  let begun: Promise<unknown> | undefined
  // One at a time: an earlier list must not replace a later one.
  const writes = createSharedRuns<WrittenFile>()
  const put = () => {
    const paths = [...claimed, ...[...owned.values()].flat()]
    return store.put(markerPath, Buffer.from(firstLine + paths.map(each => `${each}\n`).join('')))
  }
  const write = () => writes.run(markerPath, put)
  return {
    isMarked: found !== null,
    isInterrupted: found !== null && found.text !== '',
    hasClaimed: path => claimed.has(path),
    claimed: () => [...claimed],
    async begin() {
      begun ??= write()
      await begun
    },
    async claim(owner, paths) {
      owned.set(owner, paths)
      begun = write()
      await begun
    },
    async end() {
      if (begun !== undefined) await store.put(markerPath, Buffer.alloc(0))
    }
  }
}
