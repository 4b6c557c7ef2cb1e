import { type Static, Type } from 'typebox'
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
/** The file of one post, and which state of the post it shows. */
export type PostFile = Static<typeof PostFile>

/** What a post's file depends on beside the post: when it differs, every file is written anew. */
const origin = { format: Type.Literal(1), version: Type.String(), base_url: Type.String() }
export type Origin = Static<ReturnType<typeof Type.Object<typeof origin>>>

const Manifest = Type.Object({
  ...origin,
  generated_at: Type.String(),
  files: Type.Array(Type.Object(written)),
  posts: Type.Array(PostFile)
})
/** Every file of an export but the manifest itself, which is written last. */
export type Manifest = Static<typeof Manifest>

/** The posts' files by path, as the last export of the same origin left them. */
export async function knownPosts(folder: ExportFolder, { version, base_url }: Origin): Promise<Map<string, PostFile>> {
  const manifest = await readManifest(folder)
  const isSame = manifest?.version === version && manifest.base_url === base_url
  return new Map(isSame ? manifest.posts.map(file => [file.path, file]) : [])
}

/** The manifest; null when there is none, or none of this format. */
export const readManifest = async (folder: ExportFolder): Promise<Manifest | null> =>
  parse(await folder.read(manifestPath))

async function parse(text: string | null): Promise<Manifest | null> {
  // Compiled, ten thousand posts are checked in 10 ms rather than 350; loaded here, it does not slow the start.
  const { Compile } = await import('typebox/compile')
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return Compile(Manifest).Check(value) ? value : null
  } catch {
    return null
  }
}
