import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../core/paths.ts'
import { readDurations } from './durations.ts'
import { groupEnding } from './group-ending.ts'
import { dependenciesOf, graphOf, readSource, sourcesIn } from './import-graph.ts'

/**
 * Lines of a group, of those whose time is their own and of those that start processes. A process that starts a service loads
 * and compiles for more than a second before its first test, so they are few; but the last group must be no long wait.
 */
const maxLines = 5_500
const maxLinesOfPrograms = 1_200
/** By itself, or by the commands it runs: a backup is read in a process of its own. */
const startsProcess = /^import .* from '(?:node:child_process|\.\.\/.*\/cli\/kernel-program\.ts)'/m
/** A process that is still there so long after its last test would stay for ever. */
const openMs = 60_000
/** Such a file cannot be required. It is imported, which takes a little longer. */
const awaitsAtTop = /^(?!.*\basync\b)(?![\s/*]).*\bawait\b/m
/** What others of its group have loaded would be found as well. */
const asksWhatIsLoaded = /\bcreateRequire\(.*\)\.cache\b|\bprocess\.moduleLoadList\b/
/** Of a weight, what takes about a second of one processor. */
const weightPerSecond = 120
/** What a line of theirs takes, in lines of others. */
const programWeight = 8
/** The same of those that speak, encode and draw, or compile and install packages. */
const isLong = /\/(media\/jobs|cli\/plugin-(guide|package))\b/
const longWeight = 4

export interface Group {
  files: string[]
  startsPrograms: boolean
}

/**
 * Files that run in one process: each goes to the first group that has room. The groups that took longest in the last run come
 * first; a file that has not run here counts by its lines. A long group that began last would leave a processor idle.
 */
export function groupsOf(files: readonly string[]): Group[] {
  const startsProgram = programStarters()
  const groups: Group[] = []
  const open: Group[] = []
  for (const file of files) {
    const startsPrograms = startsProgram(file)
    const limit = startsPrograms ? maxLinesOfPrograms : maxLines
    const hasRoom = (group: Group) =>
      group.startsPrograms === startsPrograms && linesOf([...group.files, file]) <= limit
    const isAlone = asksWhatIsLoaded.test(readSource(file))
    const group = isAlone ? undefined : open.find(hasRoom)
    if (group !== undefined) {
      group.files.push(file)
      continue
    }
    const next = { files: [file], startsPrograms }
    groups.push(next)
    if (!isAlone) open.push(next)
  }
  const durations = readDurations()
  const secondsOf = (group: Group) =>
    group.files.reduce((sum, file) => {
      const expected = weightOf({ files: [file], startsPrograms: group.startsPrograms }) / weightPerSecond
      return sum + (durations.get(file) ?? expected)
    }, 0)
  return groups.toSorted((a, b) => secondsOf(b) - secondsOf(a))
}

/** The weight of a file, in lines: about `weightPerSecond` of them take a second. */
export function weigher(): (file: string) => number {
  const startsProgram = programStarters()
  return file => weightOf({ files: [file], startsPrograms: startsProgram(file) })
}

function programStarters(): (file: string) => boolean {
  const graph = graphOf(sourcesIn('test/**/*.ts'), () => true)
  return file => dependenciesOf(graph, [file]).some(each => startsProcess.test(readSource(each)))
}

const weightOf = ({ files, startsPrograms }: Group): number => linesOf(files) * (startsPrograms ? programWeight : 1)

/** A line that takes longer counts for several. */
const linesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + readSource(file).split('\n').length * (isLong.test(file) ? longWeight : 1), 0)

/** Writes one file for each group into `folder`, which runs its members as suites of their names. Returns the files. */
export function writeGroups(groups: readonly Group[], folder: string): string[] {
  return groups.map(({ files }, at) => {
    const name = path.dirname(files[0] ?? '').replaceAll('/', '-')
    // The runner takes them in the order of their names.
    const file = path.join(folder, `${String(at).padStart(3, '0')}-${name}${groupEnding}`)
    writeFileSync(file, sourceOf(files))
    return file
  })
}

/**
 * To name the test that an uncaught error came from, node:test follows every promise, which takes a fifth of the time of a
 * group. Once all tests are declared it is stopped: such an error still fails the run, and names no test.
 */
function sourceOf(files: readonly string[]): string {
  const load = files.map((file, at) => {
    const loaded = awaitsAtTop.test(readSource(file))
      ? `return import(${textOf(pathToFileURL(pathOf(file)).href)})`
      : `void require(${textOf(pathOf(file))})`
    return `  describe(${textOf(file)}, () => { ${at === 0 ? 'before(stopHooks); ' : ''}${loaded} })`
  })
  return `import { createRequire } from 'node:module'
import { after, before, describe } from 'node:test'
import { enableCompileCacheOfGroups } from ${urlOf('compile-cache.ts')}
import { hooksEnabledBy } from ${urlOf('runner-hooks.ts')}
enableCompileCacheOfGroups()
const require = createRequire(import.meta.url)
const hooks = hooksEnabledBy(() => {
${load.join('\n')}
})
function stopHooks() {
  for (const hook of hooks) hook.disable()
}
after(() => {
  process.emit('tests are done')
  setTimeout(giveUp, ${openMs}).unref()
})
function giveUp() {
  console.error('Something is left open, by one of ' + ${textOf(files.join(', '))})
  process.exit(1)
}
`
}

const urlOf = (name: string): string => textOf(new URL(name, import.meta.url).href)
const textOf = (value: string): string => JSON.stringify(value)
const pathOf = (file: string): string => path.join(packageRoot, file)
