import { findPackageJSON } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Folder of the code that runs: the package itself, or its `dist`. */
export const codeRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** The folders of the code. The build makes `bundled`: dependencies in few files. */
export const codeFolders = [
  'bundled',
  'child-process',
  'cli',
  'coalescing',
  'concurrency',
  'core',
  'files',
  'front-matter',
  'lists',
  'plugins',
  'requests',
  'testing',
  'text',
  'time'
] as const

/** Folder of the package: `package.json`, `migrations` and `plugins.config.json` are here. */
export const packageRoot = path.basename(codeRoot) === 'dist' ? path.dirname(codeRoot) : codeRoot

/** `.ts` when run from the sources, `.js` when compiled. */
export const codeExtension = path.extname(fileURLToPath(import.meta.url))

/** The `package.json` of the package a file is in, if any: without one Node.js returns a folder. */
export function findManifest(file: string): string | undefined {
  const found = findPackageJSON('.', pathToFileURL(file))
  return found !== undefined && path.basename(found) === 'package.json' ? found : undefined
}
