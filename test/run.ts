// Runs the suite, or the files and patterns given: npm test -- test/plugins/posts/*.test.ts
// With --changed only what the change against main reaches.
// With --rounds 200 the races among them are run that often, for two hours at most.
// With --on-server only those that gain from the server of TEST_DATABASE_URL: the others have nothing to do with it.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import os, { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { lowerPriority } from '../child-process/priority.ts'
import { testsOfChange } from './suite/changed.ts'
import { groupsOf, writeGroups } from './suite/groups.ts'
import { dependenciesOf, graphOf, readSource, sourcesIn } from './suite/import-graph.ts'
import { prepare } from './suite/prepare.ts'
import { cacheFolder, makeTemporaryFolder } from './suite/temporary-folder.ts'

const { values, positionals } = parseArgs({
  options: {
    changed: { type: 'boolean', default: false },
    'on-server': { type: 'boolean', default: false },
    rounds: { type: 'string' }
  },
  allowPositionals: true
})

/** What such a file proves depends on no statement, and a run on the embedded database has proved it. The line says why. */
const notOnServer = /^\/\/ Not on a server: /m

/** Of the processes of groups: with V8's own sizes, collecting new objects takes a tenth of their time. */
const heap = ['--min-semi-space-size=16', '--max-semi-space-size=64']

const files = chosenFiles()
if (files.length > 0) {
  await prepare(positionals.length === 0 && !values.changed)
  process.exitCode = run(files)
} else if (positionals.length > 0 && globSync(positionals).length === 0) {
  console.error(`No test file is named ${positionals.join(' or ')}.`)
  process.exitCode = 1
}

function chosenFiles(): string[] {
  if (values.changed) return changedTests()
  const wanted = globSync(positionals.length > 0 ? positionals : 'test/**/*.test.ts').sort()
  return values['on-server'] ? thoseOnServer(wanted) : wanted
}

function changedTests(): string[] {
  const { files, reached } = testsOfChange()
  console.log(
    files.length === reached
      ? `The change reaches ${reached} test files.`
      : `The change reaches ${reached} test files; the ${files.length} nearest and lightest are run. npm test runs all.`
  )
  return files
}

/** Those that ask for the server, or import something of the tests that does, and do not say that they gain nothing. */
function thoseOnServer(all: string[]): string[] {
  const graph = graphOf(sourcesIn('{test,testing}/**/*.ts'), () => true)
  const found = all.filter(
    file =>
      !notOnServer.test(readSource(file)) &&
      dependenciesOf(graph, [file]).some(each => /TEST_DATABASE_URL/.test(readSource(each)))
  )
  console.log(`${found.length} of ${all.length} files use the server.`)
  return found
}

function run(files: readonly string[]): number {
  // A test that hangs must not hold the run.
  const limit = values.rounds === undefined ? '--test-timeout=600000' : '--test-timeout=7200000'
  const rounds = values.rounds === undefined ? {} : { RACE_ROUNDS: values.rounds }
  // Two more than cores: many wait for a process they started, or for a moment.
  const concurrency = `--test-concurrency=${availableParallelism() + 2}`
  // What makes media runs at the lowest priority: beside tests at the usual one it would wait for minutes.
  lowerPriority(process.pid, os.constants.priority.PRIORITY_BELOW_NORMAL)
  const { folder, remove } = makeTemporaryFolder()
  try {
    const groups = writeGroups(groupsOf(files), folder)
    const { status } = spawnSync(process.execPath, [...heap, '--test', concurrency, limit, ...reporters(), ...groups], {
      stdio: 'inherit',
      env: {
        TEST_CACHE_FOLDER: cacheFolder(),
        ...process.env,
        ...rounds,
        TMPDIR: folder
      }
    })
    return status ?? 1
  } finally {
    remove()
  }
}

function reporters(): string[] {
  const names = ['spec', new URL('./suite/slowest.ts', import.meta.url).href]
  // It fails the run where there is no summary to write to.
  if (process.env.GITHUB_STEP_SUMMARY) names.push('node-test-github-reporter')
  return names.flatMap(name => [`--test-reporter=${name}`, '--test-reporter-destination=stdout'])
}
