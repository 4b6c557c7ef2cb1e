import type { FileStore } from '#plugins/storage'
import { readTargetText } from './manifest.ts'

/** Marks a target as an export's. While one is being written it lists the files that its part does not have yet. */
const markerPath = '.galley-export'
const firstLine = 'writing\n'

export interface Marker {
  /** The target was marked before: files that are no post's are the export's own. */
  readonly isMarked: boolean
  /** A run has begun and not ended: the manifest may be behind its parts, and those behind the files. */
  readonly isInterrupted: boolean
  /** Of the run that was interrupted. */
  hasClaimed(path: string): boolean
  claimed(): readonly string[]
  /** Before the first change of a run. */
  begin(): Promise<void>
  /** Before the files of a part are written. Once its part is saved, the next one's take their place. */
  claim(paths: readonly string[]): Promise<void>
  /** Once the manifest names every file. */
  end(): Promise<void>
}

export async function readMarker(store: FileStore): Promise<Marker> {
  const found = await readTargetText(store, markerPath)
  const lines = (found?.text ?? '').split('\n').slice(0, -1)
  const claimed = new Set(lines.slice(1))
  let isBegun = false
  const write = (more: readonly string[]) =>
    store.put(markerPath, Buffer.from(firstLine + [...claimed, ...more].map(each => `${each}\n`).join('')))
  return {
    isMarked: found !== null,
    isInterrupted: found !== null && found.text !== '',
    hasClaimed: path => claimed.has(path),
    claimed: () => [...claimed],
    async begin() {
      if (!isBegun) await write([])
      isBegun = true
    },
    async claim(paths) {
      await write(paths)
      isBegun = true
    },
    async end() {
      if (isBegun) await store.put(markerPath, Buffer.alloc(0))
    }
  }
}
