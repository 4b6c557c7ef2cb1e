import type { FileStore } from '#plugins/storage'
import type { ExportStep } from './export-step.ts'
import {
  firstAgain,
  type GroupFile,
  type GroupFileEntry,
  groupPath,
  isRetryDue,
  type Manifest,
  type ManifestFile,
  manifestPath,
  type PartEntry,
  type PartManifest,
  partManifestPath,
  readGroupFile,
  readPartManifest
} from './manifest.ts'
import { hashOf, isPathOfPost } from './surfaces.ts'
import { unknownPath } from './target.ts'
import { requireUnchanged } from './unowned-files.ts'

/** @throws UnavailableError where it names another file than one of its posts: the export would remove that file one day */
export async function readCheckedPartManifest(store: FileStore, part: number): Promise<PartManifest | null> {
  const found = await readPartManifest(store, part)
  for (const { slug, files } of found?.posts ?? [])
    for (const { path } of files) if (!isPathOfPost(path, slug)) throw unknownPath(store, path, partManifestPath(part))
  return found
}

export async function savePartManifest(step: ExportStep, part: number, content: PartManifest): Promise<PartEntry> {
  const bytes = bytesOf(content)
  const etag = await save(step, partManifestPath(part), bytes)
  return { ...entryOf(part, content, bytes), etag }
}

const bytesOf = (content: object): Buffer => Buffer.from(JSON.stringify(content))

/** How the manifest names the manifest of a part. */
export function entryOf(part: number, content: PartManifest, bytes = bytesOf(content)): PartEntry {
  const { fingerprint, posts } = content
  const files = [...content.files, ...posts.flatMap(post => post.files)]
  return { ...measure(partManifestPath(part), bytes, files), part, posts: posts.length, fingerprint }
}

/** @throws UnavailableError where it names another file than one of a group */
export async function readCheckedGroups(
  {
    target: { store },
    surfaces
  }: { target: Pick<ExportStep['target'], 'store'>; surfaces: Pick<ExportStep['surfaces'], 'isPathOfGroup'> },
  number: number
): Promise<GroupFile | null> {
  const found = await readGroupFile(store, number)
  for (const { files } of found?.groups ?? [])
    for (const { path } of files) if (!surfaces.isPathOfGroup(path)) throw unknownPath(store, path, groupPath(number))
  return found
}

export async function saveGroups(
  step: ExportStep,
  { number, fingerprint }: Pick<GroupFileEntry, 'number' | 'fingerprint'>,
  content: GroupFile
): Promise<GroupFileEntry> {
  const path = groupPath(number)
  const files = content.groups.flatMap(group => group.files)
  const bytes = bytesOf(content)
  const etag = await save(step, path, bytes)
  return { ...measure(path, bytes, files), number, fingerprint, etag }
}

/** Writes the manifest, if anything differs. @returns its size */
export async function saveManifest(
  step: ExportStep,
  { origin, files, parts, groups }: Pick<Manifest, 'origin' | 'files' | 'parts' | 'groups'>
): Promise<number> {
  const { manifest, manifestEtag, version, target } = step
  const posts = parts.reduce((sum, part) => sum + part.posts, 0)
  const exporter = await step.exporter.establishKey()
  const facts = {
    format: 2,
    version,
    base_url: step.baseUrl(),
    origin,
    ...(exporter === undefined ? {} : { exporter })
  }
  const textAt = (generated_at: string) => JSON.stringify({ ...facts, generated_at, posts, files, parts, groups })
  const before = JSON.stringify(manifest)
  if (manifest !== null && before === textAt(manifest.generated_at) && !step.mustRewrite(manifestPath))
    return Buffer.byteLength(before)
  const bytes = Buffer.from(textAt(step.now().toISOString()))
  // Where the store knows conditional writes, the manifest of another database's export is not overwritten.
  await requireUnchanged(target.store, manifestPath, manifestEtag)
  const options = { type: 'application/json', cacheControl: 'no-cache', ifMatch: manifestEtag }
  await target.store.put(manifestPath, bytes, options)
  return bytes.length
}

function measure(path: string, bytes: Buffer, files: readonly ManifestFile[]) {
  const unfinished_count = countUnfinished(files)
  return {
    path,
    bytes: bytes.length,
    sha256: hashOf(bytes),
    file_count: files.length,
    file_bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(unfinished_count === 0 ? {} : { unfinished_count, ...firstAgain(files) })
  }
}

/** The entries that a full step skips where their fingerprints are equal. */
export const trustedOf = <Entry extends PartEntry | GroupFileEntry>(
  { isManifestTrusted, now }: ExportStep,
  entries: readonly Entry[] = []
): Entry[] => (isManifestTrusted ? entries.filter(entry => !isRetryDue(entry, now())) : [])

export const countUnfinished = (files: readonly ManifestFile[]): number =>
  files.filter(({ unfinished }) => unfinished !== undefined).length

async function save(step: ExportStep, path: string, bytes: Buffer): Promise<string> {
  const { etag } = await step.target.store.put(path, bytes, { type: 'application/json', isDurable: false })
  return etag
}
