import { UnavailableError } from '#core'
import type { ExportFolder } from './folder.ts'
import { type Manifest, manifestPath, readManifest } from './manifest.ts'

/** Marks a folder as an export. Lists the post files claimed since the manifest was written. */
const marker = '.galley-export'

/** A slug is checked where it becomes a file name, whatever the database or a manifest contains. */
const safeSlug = /^(?!index$)[a-z0-9]+(?:-[a-z0-9]+)*$/
export const isSafeSlug = (slug: string): boolean => safeSlug.test(slug)

const isPostPath = (path: string): boolean => /^posts\/(.+)\.json$/.test(path) && isSafeSlug(path.slice(6, -5))

/** The files of an export besides the posts'. */
const listPaths = ['posts/index.json', 'categories.json', 'tags.json', 'feed.xml', 'feed.json', 'sitemap.xml']

/** The post files that this export wrote. It removes and replaces no others. */
export interface Owned {
  has(path: string): boolean
  /** Records files before they are first written. @throws UnavailableError when another program wrote one of them */
  claim(paths: readonly string[]): Promise<void>
}

/**
 * Reads which files of a folder an export wrote.
 * @throws UnavailableError when the folder has files with an export's names that no export wrote, or a manifest that names
 *   other files.
 */
export async function readOwned(folder: ExportFolder): Promise<Owned> {
  const manifest = await readManifest(folder)
  if (manifest !== null) refuseUnknownPaths(folder, manifest)
  const claimed = await folder.read(marker)
  if (claimed === null) await claimFolder(folder, manifest)
  // A marked folder without a manifest is the export's own: its files may be replaced.
  const isShared = !folder.isOwn && (manifest !== null || claimed === null)
  const paths = new Set(pathsOf(manifest, claimed))
  /** Reads the owners again: during a rebuild another export may have written to the folder. */
  const refuseUnowned = async (present: readonly string[]) => {
    if (present.length === 0) return
    // The marker first: it is cleared once the manifest names what it listed.
    const listed = await folder.read(marker)
    for (const path of pathsOf(await readManifest(folder), listed)) paths.add(path)
    const other = present.find(path => !paths.has(path))
    if (other !== undefined) throw unownedFile(folder, other)
  }
  return {
    has: path => paths.has(path),
    async claim(wanted) {
      const unknown = wanted.filter(path => !paths.has(path))
      if (isShared) await refuseUnowned(await existing(folder, unknown))
      const fresh = unknown.filter(path => !paths.has(path))
      if (fresh.length === 0) return
      await folder.append(marker, fresh.map(path => `${path}\n`).join(''))
      for (const path of fresh) paths.add(path)
    }
  }
}

const pathsOf = (manifest: Manifest | null, claimed: string | null): string[] => [
  ...(manifest?.posts ?? []).map(({ path }) => path).filter(isPostPath),
  ...linesOf(claimed ?? '')
]

async function existing(folder: ExportFolder, paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(path => folder.exists(path)))
  return paths.filter((_, index) => found[index])
}

/** To be called once the manifest names every claimed file. */
export async function clearMarker(folder: ExportFolder): Promise<void> {
  await folder.write(marker, [''])
}

function refuseUnknownPaths({ root }: ExportFolder, { files, posts }: Manifest): void {
  const wrong = posts.find(({ path }) => !isPostPath(path)) ?? files.find(({ path }) => !listPaths.includes(path))
  if (wrong === undefined) return
  throw new UnavailableError(
    `${manifestPath} in the export folder ${root} names ${JSON.stringify(wrong.path.slice(0, 200))}, which no export writes: nothing was changed. Remove ${manifestPath} if the folder is to be used, or set export_target.`
  )
}

/** Accepts a folder without a marker if it has a manifest, or no file with the name of an export's. */
async function claimFolder(folder: ExportFolder, manifest: Manifest | null): Promise<void> {
  if (manifest === null && !folder.isOwn) {
    for (const path of [manifestPath, ...listPaths]) if (await isUnowned(folder, path)) throw unownedFile(folder, path)
  }
  // Appended: another export that began meanwhile may have listed its first files already.
  await folder.append(marker, '')
}

/** An export marks a folder before it writes there: another may have begun since this one looked. */
const isUnowned = async (folder: ExportFolder, path: string): Promise<boolean> =>
  (await folder.exists(path)) && (await folder.read(marker)) === null

const unownedFile = ({ root }: ExportFolder, path: string) =>
  new UnavailableError(
    `The export folder ${root} has a file ${path} that no export wrote: nothing was changed. Move it away, or set export_target to an empty folder.`
  )

/** A last line without line end was cut by a crash, and its file was not written. */
const linesOf = (text: string): string[] => text.split('\n').slice(0, -1).filter(isPostPath)
