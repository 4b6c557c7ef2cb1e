// Runs the suite, or the files and patterns given: npm test -- test/plugins/posts/*.test.ts
import { spawnSync } from 'node:child_process'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'

const wanted = process.argv.slice(2)
// A test that hangs must not hold the run.
const limit = '--test-timeout=300000'
const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout']
// The reporter fails the run where there is no summary to write to.
if (process.env.GITHUB_STEP_SUMMARY)
  reporters.push('--test-reporter=node-test-github-reporter', '--test-reporter-destination=stdout')
const files = wanted.length > 0 ? wanted : ['test/**/*.test.ts']
const { status } = spawnSync(
  process.execPath,
  ['--test', `--test-concurrency=${availableParallelism()}`, limit, ...reporters, ...files],
  {
    stdio: 'inherit',
    // Each file is a process that loads much the same modules: half a second less for each.
    env: { NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache'), ...process.env }
  }
)
process.exitCode = status ?? 1
