// Runs the suite, or the files and patterns given: npm test -- test/plugins/posts/*.test.ts
// With --rounds 200 the races among them are run that often, for two hours at most.
// With --on-server only those that use the server of TEST_DATABASE_URL: the others have nothing to do with it.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  options: { 'on-server': { type: 'boolean', default: false }, rounds: { type: 'string' } },
  allowPositionals: true
})
const wanted = positionals.length > 0 ? positionals : ['test/**/*.test.ts']
const files = values['on-server'] ? globSync(wanted).filter(file => usesServer(file)) : wanted
if (values['on-server']) console.log(`${files.length} of ${globSync(wanted).length} files use the server.`)

// A test that hangs must not hold the run.
const limit = values.rounds === undefined ? '--test-timeout=600000' : '--test-timeout=7200000'
const rounds = values.rounds === undefined ? {} : { RACE_ROUNDS: values.rounds }
const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout']
// The reporter fails the run where there is no summary to write to.
if (process.env.GITHUB_STEP_SUMMARY)
  reporters.push('--test-reporter=node-test-github-reporter', '--test-reporter-destination=stdout')
// One more than cores: many wait for a process they started, or for a moment.
const concurrency = `--test-concurrency=${availableParallelism() + 1}`
const { status } = spawnSync(process.execPath, ['--test', concurrency, limit, ...reporters, ...files], {
  stdio: 'inherit',
  // Each file is a process that loads much the same modules: half a second less for each.
  env: { NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache'), ...process.env, ...rounds }
})
process.exitCode = status ?? 1

/** Whether a file, or what it imports of the tests, asks for the server. */
function usesServer(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  if (/TEST_DATABASE_URL/.test(text)) return true
  return [...text.matchAll(/from '(\.[^']+)'/g)]
    .map(([, target = '']) => path.join(path.dirname(file), target))
    .some(target => /^(test|testing)\//.test(target) && usesServer(target, seen))
}
