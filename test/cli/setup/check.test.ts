import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { runProgram } from '../../../cli/framework/run.ts'
import type { CheckReport } from '../../../cli/setup/check-report.ts'
import { setupCommand } from '../../../cli/setup/setup.ts'
import { openOnServer, testServerUrl } from '../../helpers/database.ts'
import { recordSession } from '../../helpers/session.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-check-'))
after(() => rmSync(folder, { recursive: true }))
const home = path.join(folder, 'home')

async function setup(
  argv: string[],
  facts: Parameters<typeof recordSession>[0] = {},
  env: NodeJS.ProcessEnv = { GALLEY_HOME: home }
) {
  const session = recordSession(facts)
  const program = { setup: { describe: 'Set up', loadCommand: async () => setupCommand(env) } }
  const status = await runProgram({ name: 'galley', version: '1.0.0', program }, ['setup', ...argv], session)
  return { status, out: session.out.join('\n'), err: session.err.join('\n') }
}

/** The server when there is one: the embedded database takes seconds to make. */
async function answersFor(t: TestContext): Promise<string[]> {
  if (testServerUrl === undefined) return ['1']
  const { url, db } = await openOnServer(testServerUrl, { migrated: false })
  t.after(db.close)
  return ['2', url]
}

async function check(...argv: string[]) {
  const { status, out } = await setup(['--check', '--json', ...argv])
  const { ready, items } = JSON.parse(out) as CheckReport
  return { status, ready, items, line: items.map(item => `${item.item} ${item.status}`).join(', ') }
}

test('a person who gives no answer sets nothing up', async () => {
  const { status, err } = await setup([], { isInteractive: true, answers: ['x', '2', 'mysql://x'] })
  assert.equal(status, 1)
  assert.equal(err.match(/That is not an answer/g)?.length, 2)
  assert.match(err, /nothing was set up/)
  assert.equal(existsSync(home), false)
})

test('before setup the check fails, says what to do and makes nothing', async () => {
  const { status, ready, line, items } = await check()
  assert.deepEqual([status, ready], [1, false])
  assert.equal(
    line,
    'home FAIL, bootstrap SKIP, database SKIP, server SKIP, migrations SKIP, secrets SKIP, client SKIP'
  )
  assert.match(items[0]?.remedy ?? '', /galley setup/)
  assert.equal(existsSync(home), false)
  const unreachable = await check('--db-url', 'postgres://nobody@127.0.0.1:1/none')
  assert.match(unreachable.line, /database FAIL, server SKIP/)
})

test('after setup by a person every item is right, until something is spoilt', async t => {
  const made = await setup([], { isInteractive: true, answers: await answersFor(t) })
  assert.equal(made.status, 0, made.err)
  const fine = await check()
  assert.deepEqual([fine.status, fine.ready], [0, true], JSON.stringify(fine.items))

  const declined = await setup(['--force'], { isInteractive: true, answers: ['n'] })
  assert.deepEqual([declined.status, declined.out], [1, ''])
  assert.match(declined.err, /^Replace the first client’s secret\? What uses it stops working at once\. \[y\/N\]/)
  const replaced = await setup(['--force'])
  assert.equal(replaced.status, 0, 'a script is not held up')
  assert.match(replaced.out, /client_secret/)

  const file = path.join(home, 'bootstrap.env')
  const text = readFileSync(file, 'utf8')
  chmodSync(file, 0o644)
  const readable = await check()
  assert.match(readable.line, /^home OK, bootstrap FAIL, database SKIP/)
  assert.equal(readable.items[1]?.remedy, `run chmod 600 ${file}`)
  chmodSync(file, 0o600)
  chmodSync(home, 0o755)
  const entered = await check()
  assert.deepEqual([entered.items[0]?.status, entered.items[0]?.remedy], ['FAIL', `run chmod 700 ${home}`])
  chmodSync(home, 0o700)
  const other = Buffer.alloc(32, 7).toString('base64')
  writeFileSync(file, text.replace(/^POINDEXTER_SECRET_KEY=.*$/m, `POINDEXTER_SECRET_KEY=${other}`))
  const wrongKey = await setup(['--check'])
  assert.equal(wrongKey.status, 1)
  assert.match(wrongKey.out, /^OK {4}migrations .*\nFAIL {2}secrets {5}.*\n {18}→ put the right .*\nSKIP {2}client/m)
})

test('what is configured is not asked about', async () => {
  const env = { GALLEY_HOME: path.join(folder, 'other'), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const { status, err } = await setup([], { isInteractive: true }, env)
  assert.equal(status, 1)
  assert.match(err, /cannot be used \(connect ECONNREFUSED/)
  assert.doesNotMatch(err, /Where is the data/)
})
