import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../core/paths.ts'
import { weigher } from './groups.ts'
import { compiledFolders, dependentsOf, graphOf, sourcesIn } from './import-graph.ts'

/** More than run in about a minute: then only the nearest are chosen. */
const maxFiles = 40
/** The same for those: what starts programs counts for more, and of too much the lightest are chosen. */
const maxWeight = 12_000

export interface Choice {
  files: string[]
  /** How many the change reaches in all. */
  reached: number
}

/** The test files a change reaches: by what they import, and those that mirror its folders. */
export function testsOfChange(changed = changedFiles()): Choice {
  const all = sourcesIn(`{${compiledFolders()},test,bench,examples}/**/*.ts`)
  const graph = graphOf(all, ({ isType }) => !isType)
  const isTest = (file: string) => file.endsWith('.test.ts')
  // The laws read all sources, and the documents.
  const mirrored = [...sourcesIn('test/architecture/*.test.ts'), ...changed.flatMap(mirrorOf)]
  const reached = new Set([...dependentsOf(graph, changed), ...mirrored].filter(isTest))
  if (reached.size <= maxFiles) return { files: [...reached].sort(), reached: reached.size }
  const importers = all.filter(file => isTest(file) && graph.get(file)?.some(target => changed.includes(target)))
  const nearest = new Set([...changed.filter(isTest), ...mirrored, ...importers])
  const own = changed.filter(isTest)
  const others = [...nearest].filter(file => reached.has(file) && !own.includes(file))
  const chosen = [...own, ...lightest(others)]
  return { files: chosen.sort(), reached: reached.size }
}

function lightest(files: readonly string[]): string[] {
  const weightOf = weigher()
  const weighed = files.map(file => ({ file, weight: weightOf(file) })).toSorted((a, b) => a.weight - b.weight)
  const chosen: string[] = []
  let sum = 0
  for (const { file, weight } of weighed) {
    sum += weight
    if (sum <= maxWeight) chosen.push(file)
  }
  return chosen
}

/** Tests start a whole service, which finds its plugins by their names: no import leads there. */
function mirrorOf(file: string): string[] {
  const folder = path.dirname(file)
  if (/^(test|bench|docs)(\/|$)/.test(folder)) return []
  return [
    ...sourcesIn(`test/${folder}/*.test.ts`),
    ...sourcesIn(`test/${folder}-*.test.ts`),
    ...sourcesIn(`test/${folder}.test.ts`)
  ]
}

/** Against the branch main, or the last commit on main itself; what is not committed included. */
export function changedFiles(): string[] {
  const git = (...argv: string[]) => execFileSync('git', argv, { cwd: packageRoot, encoding: 'utf8' }).trim()
  const base = hasMain(git) ? git('merge-base', 'main', 'HEAD') : 'HEAD'
  const named = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')]
  const files = named.flatMap(text => text.split('\n')).filter(file => existsSync(path.join(packageRoot, file)))
  return [...new Set(files.filter(file => file !== ''))]
}

function hasMain(git: (...argv: string[]) => string): boolean {
  try {
    return git('rev-parse', '--verify', '--quiet', 'main') !== ''
  } catch {
    return false
  }
}
