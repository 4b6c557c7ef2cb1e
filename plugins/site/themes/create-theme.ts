import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import path from 'node:path'
import { errorCode, InputError } from '#core'

/** The example is what a new theme begins with. It is part of the package. */
const example = path.join(path.dirname(findPackageJSON(import.meta.url) ?? ''), 'examples', 'theme')
const exampleName = 'galley-theme-column'

/**
 * Writes a theme that works at once into a folder, which is new or empty.
 * @returns its name, that of the folder
 * @throws InputError
 */
export async function createTheme(folder: string): Promise<{ name: string; files: string[] }> {
  const name = nameOf(folder)
  if ((await entriesOf(folder)).length > 0) throw new InputError({ folder: `${folder} is not empty` })
  await mkdir(folder, { recursive: true })
  await cp(example, folder, { recursive: true, filter: source => path.basename(source) !== 'node_modules' })
  const manifest = path.join(folder, 'package.json')
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace(exampleName, name))
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  return { name, files: files.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name))).sort() }
}

/** As npm wants names of packages. */
function nameOf(folder: string): string {
  const name = path
    .basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (name === '') throw new InputError({ folder: `${folder} gives no name for a package: use letters` })
  return name.slice(0, maxNameLength)
}

const maxNameLength = 100

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    if (errorCode(error) === 'ENOTDIR') throw new InputError({ folder: `${folder} is a file` })
    throw error
  }
}
