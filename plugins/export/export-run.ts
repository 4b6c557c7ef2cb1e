import type { Db, Log } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { Marker } from './marker.ts'
import type { Surfaces } from './surfaces.ts'
import type { ExportTarget } from './target.ts'
import type { ExportWriter } from './writer.ts'

export interface RunDeps {
  published: PublishedPosts
  surfaces: Surfaces
  version: string
  baseUrl(): string
  db: Db
  log: Log
  now: () => Date
}

/** How an export is to run. */
export interface RunOptions {
  target: ExportTarget
  signal: AbortSignal
  /** Writes also what is there as it should be. */
  isForced?: boolean
  /** Files that are not what the manifest says: the run looks at every post. */
  distrusted?: ReadonlySet<string>
  /** Files that no post and no list has, to be removed. */
  leftOver?: readonly string[]
  /** Called between posts. @throws when the run is not wanted any more */
  onProgress?(posts: number): void
}

/** A run under way. */
export interface ExportRun extends RunDeps, RunOptions {
  distrusted: ReadonlySet<string>
  isForced: boolean
  /** What the manifest says is there as it says, so that equal fingerprints need no look. */
  isTrusted: boolean
  marker: Marker
  writer: ExportWriter
  /** Of all surfaces, now. */
  origin: string
  /** What was done so far. */
  done: { posts: number; removed: number }
}
