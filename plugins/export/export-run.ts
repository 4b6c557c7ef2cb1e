import type { Db, Log } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { PostSearch } from '#plugins/search'
import type { PublicLists } from './index.ts'
import type { Marker } from './marker.ts'
import type { PartWithRows } from './part-with-rows.ts'
import type { ShownPosts } from './shown-posts.ts'
import type { OwnedGroup, Surfaces } from './surfaces.ts'
import type { ExportTarget } from './target.ts'
import type { ExportWriter } from './writer.ts'
import type { MustYield, WrittenSoFar } from './written.ts'

export interface RunDeps {
  published: PublishedPosts
  surfaces: Surfaces
  version: string
  baseUrl(): string
  /** Of the calendar that lists are cut by. */
  timeZone(): string
  db: Db
  log: Log
  now: () => Date
  /** For one step: what it awaits before it writes some more posts, so that readers who search do not wait for it. */
  createThrottle: PostSearch['throttle']
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
  stalePaths?: readonly string[]
  /** Called between posts. @throws when the run is not wanted any more */
  onProgress?(posts: number): void
  /** By earlier steps of this run. */
  written: WrittenSoFar
  /** Asked between files: the run then ends early, and the next step goes on with it. */
  mustYield?: MustYield
  /** Writes only what is there and shows posts that changed, and leaves everything else to the run that gave way. */
  isUrgent?: boolean
}

/** A run under way. */
export interface ExportRun extends RunDeps, RunOptions {
  distrusted: ReadonlySet<string>
  isForced: boolean
  isUrgent: boolean
  /** What the manifest says is there as it says, so that equal fingerprints need no look. */
  isTrusted: boolean
  marker: Marker
  writer: ExportWriter
  /** Of all surfaces, now. */
  origin: string
  lists: PublicLists
  /** As they were when this step began: they are read while its posts are written. */
  groupSets: Promise<OwnedGroup[]>
  /** As it was when this step began. */
  shown: ShownPosts
  /** Parts that were read already, if they are few. */
  readParts: Map<number, PartWithRows>
  /** Awaited before some more posts are written. */
  throttle: ReturnType<PostSearch['throttle']>
  /** What was done so far. */
  done: { posts: number; removed: number; isYielding: boolean; askedAt: number }
}

/** Whether the run is to end early, from now on. `everyMs`: what was found so long ago is still believed. */
export async function isYielding({ done, mustYield }: ExportRun, everyMs = 0): Promise<boolean> {
  if (performance.now() - done.askedAt < everyMs) return done.isYielding
  done.askedAt = performance.now()
  done.isYielding ||= (await mustYield?.()) ?? false
  return done.isYielding
}
