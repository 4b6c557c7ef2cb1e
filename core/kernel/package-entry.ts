import { readFileSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The file that `import '<specifier>'` loads for code in `folder`; null when no such package is installed there.
 * `import.meta.resolve` answers for this file's own folder only, and `require.resolve` fails on packages that export
 * nothing but an `import` condition.
 */
export function findPackageEntry(specifier: string, folder: string): string | null {
  const from = path.join(folder, 'plugins.config.json')
  try {
    const manifest = findPackageJSON(specifier, from)
    return (manifest && exportedFile(manifest, specifier)) ?? createRequire(from).resolve(specifier)
  } catch {
    return null
  }
}

/** The `package.json` of the package a file is in, if any: without one Node.js answers with a folder. */
export function findManifest(file: string): string | undefined {
  const found = findPackageJSON('.', pathToFileURL(file))
  return found !== undefined && path.basename(found) === 'package.json' ? found : undefined
}

function exportedFile(manifest: string, specifier: string): string | null {
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: unknown }
  const rest = specifier.split('/').slice(specifier.startsWith('@') ? 2 : 1)
  const subpath = ['.', ...rest].join('/')
  const target = targetOf(isSubpathMap(exports) ? exports[subpath] : subpath === '.' ? exports : undefined)
  return target === null ? null : path.resolve(path.dirname(manifest), target)
}

const isSubpathMap = (exports: unknown): exports is Record<string, unknown> =>
  typeof exports === 'object' && exports !== null && Object.keys(exports).some(key => key.startsWith('.'))

/** Conditions that Node meets for an import; the first one in the package's own order counts. */
const conditions = new Set(['node-addons', 'node', 'import', 'module-sync', 'default'])

function targetOf(entry: unknown): string | null {
  if (typeof entry === 'string') return entry
  if (typeof entry !== 'object' || entry === null) return null
  for (const [condition, value] of Object.entries(entry)) {
    const target = conditions.has(condition) ? targetOf(value) : null
    if (target !== null) return target
  }
  return null
}
