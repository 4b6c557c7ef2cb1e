import { createHash } from 'node:crypto'
import type { Post } from '#plugins/posts'
import type { ExportFile, ExportSurface } from './index.ts'

/** A slug is checked where it becomes a file name, whatever the database or a manifest contains. */
const safeSlug = /^(?!index$)[a-z0-9]+(?:-[a-z0-9]+)*$/
export const isSafeSlug = (slug: string): boolean => slug.length <= 200 && safeSlug.test(slug)

/** Whether a path is a post's: `posts/{slug}.json`, or below `posts/{slug}/`. No other file is ever removed as one. */
export const isPathOfPost = (path: string, slug: string): boolean =>
  isSafeSlug(slug) && (path === `posts/${slug}.json` || (path.startsWith(`posts/${slug}/`) && !path.includes('..')))

/** All that plugins have in the export. */
export interface Surfaces {
  add(surface: ExportSurface): void
  all(): readonly ExportSurface[]
  /** Changes with what all files depend on besides the posts. */
  origin(): string
  pathsOf(slug: string): string[]
  filesOf(post: Post): Promise<ExportFile[]>
}

export function createSurfaces(): Surfaces {
  const surfaces = new Map<string, ExportSurface>()
  const all = () => [...surfaces.values()]
  const pathsOf = (slug: string) => all().flatMap(surface => surface.postPaths(slug))
  return {
    all,
    pathsOf,
    add(surface) {
      if (surfaces.has(surface.name)) throw new TypeError(`The export has a surface ${surface.name} already.`)
      surfaces.set(surface.name, surface)
    },
    origin: () => hashOf(JSON.stringify(all().map(surface => [surface.name, surface.key()]))),
    async filesOf(post) {
      const files = (await Promise.all(all().map(surface => surface.postFiles(post)))).flat()
      const paths = pathsOf(post.slug)
      const wrong = files.find(({ path }) => !paths.includes(path) || !isPathOfPost(path, post.slug))
      if (wrong === undefined) return files
      throw new TypeError(
        `A surface of the export has ${wrong.path} for the post ${post.slug}: its files are posts/${post.slug}.json and below posts/${post.slug}/, and postPaths names them.`
      )
    }
  }
}

export const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')
