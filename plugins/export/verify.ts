import { createHash } from 'node:crypto'
import { forEachAsync } from '#concurrency'
import type { ListedFile } from '#plugins/storage'
import type { StepDeps } from './export-step.ts'
import { groupNumber } from './groups.ts'
import {
  groupPath,
  type Manifest,
  type ManifestFile,
  manifestPath,
  maxPostBytes,
  type PostEntry,
  partManifestPath,
  readManifest,
  readTargetText
} from './manifest.ts'
import { readCheckedGroups, readCheckedPartManifest } from './manifest-files.ts'
import { readMarker } from './marker.ts'
import { readOrigin } from './origin.ts'
import { contentKeyOf } from './part-work.ts'
import { createPublicLists } from './public-lists.ts'
import { listParts, listPostsOfPart, listPublicSlugs } from './repository/export.ts'
import { readDependencies } from './repository/shown.ts'
import { slugIn } from './surfaces.ts'
import type { ExportTarget } from './target.ts'
import type { MustYield } from './yield-check.ts'

/**
 * What is wrong with a file. `withdrawn`: its post is not public. `left over`: an earlier export wrote it, and no manifest names
 * it. `outdated`: it shows posts as they were before a change; the manifest: all was written with other settings.
 * `unfinished`: a part of it was missing when it was made. `of others`: an unowned file at the path of a post's file.
 */
export type Fault = 'missing' | 'altered' | 'left over' | 'withdrawn' | 'outdated' | 'unfinished' | 'of others'

/** What a verification found. */
export interface Verified {
  target: string
  files: number
  /** How many files have a fault; `items` has at most a thousand of them. */
  findings: number
  /** How many of them writing what waits does not mend. */
  persistent: number
  items: { path: string; fault: Fault }[]
  /** How many fewer there are than before the repair. */
  repaired: number
  /** All files at fault that have to be written again. */
  paths: string[]
  /** All files at fault that have to be removed. */
  removable: string[]
}

const maxItems = 1000
/** Files with names of posts or of list pages that no manifest names: so many are read, to find out whether an export wrote them. */
const maxUnknownFiles = 20_000
const checkedAtOnce = 16
const askEveryMs = 250

interface Findings {
  add(path: string, fault: Fault): void
  has(path: string): boolean
}

interface VerificationOptions {
  signal: AbortSignal
  onProgress: ((files: number) => void) | undefined
  /** Asked between files: the verification then ends early. */
  mustYield: MustYield
}

/** Compares a target with its manifests, and those with what is public. It changes nothing. Null when it yielded. @throws OtherExporterError */
export async function verifyTarget(
  deps: StepDeps,
  target: ExportTarget,
  { signal, onProgress, mustYield }: VerificationOptions
): Promise<Verified | null> {
  const faults = new Map<string, Fault>()
  const findings: Findings = { add: (path, fault) => void faults.set(path, fault), has: path => faults.has(path) }
  const expected = await expectedFiles(deps, target, { findings, mustYield })
  if (expected === null) return null
  const unknownFiles: string[] = []
  const missing = new Set(expected.keys())
  let compared = 0
  for await (const file of target.store.list('')) {
    signal.throwIfAborted()
    if (await mustYield(askEveryMs)) return null
    const known = expected.get(file.key)
    missing.delete(file.key)
    if (known === undefined && unknownFiles.length < maxUnknownFiles && mayBeOurs(deps, file))
      unknownFiles.push(file.key)
    if (known === undefined || faults.has(file.key)) continue
    onProgress?.(++compared)
    if (await isAltered(target, file, known)) findings.add(file.key, 'altered')
    else if (known.unfinished !== undefined) findings.add(file.key, 'unfinished')
  }
  for (const path of missing) if (!faults.has(path) || faults.get(path) === 'outdated') findings.add(path, 'missing')
  for (const path of missing) if (faults.get(path) === 'withdrawn') faults.delete(path)
  if (!(await checkUnknownFiles(deps, target, { paths: unknownFiles, findings, signal, mustYield }))) return null
  return verifiedOf(target, expected, faults)
}

function verifiedOf(
  { store }: ExportTarget,
  expected: ReadonlyMap<string, unknown>,
  faults: ReadonlyMap<string, Fault>
): Verified {
  const all = [...faults].map(([path, fault]) => ({ path, fault }))
  const isRemovable = ({ fault }: { fault: Fault }) => fault === 'left over' || fault === 'withdrawn'
  return {
    target: store.name,
    files: expected.size,
    findings: all.length,
    persistent: all.filter(({ path, fault }) => isPersistent(fault, expected.has(path))).length,
    items: all.slice(0, maxItems),
    repaired: 0,
    paths: all.filter(each => !isRemovable(each) && each.fault !== 'of others').map(({ path }) => path),
    removable: all.filter(isRemovable).map(({ path }) => path)
  }
}

/** Whether a refresh leaves it as it is. It goes by the manifest: what that says is right is not looked at. */
function isPersistent(fault: Fault, isInManifest: boolean): boolean {
  if (fault === 'missing') return isInManifest
  if (fault === 'left over' || fault === 'withdrawn') return !isInManifest
  return fault === 'altered' || fault === 'of others' || fault === 'unfinished'
}

interface Look {
  findings: Findings
  mustYield: MustYield
}

/** The files that the manifests name. The files of public posts that they do not name are missing. Null when it yielded. */
async function expectedFiles(
  { db, surfaces, published, exporter }: StepDeps,
  target: ExportTarget,
  { findings, mustYield }: Look
): Promise<Map<string, ManifestFile> | null> {
  const { store } = target
  const [{ manifest }, marker, origin] = await Promise.all([
    readManifest(store),
    readMarker(store),
    readOrigin({ db, surfaces })
  ])
  await exporter.requireOwn(target, marker.exporter ?? manifest?.exporter)
  const expected = new Map<string, ManifestFile>()
  if (manifest === null) findings.add(manifestPath, 'missing')
  else if (manifest.origin !== origin) findings.add(manifestPath, 'outdated')
  for (const file of [...(manifest?.files ?? []), ...(manifest?.parts ?? [])]) expected.set(file.path, file)
  const wanted = await listParts(db)
  const parts = new Set([...(manifest?.parts ?? []).map(({ part }) => part), ...wanted.map(({ part }) => part)])
  await expectGroups({ db, surfaces, published, store }, manifest, { expected, findings })
  for (const part of parts) {
    if (await mustYield(askEveryMs)) return null
    const found = await readCheckedPartManifest(store, part)
    if (found === null) findings.add(partManifestPath(part), 'missing')
    for (const entry of found?.posts ?? []) for (const file of entry.files) expected.set(file.path, file)
    await comparePosts({ db, surfaces }, part, { entries: found?.posts ?? [], findings })
    for (const file of found?.files ?? []) expected.set(file.path, file)
  }
  return expected
}

/** Adds the files of groups. Those of groups that no surface has now are left over. */
async function expectGroups(
  { db, surfaces, published, store }: Pick<StepDeps, 'db' | 'surfaces' | 'published'> & Pick<ExportTarget, 'store'>,
  manifest: Manifest | null,
  { expected, findings }: { expected: Map<string, ManifestFile>; findings: Findings }
): Promise<void> {
  const lists = createPublicLists(published, db)
  const sets = await surfaces.groupsOf(db, lists, await surfaces.groupSets(db, lists))
  const wanted = new Map(
    [...sets].flatMap(([set, groups]) => groups.map(({ name, fingerprint }) => [name, { set, fingerprint }]))
  )
  for (const entry of manifest?.groups ?? []) {
    expected.set(entry.path, entry)
    const found = await readCheckedGroups({ target: { store }, surfaces }, entry.number)
    if (found === null) findings.add(entry.path, 'missing')
    for (const { name, fingerprint, files } of found?.groups ?? []) {
      for (const file of files) expected.set(file.path, file)
      if (!wanted.has(name)) for (const { path } of files) findings.add(path, 'left over')
      else if (wanted.get(name)?.fingerprint !== fingerprint)
        for (const { path } of files) findings.add(path, 'outdated')
      wanted.delete(name)
    }
  }
  for (const { set } of wanted.values()) findings.add(groupPath(groupNumber(set.name)), 'missing')
}

/** Compares the posts that the manifest of a part names with those that are public, and what their files show. */
async function comparePosts(
  { db, surfaces }: Pick<StepDeps, 'db' | 'surfaces'>,
  part: number,
  { entries, findings }: { entries: readonly PostEntry[]; findings: Findings }
): Promise<void> {
  const named = new Map(entries.map(entry => [entry.post_id, entry]))
  const dependencies = await readDependencies(db, part)
  for (const { post_id, post_no, slug, revision } of await listPostsOfPart(db, part)) {
    const entry = named.get(post_id)
    if (entry?.slug !== slug) {
      for (const path of surfaces.pathsOf(slug)) findings.add(path, 'missing')
      continue
    }
    named.delete(post_id)
    const isOutdated = contentKeyOf(entry) !== contentKeyOf({ slug, revision, dependencies: dependencies.get(post_no) })
    if (isOutdated) for (const path of outdatedOf(surfaces, entry, revision)) findings.add(path, 'outdated')
  }
  for (const { files } of named.values()) for (const { path } of files) findings.add(path, 'withdrawn')
}

/** The files of an outdated post: where it is as it was, those that show other posts. */
const outdatedOf = (surfaces: StepDeps['surfaces'], entry: PostEntry, revision: number): string[] =>
  entry.revision !== revision
    ? entry.files.map(({ path }) => path)
    : surfaces.all().flatMap(({ dependencies, postPaths }) => (dependencies?.() ? postPaths(entry.slug) : []))

/** In an object storage the ETag of the listing says so. A file of a folder is read, whatever its time of change. */
async function isAltered(
  { store }: ExportTarget,
  { key, bytes, etag }: ListedFile,
  known: ManifestFile
): Promise<boolean> {
  if (bytes !== known.bytes) return true
  if (etag !== null && etag === known.etag) return false
  const file = await store.get(key)
  if (file === null) return true
  const hash = createHash('sha256')
  for await (const piece of file.read()) hash.update(piece)
  return hash.digest('hex') !== known.sha256
}

/** Files with names of posts or of list pages that no manifest names: of an export, or unowned. False when it yielded. */
async function checkUnknownFiles(
  { db, surfaces }: StepDeps,
  { store }: ExportTarget,
  { paths, findings, signal, mustYield }: Look & { paths: readonly string[]; signal: AbortSignal }
): Promise<boolean> {
  const marker = await readMarker(store)
  const isPublic = await listPublicSlugs(
    db,
    paths.flatMap(path => slugIn(path) ?? [])
  )
  const isOfWithdrawn = (slug: string | null) => slug !== null && !isPublic.has(slug)
  let judged = 0
  const judge = async (path: string) => {
    if (await mustYield(askEveryMs)) return
    judged += 1
    const text = (await readTargetText(store, path, maxPostBytes))?.text ?? ''
    const isOurs = marker.hasClaimed(path) ? surfaces.isClaimedOwn(path, text) : surfaces.isOwn(path, text)
    // One that a manifest should name is written again, unless it is unowned.
    if (findings.has(path)) findings.add(path, isOurs ? 'altered' : 'of others')
    else if (isOurs) findings.add(path, isOfWithdrawn(slugIn(path)) ? 'withdrawn' : 'left over')
  }
  await forEachAsync(paths, judge, { concurrency: checkedAtOnce, signal })
  return judged === paths.length
}

const mayBeOurs = ({ surfaces }: StepDeps, { key, bytes }: ListedFile): boolean =>
  bytes <= maxPostBytes && (slugIn(key) !== null || surfaces.isPathOfGroup(key))
