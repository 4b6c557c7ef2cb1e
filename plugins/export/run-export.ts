import { eachAtOnce } from './concurrency.ts'
import type { ExportReport } from './export-report.ts'
import { type ExportRun, isYielding, type RunDeps, type RunOptions } from './export-run.ts'
import { requireUnchanged } from './foreign-files.ts'
import { writeGroups } from './groups.ts'
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
import { listParts, type PartRow } from './repository/export.ts'
import { listPresentParts, removeClaimed, removeFiles, removePart, removeStalePosts } from './stale.ts'
import { hashOf } from './surfaces.ts'
import { type ExportTarget, unownedFile } from './target.ts'
import { createWriter } from './writer.ts'

/** How a step of a run ended. `report` is null when it gave way. */
export interface EndedRun {
  report: Omit<ExportReport, 'removed' | 'duration_ms'> | null
  removed: number
}

/** Brings a target up to date: what must go goes first, the manifest comes last. To be called with the lease. */
export async function runExport(deps: RunDeps, options: RunOptions): Promise<EndedRun> {
  const { run, manifest, etag } = await openRun(deps, options)
  await removeFiles(run, run.leftOver ?? [])
  // With the lease, only this run writes there.
  if (run.marker.isInterrupted && isFirstStep(run)) await run.target.store.clean('', { isOnlyWriter: true })
  const { parts, gone } = await writeParts(run, manifest)
  if (run.done.isYielding) return { report: null, removed: run.done.removed }
  const { groups, gone: goneGroups } = await writeGroups(run, manifest)
  if (run.done.isYielding) return { report: null, removed: run.done.removed }
  const files = await writeLists(run, manifest, parts)
  const bytes = await saveManifest(run, { files, parts, groups }, { manifest, etag })
  // Not before: until then the manifest names them.
  for (const part of gone) await removePart(run, part)
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
  const marker = await readMarker(target.store)
  const { manifest, etag } = await readManifest(target.store)
  const known = new Set(manifest === null ? [] : [manifestPath, ...manifest.files.map(({ path }) => path)])
  // Without its manifest a marked target is all the export's.
  if (!marker.isMarked || manifest !== null)
    await requireEmpty(deps, target, path => known.has(path) || marker.hasClaimed(path))
  const writer = createWriter({ target, marker, isForced, distrusted })
  const origin = await deps.surfaces.origin()
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

interface WrittenParts {
  parts: PartEntry[]
  /** Those without a post now. */
  gone: number[]
}

/** Writes the parts that differ. Those that the manifest describes as they should be are not looked at. */
async function writeParts(run: ExportRun, manifest: Manifest | null): Promise<WrittenParts> {
  const wanted = await listWanted(run)
  const before = new Map(manifest?.parts.map(entry => [entry.part, entry]))
  const isInterrupted = run.marker.isInterrupted || manifest === null
  const present = isInterrupted ? await listPresentParts(run) : [...before.keys()]
  const keep = new Map(
    wanted.flatMap(({ part, fingerprint }) => {
      const known = run.isTrusted || run.isUrgent ? before.get(part) : undefined
      const entry = [run.written.parts.get(part), known].find(each => each?.fingerprint === fingerprint)
      return entry === undefined ? [] : [[part, entry]]
    })
  )
  for (const part of present) if (!keep.has(part)) await removeStalePosts(run, part)
  if (run.marker.isInterrupted) await removeClaimed(run)
  const parts: PartEntry[] = []
  for (const row of wanted) {
    run.onProgress?.(run.done.posts)
    if (await isYielding(run)) break
    const unchanged = keep.get(row.part)
    if (run.written.parts.has(row.part)) run.done.posts += unchanged?.posts ?? 0
    const entry = unchanged ?? (await writePart(run, row, before.has(row.part)))
    if (entry !== null) parts.push(entry)
  }
  const isWanted = new Set(wanted.map(({ part }) => part))
  return { parts, gone: run.isUrgent ? [] : present.filter(part => !isWanted.has(part)) }
}

/** The parts, with fingerprints that change with whatever their files show. */
async function listWanted({ db, surfaces }: ExportRun): Promise<PartRow[]> {
  const beside = await surfaces.besideParts(db)
  return (await listParts(db)).map(row => {
    const text = beside.get(row.part)
    return text === undefined ? row : { ...row, fingerprint: hashOf(`${row.fingerprint} ${text}`) }
  })
}

/** Lists in memory together: each may have some hundred kilobytes. */
const listsAtOnce = 16

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
    parts: parts.map(({ part, posts }) => ({ part, posts }))
  }
  const files: ManifestFile[] = []
  const isLost = run.marker.isMarked && manifest === null
  const claimed: string[] = []
  let batch: ExportFile[] = []
  const writeBatch = async () => {
    const unknown = batch.filter(({ path }) => !before.has(path)).map(({ path }) => path)
    if (unknown.length > 0 && !isLost) await run.marker.claim([...claimed, ...unknown])
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
