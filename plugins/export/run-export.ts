import { createSerial, type Serial } from '#core'
import { eachAtOnce } from './concurrency.ts'
import type { ExportReport } from './export-report.ts'
import { type ExportRun, isYielding, type RunDeps, type RunOptions } from './export-run.ts'
import { type AllGroups, writeGroups } from './groups.ts'
import type { ExportFile, ExportTotals } from './index.ts'
import {
  type GroupFileEntry,
  type Manifest,
  type ManifestFile,
  manifestPath,
  type PartEntry,
  readManifest
} from './manifest.ts'
import { readMarker } from './marker.ts'
import { writePart } from './parts.ts'
import { createPublicLists } from './public-lists.ts'
import { readShownPosts, type WantedPart } from './shown-posts.ts'
import { listPresentParts, partsAtOnce, removeClaimed, removeFiles, removePart, removeStalePosts } from './stale.ts'
import { type ExportTarget, unownedFile } from './target.ts'
import { requireUnchanged } from './unowned-files.ts'
import { createWriter } from './writer.ts'

/** How a step of a run ended. `report` is null when it gave way. */
export interface EndedRun {
  report: Omit<ExportReport, 'removed' | 'duration_ms'> | null
  removed: number
}

/** Brings a target up to date: what must go goes first, the manifest comes last. To be called with the lease. */
export async function runExport(deps: RunDeps, options: RunOptions): Promise<EndedRun> {
  const { run, manifest, etag } = await openRun(deps, options)
  await removeFiles(run, run.stalePaths ?? [])
  // With the lease, only this run writes there.
  if (run.marker.isInterrupted && isFirstStep(run)) await run.target.store.clean('', { isOnlyWriter: true })
  const plan = await planParts(run, manifest)
  const written = await writePartsAndGroups(run, manifest, plan)
  if (written === null) return { report: null, removed: run.done.removed }
  const { parts, groups, goneGroups } = written
  const files = await writeLists(run, manifest, parts)
  const bytes = await saveManifest(run, { files, parts, groups }, { manifest, etag })
  // Not before: until then the manifest names them.
  for (const part of plan.gone) await removePart(run, part)
  await removeFiles(run, goneGroups)
  if (!run.isUrgent) await run.marker.end()
  const naming = [...parts, ...groups]
  const all = [...files, ...naming]
  const report = {
    posts: parts.reduce((sum, part) => sum + part.posts, 0),
    files: naming.reduce((sum, each) => sum + each.file_count, all.length) + 1,
    bytes: naming.reduce((sum, each) => sum + each.file_bytes, 0) + all.reduce((sum, file) => sum + file.bytes, bytes)
  }
  return { report, removed: run.done.removed }
}

const isFirstStep = ({ isUrgent, written }: ExportRun) =>
  !isUrgent && written.parts.size + written.posts.size + written.groups.size === 0

async function openRun(deps: RunDeps, options: RunOptions) {
  const { target, isForced = false, isUrgent = false, distrusted = new Set<string>() } = options
  const [marker, { manifest, etag }, origin, shown] = await Promise.all([
    readMarker(target.store),
    readManifest(target.store),
    deps.surfaces.origin(),
    readShownPosts(deps)
  ])
  const known = new Set(manifest === null ? [] : [manifestPath, ...manifest.files.map(({ path }) => path)])
  // Without its manifest a marked target is all the export's.
  if (!marker.isMarked || manifest !== null)
    await requireEmpty(deps, target, path => known.has(path) || marker.hasClaimed(path))
  const writer = createWriter({ target, marker, isForced, distrusted })
  const lists = createPublicLists(deps.published, deps.db)
  const groupSets = deps.surfaces.groupSets(deps.db, lists)
  // A step that ends before it needs them does not fail for them.
  groupSets.catch(() => {})
  const done = { posts: 0, removed: 0, isYielding: false, askedAt: performance.now() }
  const isInterrupted = marker.isInterrupted || manifest === null
  const isTrusted = !isForced && distrusted.size === 0 && !isInterrupted && manifest.origin === origin
  const run: ExportRun = {
    ...deps,
    ...options,
    isForced,
    isUrgent,
    isTrusted,
    distrusted,
    marker,
    writer,
    origin,
    lists,
    groupSets,
    shown,
    readParts: new Map(),
    // For a withdrawal no reader is waited for.
    throttle: isUrgent ? async () => {} : deps.createThrottle(options.signal),
    done
  }
  return { run, manifest, etag }
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

/** What is to be done for the parts. */
interface PartsPlan {
  /** Those that need no look. */
  unchanged: ReadonlyMap<number, PartEntry>
  /** Those that the manifest names. */
  known: ReadonlySet<number>
  /** Those without a post now. */
  gone: number[]
  /** Of so few the texts are in memory together. */
  isSmall: boolean
}

/** Finds the parts that differ, and removes what must go. Those that the manifest describes as they should be are not looked at. */
async function planParts(run: ExportRun, manifest: Manifest | null): Promise<PartsPlan> {
  const wanted = run.shown.parts
  const before = new Map(manifest?.parts.map(entry => [entry.part, entry]))
  const isInterrupted = run.marker.isInterrupted || manifest === null
  const present = isInterrupted ? await listPresentParts(run) : [...before.keys()]
  const unchanged = new Map(
    wanted.flatMap(({ part, fingerprint }) => {
      const known = run.isTrusted || run.isUrgent ? before.get(part) : undefined
      const entry = [run.written.parts.get(part), known].find(each => each?.fingerprint === fingerprint)
      return entry === undefined ? [] : [[part, entry]]
    })
  )
  await removeStalePosts(
    run,
    present.filter(part => !unchanged.has(part))
  )
  if (run.marker.isInterrupted) await removeClaimed(run)
  const isWanted = new Set(wanted.map(({ part }) => part))
  const isSmall = run.isTrusted && wanted.filter(({ part }) => !unchanged.has(part)).length <= partsAtOnce
  const gone = run.isUrgent ? [] : present.filter(part => !isWanted.has(part))
  return { unchanged, known: new Set(before.keys()), gone, isSmall: isSmall || run.isUrgent }
}

/** Null when it gave way. What changes little is written at once: a bucket takes its time for each step. */
async function writePartsAndGroups(
  run: ExportRun,
  manifest: Manifest | null,
  plan: PartsPlan
): Promise<{ parts: PartEntry[]; groups: GroupFileEntry[]; goneGroups: string[] } | null> {
  const parts = new Map<number, PartEntry>()
  const all: AllGroups = { groups: [], gone: [] }
  const works = [
    () => writeParts(run, plan, parts),
    async () => {
      if (!run.done.isYielding) Object.assign(all, await writeGroups(run, manifest))
    }
  ]
  await eachAtOnce(works, run.signal, work => work(), plan.isSmall ? works.length : 1)
  if (run.done.isYielding) return null
  const inOrder = run.shown.parts.flatMap(({ part }) => parts.get(part) ?? [])
  return { parts: inOrder, groups: all.groups, goneGroups: all.gone }
}

/** While the posts of one are written, another is read or saved. */
const overlappingParts = 2

async function writeParts(run: ExportRun, plan: PartsPlan, written: Map<number, PartEntry>): Promise<void> {
  const serially: Serial = plan.isSmall ? work => work() : createSerial()
  const write = async (wanted: WantedPart, lane: number) => {
    const { part } = wanted
    run.onProgress?.(run.done.posts)
    const unchanged = plan.unchanged.get(part)
    if (unchanged === undefined && (run.done.isYielding || (await isYielding(run)))) return
    if (run.written.parts.has(part)) run.done.posts += unchanged?.posts ?? 0
    const about = { isKnown: plan.known.has(part), claimant: `posts ${lane}`, serially }
    const entry = unchanged ?? (await writePart(run, wanted, about))
    if (entry !== null) written.set(part, entry)
  }
  await eachAtOnce(run.shown.parts, run.signal, write, plan.isSmall ? partsAtOnce : overlappingParts)
}

/** Lists in memory together: each may have some hundred kilobytes. */
const listsAtOnce = 32

/** Writes the lists that differ, and removes those that no surface has now. */
async function writeLists(
  run: ExportRun,
  manifest: Manifest | null,
  parts: readonly PartEntry[]
): Promise<ManifestFile[]> {
  // A first run has none before its end.
  if (run.isUrgent && manifest === null) return []
  const before = new Map(manifest?.files.map(file => [file.path, file]))
  const totals: ExportTotals = {
    posts: parts.reduce((sum, { posts }) => sum + posts, 0),
    parts: parts.map(({ part, posts }) => ({ part, posts })),
    labels: run.lists.labels
  }
  const files: ManifestFile[] = []
  const isLost = run.marker.isMarked && manifest === null
  const claimed: string[] = []
  let batch: ExportFile[] = []
  const writeBatch = async () => {
    const unknown = batch.filter(({ path }) => !before.has(path)).map(({ path }) => path)
    if (unknown.length > 0 && !isLost) await run.marker.claim('lists', [...claimed, ...unknown])
    claimed.push(...unknown)
    const written = new Map<string, ManifestFile>()
    // A bucket takes its time for each.
    await eachAtOnce(batch, run.signal, async file => {
      written.set(file.path, await run.writer.write(file, before.get(file.path), isLost))
    })
    files.push(...batch.flatMap(({ path }) => written.get(path) ?? []))
    for (const { path } of batch) before.delete(path)
    batch = []
  }
  for (const surface of run.surfaces.all())
    for await (const file of surface.listFiles(run.db, totals)) if (batch.push(file) >= listsAtOnce) await writeBatch()
  await writeBatch()
  // Pages that are still to be written may need them.
  if (run.isUrgent) return [...files, ...before.values()]
  await removeFiles(
    run,
    [...before.keys()].filter(path => !path.startsWith('posts/') || path.startsWith('posts/index'))
  )
  return files
}

/** The manifest, if anything differs. @returns its size */
async function saveManifest(
  run: ExportRun,
  { files, parts, groups }: { files: ManifestFile[]; parts: PartEntry[]; groups: GroupFileEntry[] },
  { manifest, etag }: { manifest: Manifest | null; etag: string | null }
): Promise<number> {
  if (run.isUrgent && manifest === null) return 0
  const posts = parts.reduce((sum, part) => sum + part.posts, 0)
  const { version } = run
  const origin = run.isUrgent && manifest !== null ? manifest.origin : run.origin
  const about = { format: 2 as const, version, base_url: run.baseUrl(), origin }
  const content = { posts, files, parts, groups }
  const before = manifest === null ? '' : JSON.stringify(manifest)
  if (
    before !== '' &&
    before === JSON.stringify({ ...about, generated_at: manifest?.generated_at, ...content }) &&
    !run.isForced
  )
    return Buffer.byteLength(before)
  const text = JSON.stringify({ ...about, generated_at: run.now().toISOString(), ...content })
  // Another export of the same target, by another database, is noticed where the store can.
  const bytes = Buffer.from(text)
  await requireUnchanged(run.target.store, manifestPath, etag)
  await run.target.store.put(manifestPath, bytes, { type: 'application/json', cacheControl: 'no-cache', ifMatch: etag })
  return bytes.length
}
