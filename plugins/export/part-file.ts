import type { FileStore } from '#plugins/storage'
import type { ExportRun } from './export-run.ts'
import { type ManifestPart, type PartEntry, partPath, readPart } from './manifest.ts'
import { hashOf, isPathOfPost } from './surfaces.ts'
import { unknownPath } from './target.ts'

/** A part whose posts have only files that are a post's. @throws UnavailableError for another: it would be removed one day */
export async function readCheckedPart(store: FileStore, part: number): Promise<ManifestPart | null> {
  const found = await readPart(store, part)
  for (const { slug, files } of found?.posts ?? [])
    for (const { path } of files) if (!isPathOfPost(path, slug)) throw unknownPath(store, path, partPath(part))
  return found
}

export async function savePart(run: ExportRun, part: number, content: ManifestPart): Promise<PartEntry> {
  const bytes = Buffer.from(JSON.stringify(content))
  const { etag } = await run.target.store.put(partPath(part), bytes, { type: 'application/json', isDurable: false })
  return { ...entryOf(part, content), etag }
}

/** How the manifest names a part that is there. */
export function entryOf(part: number, content: ManifestPart): PartEntry {
  const text = JSON.stringify(content)
  const files = [...content.files, ...content.posts.flatMap(post => post.files)]
  return {
    path: partPath(part),
    bytes: Buffer.byteLength(text),
    sha256: hashOf(text),
    part,
    posts: content.posts.length,
    fingerprint: content.fingerprint,
    file_count: files.length,
    file_bytes: files.reduce((sum, { bytes }) => sum + bytes, 0)
  }
}
