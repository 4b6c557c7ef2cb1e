import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../core/paths.ts'
import { dependenciesOf, graphOf, readSource, sourcesIn } from './import-graph.ts'

/** Enough that loading the modules and compiling the database count little, few enough that the last group is no long wait. */
const maxFiles = 8
/** Those that start processes wait for them: they gain little from a process in common. */
const maxFilesOfPrograms = 2
/** By itself, or by the commands it runs: a backup is read in a process of its own. */
const startsProcess = /^import .* from '(?:node:child_process|\.\.\/.*\/cli\/kernel-program\.ts)'/m
/** A process that is still there so long after its last test would stay for ever. */
const openMs = 60_000
/** Only a file without an `await` at its top can be loaded as part of a group. */
const awaitsAtTop = /^(?!.*\basync\b)(?![\s/*]).*\bawait\b/m
/** What others of its group have loaded would be found as well. */
const asksWhatIsLoaded = /\bcreateRequire\(.*\)\.cache\b|\bprocess\.moduleLoadList\b/
/** What a line of theirs takes, in lines of others. */
const programWeight = 8

export interface Group {
  files: string[]
  startsPrograms: boolean
}

/** Files that run in one process: those of a folder, in their order. The groups that take longest come first. */
export function groupsOf(files: readonly string[]): Group[] {
  const startsProgram = programStarters()
  const groups: Group[] = []
  const open = new Map<string, Group>()
  for (const file of files) {
    const source = readSource(file)
    const startsPrograms = startsProgram(file)
    if (awaitsAtTop.test(source) || asksWhatIsLoaded.test(source)) {
      groups.push({ files: [file], startsPrograms })
      continue
    }
    const key = `${path.dirname(file)} ${startsPrograms}`
    const group = open.get(key)
    if (group !== undefined && group.files.length < (startsPrograms ? maxFilesOfPrograms : maxFiles))
      group.files.push(file)
    else {
      const next = { files: [file], startsPrograms }
      open.set(key, next)
      groups.push(next)
    }
  }
  return groups.toSorted((a, b) => weightOf(b) - weightOf(a))
}

/** Of a file; 120 or so are a second of one processor. */
export function weigher(): (file: string) => number {
  const startsProgram = programStarters()
  return file => weightOf({ files: [file], startsPrograms: startsProgram(file) })
}

function programStarters(): (file: string) => boolean {
  const graph = graphOf(sourcesIn('test/**/*.ts'), () => true)
  return file => dependenciesOf(graph, [file]).some(each => startsProcess.test(readSource(each)))
}

function weightOf({ files, startsPrograms }: Group): number {
  const lines = files.reduce((sum, file) => sum + readSource(file).split('\n').length, 0)
  return startsPrograms ? lines * programWeight : lines
}

/** Writes one file for each group into `folder`, which runs its members as suites of their names. Returns the files. */
export function writeGroups(groups: readonly Group[], folder: string): string[] {
  return groups.map(({ files }, at) => {
    const name = path.dirname(files[0] ?? '').replaceAll('/', '-')
    // The runner takes them in the order of their names.
    const file = path.join(folder, `${String(at).padStart(3, '0')}-${name}.test.mjs`)
    writeFileSync(file, sourceOf(files))
    return file
  })
}

function sourceOf(files: readonly string[]): string {
  const [first = ''] = files
  const load = files.map(file => `describe(${textOf(file)}, () => void require(${textOf(pathOf(file))}))`)
  // What awaits at its top cannot be required.
  if (files.length === 1)
    load[0] = `describe(${textOf(first)}, () => import(${textOf(pathToFileURL(pathOf(first)).href)}))`
  return `import { createRequire } from 'node:module'
import { after, describe } from 'node:test'
const require = createRequire(import.meta.url)
${load.join('\n')}
after(() => void setTimeout(giveUp, ${openMs}).unref())
function giveUp() {
  console.error('Something is left open, by one of ' + ${textOf(files.join(', '))})
  process.exit(1)
}
`
}

const textOf = (value: string): string => JSON.stringify(value)
const pathOf = (file: string): string => path.join(packageRoot, file)
