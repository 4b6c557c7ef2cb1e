import { type Static, Type } from '#core'
import type { FileStore } from '#plugins/storage'

/** It names every other file, or the manifest of a part or the file of groups that names it. Written last. */
export const manifestPath = 'manifest.json'
export const partManifestFolder = 'manifest/'
export const groupFolder = 'manifest/groups/'
export const groupPath = (number: number): string => `${groupFolder}${number}.json`
export const partManifestPath = (part: number): string => `${partManifestFolder}${part}.json`

const written = {
  path: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  /** From an object storage: where a listing has another, the object was altered. */
  etag: Type.Optional(Type.String())
}
const File = Type.Object({
  ...written,
  /** A part of it was missing, so many times. Absent: it is finished. */
  unfinished: Type.Optional(Type.Integer()),
  /** From when on a run makes it again. Absent: none does. */
  again_at: Type.Optional(Type.String())
})
/** A file as it was written. */
export type ManifestFile = Static<typeof File>

/** A file as it was written, of what changed since: how often it was unfinished does not count any more. */
export const ofChanged = ({ unfinished: _, again_at: __, ...file }: ManifestFile): ManifestFile => file

/** 1, 2, 4 … seconds: some 18 hours together. Then a file stays unfinished, until its post changes, `verify --fix` or `rebuild`. */
const maxUnfinished = 17

/** Notes that a file is unfinished once more. */
export function unfinishedAt(
  now: Date,
  before: ManifestFile | undefined
): Pick<ManifestFile, 'unfinished' | 'again_at'> {
  const unfinished = Math.min((before?.unfinished ?? 0) + 1, maxUnfinished)
  if (unfinished === maxUnfinished) return { unfinished }
  return { unfinished, again_at: new Date(now.getTime() + 1000 * 2 ** (unfinished - 1)).toISOString() }
}

/** When the first of these files is to be made again; absent: none is. */
export function firstAgain(files: readonly ManifestFile[]): { again_at?: string } {
  const times = files.flatMap(({ again_at }) => again_at ?? []).sort()
  return times[0] === undefined ? {} : { again_at: times[0] }
}

/** Whether it is time to make a file again, or one of those that an entry stands for. */
export const isRetryDue = ({ again_at }: { again_at?: string | undefined }, now: Date): boolean =>
  again_at !== undefined && again_at <= now.toISOString()

const PostEntry = Type.Object({
  post_id: Type.String(),
  slug: Type.String(),
  revision: Type.Integer(),
  /** Changes with what its files show of other posts; absent where they show none. */
  dependencies: Type.Optional(Type.String()),
  files: Type.Array(File)
})
/** The files of one post, and what they show. */
export type PostEntry = Static<typeof PostEntry>

const Part = Type.Object({
  format: Type.Literal(2),
  /** Changes with what its files show. Empty: it is unfinished, and the next full step does not skip it. */
  fingerprint: Type.String(),
  origin: Type.String(),
  files: Type.Array(File),
  posts: Type.Array(PostEntry)
})
/** The manifest of a part: the files of up to a thousand posts, and its list pages. */
export type PartManifest = Static<typeof Part>

const Group = Type.Object({ name: Type.String(), fingerprint: Type.String(), files: Type.Array(File) })
/** The files of a group, which show several posts. */
export type GroupEntry = Static<typeof Group>

const GroupFile = Type.Object({ format: Type.Literal(2), origin: Type.String(), groups: Type.Array(Group) })
/** Groups whose names have the same hash. */
export type GroupFile = Static<typeof GroupFile>

const GroupFileEntry = Type.Object({
  ...written,
  number: Type.Integer(),
  fingerprint: Type.String(),
  /** Of the files it names. */
  file_count: Type.Integer(),
  file_bytes: Type.Integer(),
  /** Those that are unfinished; absent: none. */
  unfinished_count: Type.Optional(Type.Integer()),
  /** When the first of them is to be made again. */
  again_at: Type.Optional(Type.String())
})
/** How the manifest names a file of groups. */
export type GroupFileEntry = Static<typeof GroupFileEntry>

const PartEntry = Type.Object({
  ...written,
  part: Type.Integer(),
  posts: Type.Integer(),
  fingerprint: Type.String(),
  /** Of the files it names. */
  file_count: Type.Integer(),
  file_bytes: Type.Integer(),
  /** Those that are unfinished; absent: none. */
  unfinished_count: Type.Optional(Type.Integer()),
  /** When the first of them is to be made again. */
  again_at: Type.Optional(Type.String())
})
/** How the manifest names the manifest of a part. */
export type PartEntry = Static<typeof PartEntry>

const Manifest = Type.Object({
  format: Type.Literal(2),
  version: Type.String(),
  base_url: Type.String(),
  /** What all files depend on besides their posts. When it differs, every file is made again. */
  origin: Type.String(),
  /** The database whose posts these are; absent where it is not known. */
  exporter: Type.Optional(Type.String()),
  generated_at: Type.String(),
  posts: Type.Integer(),
  files: Type.Array(File),
  parts: Type.Array(PartEntry),
  groups: Type.Array(GroupFileEntry)
})
export type Manifest = Static<typeof Manifest>

/** Compiled, a thousand posts are checked in a millisecond. The imports here keep the start fast. */
const compileManifest = async () => (await import('typebox/compile')).Compile(Manifest)
const compilePart = async () => (await import('typebox/compile')).Compile(Part)
const compileGroups = async () => (await import('typebox/compile')).Compile(GroupFile)
const compileAll = () => ({ manifest: compileManifest(), part: compilePart(), groups: compileGroups() })
let compiled: ReturnType<typeof compileAll> | undefined
function checks() {
  compiled ??= compileAll()
  return compiled
}

/** The manifest with its ETag; null when it is missing or has another format. */
export async function readManifest(store: FileStore): Promise<{ manifest: Manifest | null; etag: string | null }> {
  const found = await readTargetText(store, manifestPath)
  const value = parseJson(found?.text)
  return { manifest: (await checks().manifest).Check(value) ? value : null, etag: found?.etag ?? null }
}

/** The manifest of a part; null when it is missing or has another format. */
export async function readPartManifest(store: FileStore, part: number): Promise<PartManifest | null> {
  const value = parseJson((await readTargetText(store, partManifestPath(part)))?.text)
  return (await checks().part).Check(value) ? value : null
}

/** A file of groups; null when it is missing or has another format. */
export async function readGroupFile(store: FileStore, number: number): Promise<GroupFile | null> {
  const value = parseJson((await readTargetText(store, groupPath(number)))?.text)
  return (await checks().groups).Check(value) ? value : null
}

/** Null for a text that is not JSON. */
export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** Enough for a thousand posts with dozens of files each. */
const maxTextBytes = 64 * 1024 * 1024

/** No file of a post or of a list is larger. Several are in memory at the same time. */
export const maxPostBytes = 8 * 1024 * 1024

/** The text of a file; null where there is none. One with more than `maxBytes` is none of the export's, and reads as empty. */
export async function readTargetText(
  store: FileStore,
  path: string,
  maxBytes = maxTextBytes
): Promise<{ text: string; etag: string } | null> {
  const file = await store.get(path, { isWhole: true })
  if (file === null) return null
  try {
    if (file.bytes > maxBytes) return { text: '', etag: file.etag }
    const content = file.bytes === 0 ? Buffer.alloc(0) : await file.readRange({ start: 0, end: file.bytes - 1 })
    return { text: content.toString(), etag: file.etag }
  } finally {
    await file.close()
  }
}
