import { createSharedRuns } from '#coalescing'
import type { FileStore, WrittenFile } from '#plugins/storage'
import { readTargetText } from './manifest.ts'

/**
 * A file that marks a target as an export's, and says whose. While a run writes, it lists the files that no manifest names yet. Its
 * first line is `writing` with the key of the database, or the key alone.
 */
const markerPath = '.galley-export'
const writing = 'writing'

export interface Marker {
  /** The file was there when it was read: lists are the export's own. */
  readonly isMarked: boolean
  /** A run has begun and not ended, or an earlier step of this one yielded: files may be newer than the manifests say. */
  readonly isInterrupted: boolean
  /** The database that wrote last; undefined where the marker names none. */
  readonly exporter: string | undefined
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

/** `key`: what it names when it is written. */
export async function readMarker(store: FileStore, key: () => Promise<string | undefined> = noKey): Promise<Marker> {
  const found = await readTargetText(store, markerPath)
  const lines = (found?.text ?? '').split('\n').slice(0, -1)
  const [state = '', ...claims] = lines
  const claimed = new Set(claims)
  const owned = new Map<string, readonly string[]>()
  let begun: Promise<unknown> | undefined
  // One at a time: an earlier list must not replace a later one.
  const writes = createSharedRuns<WrittenFile>()
  const put = async () => {
    const paths = [...claimed, ...[...owned.values()].flat()]
    const named = await key()
    const first = named === undefined ? writing : `${writing} ${named}`
    return store.put(markerPath, Buffer.from([first, ...paths].map(line => `${line}\n`).join('')))
  }
  const write = () => writes.run(markerPath, put)
  const isMarked = found !== null
  const exporter = /^(?:writing )?([0-9a-f]{16})$/.exec(state)?.[1]
  return {
    isMarked,
    isInterrupted: state === writing || state.startsWith(`${writing} `),
    exporter,
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
      const named = await key()
      // A target from before it was named is named now.
      if (begun === undefined && (!isMarked || exporter === named)) return
      await store.put(markerPath, Buffer.from(named === undefined ? '' : `${named}\n`))
    }
  }
}

/** Of one that is only read. */
const noKey = async () => undefined
