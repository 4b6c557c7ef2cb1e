import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { packageRoot } from '../../core/paths.ts'
import { readSource } from './import-graph.ts'

/** Enough that loading the modules and compiling the database count little, few enough that the last group is no long wait. */
const maxFiles = 8

/** Only a file without an `await` at its top can be loaded as part of a group. */
const awaitsAtTop = /^(?:(?:export )?(?:const|let) .*= )?\(?await /m

/** Files that run in one process: those of a folder, in their order. Files that must run alone are groups of one. */
export function groupsOf(files: readonly string[]): string[][] {
  const groups: string[][] = []
  const open = new Map<string, string[]>()
  for (const file of files) {
    if (awaitsAtTop.test(readSource(file))) {
      groups.push([file])
      continue
    }
    const folder = path.dirname(file)
    const group = open.get(folder)
    if (group !== undefined && group.length < maxFiles) group.push(file)
    else {
      open.set(folder, [file])
      groups.push(open.get(folder) as string[])
    }
  }
  return groups
}

/** Writes one file for each group, which runs its members as suites of their names. `remove` deletes them again. */
export function writeGroups(groups: readonly (readonly string[])[]): { files: string[]; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-suite-'))
  const files = groups.map((group, at) => {
    const [first = ''] = group
    if (group.length === 1) return path.join(packageRoot, first)
    const name = path.dirname(first).replaceAll('/', '-')
    const file = path.join(folder, `${name}-${at}.test.mjs`)
    writeFileSync(file, sourceOf(group))
    return file
  })
  return { files, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function sourceOf(group: readonly string[]): string {
  const suites = group.map(file => {
    const url = path.join(packageRoot, file)
    return `describe(${JSON.stringify(file)}, () => { require(${JSON.stringify(url)}) })`
  })
  return [
    `import { createRequire } from 'node:module'`,
    `import { describe } from 'node:test'`,
    `const require = createRequire(import.meta.url)`,
    ...suites,
    ''
  ].join('\n')
}
