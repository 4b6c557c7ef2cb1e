import { type Static, Type } from '#core'
import type { ExportFolder } from './folder.ts'

export const manifestPath = 'manifest.json'

const written = { path: Type.String(), bytes: Type.Integer(), sha256: Type.String() }
const PostFile = Type.Object({
  ...written,
  post_id: Type.String(),
  slug: Type.String(),
  revision: Type.Integer(),
  updated_at: Type.String()
})
/** The file of one post, and the revision it shows. */
export type PostFile = Static<typeof PostFile>

/** What every file depends on besides its post. When it differs, everything is written again. */
const origin = { format: Type.Literal(1), version: Type.String(), base_url: Type.String() }
export type ExportOrigin = Static<ReturnType<typeof Type.Object<typeof origin>>>

const Manifest = Type.Object({
  ...origin,
  generated_at: Type.String(),
  files: Type.Array(Type.Object(written)),
  posts: Type.Array(PostFile)
})
/** Every file of an export except the manifest, which is written last. */
export type Manifest = Static<typeof Manifest>

/** The posts' files by path, from the last export with the same origin. */
export async function exportedPosts(
  folder: ExportFolder,
  { version, base_url }: ExportOrigin
): Promise<Map<string, PostFile>> {
  const manifest = await readManifest(folder)
  const isSame = manifest?.version === version && manifest.base_url === base_url
  return new Map(isSame ? manifest.posts.map(file => [file.path, file]) : [])
}

/** The manifest; null when it is missing or has another format. */
export const readManifest = async (folder: ExportFolder): Promise<Manifest | null> =>
  parse(await folder.read(manifestPath))

async function parse(text: string | null): Promise<Manifest | null> {
  // Compiled, 10,000 posts are checked in 10 ms instead of 350. The import here keeps the start fast.
  const { Compile } = await import('typebox/compile')
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return Compile(Manifest).Check(value) ? value : null
  } catch {
    return null
  }
}
