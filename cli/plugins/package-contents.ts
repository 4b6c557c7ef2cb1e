import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findManifest } from '../../core/paths.ts'

interface Manifest {
  files?: unknown
  peerDependencies?: Record<string, string>
}

/**
 * Modules that a plugin imports, from its main one on, and that the tarball `npm pack` makes of it would not hold,
 * relative to its package. Empty where a package does not say which files it consists of, or is none of a plugin.
 */
export function unpackagedImports(file: string): string[] {
  const manifest = findManifest(file)
  if (manifest === undefined) return []
  const { files, peerDependencies }: Manifest = JSON.parse(readFileSync(manifest, 'utf8'))
  if (!Array.isArray(files) || peerDependencies?.galley === undefined) return []
  const folder = path.dirname(manifest)
  return modulesFrom(file)
    .map(each => path.relative(folder, each))
    .filter(each => !isPacked(each, files.map(String)))
    .sort()
}

/** Relative imports only: what is in other packages comes with them. */
function modulesFrom(file: string): string[] {
  const found = new Set([file])
  for (const each of found) for (const imported of importsOf(each)) found.add(imported)
  return [...found]
}

const specifier = /\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g

function importsOf(file: string): string[] {
  if (!/\.[cm]?[jt]s$/.test(file)) return []
  const targets = [...readFileSync(file, 'utf8').matchAll(specifier)].map(([, target = '']) =>
    path.resolve(path.dirname(file), target)
  )
  return targets.filter(existsSync)
}

/** By the rules of npm: a pattern stands for a file or a folder, one with `!` takes out, and the last that fits counts. */
const isPacked = (file: string, patterns: readonly string[]): boolean =>
  patterns.reduce((packed, pattern) => {
    const excludes = pattern.startsWith('!')
    const plainPattern = pattern
      .replace(/^!/, '')
      .replace(/^(\.?\/)+/, '')
      .replace(/\/$/, '')
    const fits =
      plainPattern === '' ||
      plainPattern === '.' ||
      path.matchesGlob(file, plainPattern) ||
      path.matchesGlob(file, `${plainPattern}/**`)
    return fits ? !excludes : packed
  }, false)
