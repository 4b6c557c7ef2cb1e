import path from 'node:path'
import type { FindImage, LocalImage } from '../source-post.ts'
import type { ImageFiles } from './image-folder.ts'

/** Where Hugo, Jekyll, Astro and others keep what pages name by `/…`. */
const publicFolders = ['', 'static', 'public', 'assets', 'source', 'src', 'content']

/** Pictures of a folder of markdown: beside the file, or below one of the folders that the site publishes. */
export const markdownImages =
  (files: readonly ImageFiles[]): FindImage =>
  async (address, { id }) => {
    const named = pathOf(address)
    if (named === null) return null
    // As Astro abbreviates its folder of sources.
    const relative = named.replace(/^[@~]\/?/, '').replace(/^(?:\.{0,2}\/)+/, '')
    const beside = named.startsWith('/') ? [] : [path.posix.join(path.posix.dirname(id), named)]
    return firstFound(files, [...beside, ...publicFolders.map(folder => path.posix.join(folder, relative))])
  }

/** Pictures that were uploaded, by the last part of their addresses: `content/images/…`, `wp-content/uploads/…`. */
export const uploadedImages =
  (files: readonly ImageFiles[], folder: string, sizes: RegExp): FindImage =>
  async address => {
    const named = pathOf(address)
    const at = named?.indexOf(`/${folder}/`) ?? -1
    if (named === null || at === -1) return null
    const below = named.slice(at + folder.length + 2)
    const ends = folder.split('/').map((_, index, parts) => parts.slice(index).join('/'))
    // As it is shown, or else the picture that was made smaller.
    const names = [...new Set([below, below.replace(sizes, '')])]
    return firstFound(
      files,
      names.flatMap(name => [...ends.map(end => `${end}/${name}`), name])
    )
  }

async function firstFound(files: readonly ImageFiles[], names: readonly string[]): Promise<LocalImage | null> {
  for (const name of new Set(names)) {
    for (const each of files) {
      const found = await each.find(name)
      if (found !== null) return found
    }
  }
  return null
}

/** Decoded, without query; null for an address that has no path. */
function pathOf(address: string): string | null {
  const [written = ''] = (URL.parse(address)?.pathname ?? address).split(/[?#]/)
  try {
    return written === '' ? null : decodeURIComponent(written)
  } catch {
    return written
  }
}
