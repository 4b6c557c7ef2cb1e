import type { Db, Log } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { PostSearch } from '#plugins/search'
import { createPrioritySemaphore, type PrioritySemaphore, postBatchesAtOnce } from './concurrency.ts'
import type { Exporter } from './exporter.ts'
import type { PublicLists } from './index.ts'
import {
  type GroupFileEntry,
  type Manifest,
  manifestPath,
  type PartEntry,
  type PartManifest,
  readManifest
} from './manifest.ts'
import { type Marker, readMarker } from './marker.ts'
import { readOrigin } from './origin.ts'
import { createPublicLists } from './public-lists.ts'
import type { PublicRow } from './repository/export.ts'
import { readShownPosts, type ShownPosts } from './shown-posts.ts'
import type { OwnedGroup, Surfaces } from './surfaces.ts'
import { type ExportTarget, UnownedFileError } from './target.ts'
import { createWriter, type ExportWriter } from './writer.ts'
import type { MustYield } from './yield-check.ts'

export interface StepDeps {
  published: PublishedPosts
  surfaces: Surfaces
  version: string
  baseUrl(): string
  /** Of the calendar that divides lists into months and years. */
  timeZone(): string
  db: Db
  exporter: Exporter
  log: Log
  now: () => Date
  /** For one step: awaited before each batch of posts, so that readers who search do not wait for the export. */
  createThrottle: PostSearch['throttle']
}

/** It only ends with its signal. */
export const unthrottled: PostSearch['throttle'] = signal => async () => signal.throwIfAborted()

/** A file of groups that was written, and the paths of the files it names. */
export interface WrittenGroups {
  entry: GroupFileEntry
  paths: string[]
}

/** What earlier steps of a run wrote: later ones do not write it again. */
export interface WrittenSoFar {
  parts: Map<number, PartEntry>
  /** The posts of parts that are not finished: what their files show, by `post_id`. */
  posts: Map<string, string>
  groups: Map<number, WrittenGroups>
}

/** How a step of a run is to work. */
export interface StepOptions {
  target: ExportTarget
  signal: AbortSignal
  /** Files that are written again, though the manifest has them: all, or those at fault. */
  rewrite?: 'all' | ReadonlySet<string>
  /** Files to be removed: they are of no post and no list. */
  stalePaths?: readonly string[]
  /** The target may have the export of another database. */
  isTakeover?: boolean | undefined
  /** Called between posts. @throws to end the run */
  onProgress?(posts: number): void
  /** What earlier steps of this run wrote. */
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
export interface ExportStep extends StepDeps, Pick<StepOptions, 'signal' | 'onProgress' | 'written' | 'mustYield'> {
  target: ExportTarget
  /** As of the start of this step; null where it was missing. */
  manifest: Manifest | null
  manifestEtag: string | null
  /** The target has what the manifest says, with the present settings: parts and groups with equal fingerprints are skipped. */
  isManifestTrusted: boolean
  /** Whether a file is written again, though the manifest has it. */
  mustRewrite(path: string): boolean
  marker: Marker
  writer: ExportWriter
  /** The present key of all surfaces. */
  origin: string
  lists: PublicLists
  /** As of the start of this step. They are read while posts are written. */
  groupSets: Promise<OwnedGroup[]>
  /** As of the start of this step. */
  shown: ShownPosts
  /** Few parts are read once, for removal and for writing. */
  partStates: Map<number, PartState>
  /** Of the batches of posts; their part is the rank, so that one part after the other ends. */
  withPermit: PrioritySemaphore
  /** Awaited before each batch of posts. */
  throttle: ReturnType<PostSearch['throttle']>
  /** What was done so far. */
  done: { posts: number; removed: number }
  /** Paths of files that could not be removed, with the errors: the step goes on. Absent: it fails at the first one. */
  unremoved?: Map<string, unknown>
}

/**
 * Reads what the target has and what is public. `mustYieldReading`: asked where all posts are computed again.
 * @throws UnavailableError for a target with files of others, or with the export of another database
 */
export async function openStep(
  deps: StepDeps,
  options: StepOptions,
  mustYieldReading = options.mustYield
): Promise<ExportStep> {
  const { target, signal, rewrite = new Set<string>() } = options
  const throttle = deps.createThrottle(signal)
  const [marker, { manifest, etag: manifestEtag }, origin, shown] = await Promise.all([
    readMarker(target.store, deps.exporter.establishKey),
    readManifest(target.store),
    readOrigin(deps),
    readShownPosts(deps, { throttle, mustYield: mustYieldReading })
  ])
  if (options.isTakeover !== true) await deps.exporter.requireOwn(target, marker.exporter ?? manifest?.exporter)
  const known = new Set(manifest === null ? [] : [manifestPath, ...manifest.files.map(({ path }) => path)])
  // In a marked target without a manifest all files are the export's.
  if (!marker.isMarked || manifest !== null)
    await requireEmpty(deps, target, path => known.has(path) || marker.hasClaimed(path))
  const lists = createPublicLists(deps.published, deps.db)
  const groupSets = deps.surfaces.groupSets(deps.db, lists)
  // A step that ends before it needs them does not fail for them.
  groupSets.catch(() => {})
  const hasNoFault = rewrite !== 'all' && rewrite.size === 0 && !marker.isInterrupted
  return {
    ...deps,
    ...options,
    manifest,
    manifestEtag,
    isManifestTrusted: hasNoFault && manifest?.origin === origin,
    mustRewrite: path => rewrite === 'all' || rewrite.has(path),
    marker,
    writer: createWriter({ target, marker, rewrite, signal, isClaimedOwn: deps.surfaces.isClaimedOwn, now: deps.now }),
    origin,
    lists,
    groupSets,
    shown,
    partStates: new Map(),
    withPermit: createPrioritySemaphore(postBatchesAtOnce),
    throttle,
    done: { posts: 0, removed: 0 }
  }
}

/** Refuses a target with an unowned file at the path of a list or of the manifest. */
async function requireEmpty(
  { surfaces }: StepDeps,
  { store, isOwn }: ExportTarget,
  isKnown: (path: string) => boolean
): Promise<void> {
  if (isOwn) return
  for (const name of [manifestPath, ...surfaces.all().flatMap(surface => surface.listPaths())])
    if (!isKnown(name) && (await store.stat(name)) !== null) throw new UnownedFileError(store, name)
}
