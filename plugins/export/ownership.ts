import { UnavailableError } from '#core'
import type { ExportFolder } from './folder.ts'
import { type Manifest, manifestPath, readManifest } from './manifest.ts'

/** Marks a folder as an export's, and lists the posts' files that were begun since its manifest was written. */
const marker = '.galley-export'

/** What becomes a file name is checked where it does, whatever the database or a manifest holds. */
const safeSlug = /^(?!index$)[a-z0-9]+(?:-[a-z0-9]+)*$/
export const isSafeSlug = (slug: string): boolean => safeSlug.test(slug)

const isPostPath = (path: string): boolean => /^posts\/(.+)\.json$/.test(path) && isSafeSlug(path.slice(6, -5))

/** Beside the posts' own. */
export const listPaths = ['posts/index.json', 'categories.json', 'tags.json', 'feed.xml', 'feed.json', 'sitemap.xml']

/** The posts' files of a folder that this export wrote. It removes and replaces no other. */
export interface Owned {
  has(path: string): boolean
  /** Notes files before they are first written. @throws UnavailableError when one is there that another program wrote. */
  claim(paths: readonly string[]): Promise<void>
}

/**
 * Reads whose files are in a folder.
 * @throws UnavailableError for a folder with files of an export's names that no export wrote, and for a manifest that names
 *   anything but an export's files.
 */
export async function readOwned(folder: ExportFolder): Promise<Owned> {
  const manifest = await readManifest(folder)
  if (manifest !== null) refuseForeignPaths(folder, manifest)
  const begun = await folder.read(marker)
  if (begun === null) await takeOver(folder, manifest)
  // Without its manifest nobody can tell whose a file is, and the folder was the export's.
  const isShared = !folder.isOwn && (manifest !== null || begun === null)
  const paths = new Set(pathsOf(manifest, begun))
  /** Whose the files are that are there already: a rebuild lets other exports of the folder have their turn. */
  const refuseOthers = async (present: readonly string[]) => {
    if (present.length === 0) return
    for (const path of pathsOf(await readManifest(folder), await folder.read(marker))) paths.add(path)
    const other = present.find(path => !paths.has(path))
    if (other !== undefined) throw foreign(folder, other)
  }
  return {
    has: path => paths.has(path),
    async claim(wanted) {
      const unknown = wanted.filter(path => !paths.has(path))
      if (isShared) await refuseOthers(await existing(folder, unknown))
      const fresh = unknown.filter(path => !paths.has(path))
      if (fresh.length === 0) return
      await folder.append(marker, fresh.map(path => `${path}\n`).join(''))
      for (const path of fresh) paths.add(path)
    }
  }
}

const pathsOf = (manifest: Manifest | null, begun: string | null): string[] => [
  ...(manifest?.posts ?? []).map(({ path }) => path).filter(isPostPath),
  ...linesOf(begun ?? '')
]

async function existing(folder: ExportFolder, paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(path => folder.exists(path)))
  return paths.filter((_, index) => found[index])
}

/** The manifest names all that was begun. */
export async function forgetBegun(folder: ExportFolder): Promise<void> {
  await folder.write(marker, [''])
}

function refuseForeignPaths({ root }: ExportFolder, { files, posts }: Manifest): void {
  const wrong = posts.find(({ path }) => !isPostPath(path)) ?? files.find(({ path }) => !listPaths.includes(path))
  if (wrong === undefined) return
  throw new UnavailableError(
    `${manifestPath} in the export folder ${root} names ${JSON.stringify(wrong.path.slice(0, 200))}, which no export writes: nothing was changed. Remove ${manifestPath} if the folder is to be used, or set export_target.`
  )
}

/** A folder without a marker is an export's when it has an export's manifest, or nothing that one writes. */
async function takeOver(folder: ExportFolder, manifest: Manifest | null): Promise<void> {
  if (manifest === null && !folder.isOwn) {
    for (const path of [manifestPath, ...listPaths]) if (await folder.exists(path)) throw foreign(folder, path)
  }
  await folder.write(marker, [''])
}

const foreign = ({ root }: ExportFolder, path: string) =>
  new UnavailableError(
    `The export folder ${root} has a file ${path} that no export wrote: nothing was changed. Move it away, or set export_target to an empty folder.`
  )

/** A last line that was cut by a crash names no file that was begun. */
const linesOf = (text: string): string[] => text.split('\n').slice(0, -1).filter(isPostPath)
