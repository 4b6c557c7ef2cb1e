import type { Db, Log } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { PostSearch } from '#plugins/search'
import type { PublicLists } from './index.ts'
import { type Manifest, manifestPath, type PartManifest, readManifest } from './manifest.ts'
import { type Marker, readMarker } from './marker.ts'
import { createPublicLists } from './public-lists.ts'
import type { PublicRow } from './repository/export.ts'
import { readShownPosts, type ShownPosts } from './shown-posts.ts'
import type { OwnedGroup, Surfaces } from './surfaces.ts'
import { type ExportTarget, unownedFile } from './target.ts'
import { createWriter, type ExportWriter } from './writer.ts'
import type { WrittenSoFar } from './written.ts'
import type { MustYield } from './yield-check.ts'

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

/** How a step of an export is to run. */
export interface RunOptions {
  target: ExportTarget
  signal: AbortSignal
  /** Files that are written again, though the manifest has them: all, or those at fault. */
  rewrite?: 'all' | ReadonlySet<string>
  /** Files that no post and no list has, to be removed. */
  stalePaths?: readonly string[]
  /** Called between posts. @throws when the run is not wanted any more */
  onProgress?(posts: number): void
  /** By earlier steps of this run. */
  written: WrittenSoFar
  /** Asked between files: the step then ends early, and a later one goes on with it. */
  mustYield: MustYield
}

/** The posts of a part as the target has them, and as they are to be. */
export interface PartState {
  before: PartManifest | null
  rows: readonly PublicRow[]
}

/** A step under way. */
export interface ExportRun extends RunDeps, Pick<RunOptions, 'signal' | 'onProgress' | 'written' | 'mustYield'> {
  target: ExportTarget
  /** As it was when this step began; null where it was missing. */
  manifest: Manifest | null
  manifestEtag: string | null
  /** The target has what the manifest says, made with today's settings: what has the same fingerprint needs no look. */
  isTrusted: boolean
  /** Whether a file is written again, though the manifest has it. */
  mustRewrite(path: string): boolean
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
  partStates: Map<number, PartState>
  /** Awaited before some more posts are written. */
  throttle: ReturnType<PostSearch['throttle']>
  /** What was done so far. */
  done: { posts: number; removed: number }
}

/** Reads what the target has and what is public. @throws UnavailableError for a target with files of others */
export async function openRun(deps: RunDeps, options: RunOptions): Promise<ExportRun> {
  const { target, signal, rewrite = new Set<string>() } = options
  const [marker, { manifest, etag: manifestEtag }, origin, shown] = await Promise.all([
    readMarker(target.store),
    readManifest(target.store),
    deps.surfaces.origin(),
    readShownPosts(deps)
  ])
  const known = new Set(manifest === null ? [] : [manifestPath, ...manifest.files.map(({ path }) => path)])
  // Without its manifest a marked target is all the export's.
  if (!marker.isMarked || manifest !== null)
    await requireEmpty(deps, target, path => known.has(path) || marker.hasClaimed(path))
  const lists = createPublicLists(deps.published, deps.db)
  const groupSets = deps.surfaces.groupSets(deps.db, lists)
  // A step that ends before it needs them does not fail for them.
  groupSets.catch(() => {})
  const isAsManifest = rewrite !== 'all' && rewrite.size === 0 && !marker.isInterrupted
  return {
    ...deps,
    ...options,
    manifest,
    manifestEtag,
    isTrusted: isAsManifest && manifest?.origin === origin,
    mustRewrite: path => rewrite === 'all' || rewrite.has(path),
    marker,
    writer: createWriter({ target, marker, rewrite }),
    origin,
    lists,
    groupSets,
    shown,
    partStates: new Map(),
    throttle: deps.createThrottle(signal),
    done: { posts: 0, removed: 0 }
  }
}

/** A place with files of an export's names that no export wrote is somebody's. */
async function requireEmpty(
  { surfaces }: RunDeps,
  { store, isOwn }: ExportTarget,
  isKnown: (path: string) => boolean
): Promise<void> {
  if (isOwn) return
  for (const name of [manifestPath, ...surfaces.all().flatMap(surface => surface.listPaths())])
    if (!isKnown(name) && (await store.stat(name)) !== null) throw unownedFile(store, name)
}
