import { existsSync, readFileSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import path from 'node:path'
import { codeExtension, codeRoot, packageRoot } from '../paths.ts'

/** The file of a plugin that a configuration in `folder` names; null when there is none. */
export function fileOfEntry(entry: string, folder: string): string | null {
  if (!entry.startsWith('.') && !path.isAbsolute(entry)) return findPackageEntry(entry, folder)
  const target = path.resolve(folder, entry)
  const own = path.relative(path.join(packageRoot, 'plugins'), target)
  // Our own plugins run from the code that runs now: a second copy would have its own error classes and states.
  const isOwn = !own.startsWith('..') && !path.isAbsolute(own)
  const candidates = isOwn ? [ownPlugin(path.join('plugins', own))] : pluginFiles(target)
  const found = candidates.find(existsSync)
  if (found !== undefined || isOwn) return found ?? null
  // An operator's own folder names the built-in plugins as the package's configuration does.
  const builtIn = ownPlugin(path.normalize(entry))
  return existsSync(builtIn) ? builtIn : null
}

const ownPlugin = (relative: string): string => path.join(codeRoot, relative, `plugin${codeExtension}`)

const pluginFiles = (target: string): string[] =>
  /\.[cm]?[jt]s$/.test(target)
    ? [target]
    : ['js', 'mjs', 'ts'].map(extension => path.join(target, `plugin.${extension}`))

/**
 * The file that `import '<specifier>'` loads for code in `folder`; null when no such package is installed there.
 * `import.meta.resolve` resolves from this file's own folder only, and `require.resolve` fails on packages that export
 * nothing but an `import` condition.
 */
function findPackageEntry(specifier: string, folder: string): string | null {
  const from = path.join(folder, 'plugins.config.json')
  try {
    const manifest = findPackageJSON(specifier, from)
    return (manifest && exportedFile(manifest, specifier)) ?? createRequire(from).resolve(specifier)
  } catch {
    return null
  }
}

function exportedFile(manifest: string, specifier: string): string | null {
  const { exports }: { exports?: unknown } = JSON.parse(readFileSync(manifest, 'utf8'))
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
