import { cp, readdir, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import path from 'node:path'
import { errorCode, InputError } from '#core'
import { makeFolders } from '#files/make-folders'

/** The example is what a new theme begins with. It is part of the package, but for its manifest: that would be a package in one. */
const example = path.join(path.dirname(findPackageJSON(import.meta.url) ?? ''), 'examples', 'theme')

/**
 * Writes a theme that works at once into a folder, which is new or empty.
 * @returns its name, that of the folder
 * @throws InputError
 */
export async function createTheme(folder: string): Promise<{ name: string; files: string[] }> {
  const name = nameOf(folder)
  if ((await entriesOf(folder)).length > 0) throw new InputError({ folder: `${folder} is not empty` })
  await makeFolders(folder)
  await cp(example, folder, { recursive: true, filter: source => path.basename(source) !== 'node_modules' })
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifestOf(name), null, 2)}\n`)
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  return { name, files: files.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name))).sort() }
}

export const manifestOf = (name: string) => ({
  name,
  version: '1.0.0',
  description: 'A theme for the site of galley: one column, titles first.',
  license: 'Apache-2.0',
  type: 'module',
  exports: './theme.js',
  files: ['theme.js', 'style.css', 'templates'],
  scripts: { test: 'node --test "test/*.test.js"' },
  peerDependencies: { galley: '>=0.1.0' }
})

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
