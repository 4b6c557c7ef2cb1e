import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../core/paths.ts'
import { compiledFolders } from '../suite/import-graph.ts'

/** Another release of the program, in a folder of its own. */
export interface Release {
  /** What starts it. */
  bin: string
  /** Adds a migration to it, or replaces one. */
  migration(name: string, text: string): void
  remove(): void
}

/** A copy of the sources at hand under another version. */
export function copyRelease(folder: string, version: string): Release {
  const parts = [...compiledFolders(), 'migrations', 'plugins.config.json', 'tsconfig.build.json', 'dist']
  // With its times: what is compiled counts while it is newer than its sources.
  for (const part of parts.filter(name => existsSync(path.join(packageRoot, name))))
    cpSync(path.join(packageRoot, part), path.join(folder, part), { recursive: true, preserveTimestamps: true })
  const manifest = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8'))
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, version }))
  symlinkSync(path.join(packageRoot, 'node_modules'), path.join(folder, 'node_modules'))
  return {
    bin: path.join(folder, 'cli', 'bin.js'),
    migration: (name, text) => writeFileSync(path.join(folder, 'migrations', name), text),
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
