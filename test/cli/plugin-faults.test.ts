import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { installHome } from '../helpers/installed-home.ts'
import { createInstallation, type Installation } from '../helpers/program.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-faults-'))
/** Of galley's own no more than a service needs: the others would only have to be started. */
const own = ['./plugins/auth']

let installation: Installation
before(async () => {
  installation = createInstallation()
  await installHome(installation)
})
after(async () => {
  await installation.close()
  rmSync(folder, { recursive: true })
})

/** A folder whose configuration names a plugin of that name; `setup` is its code. */
function folderWith(name: string, setup: string, routes = 'async () => {}'): string {
  const operator = path.join(folder, name)
  mkdirSync(path.join(operator, 'guest/node_modules/library'), { recursive: true })
  // As one that reads command lines: it calls itself, and is no file of the plugin.
  writeFileSync(
    path.join(operator, 'guest/node_modules/library/index.js'),
    'exports.exit = (status, calls = 20) => (calls === 0 ? process.exit(status) : exports.exit(status, calls - 1))'
  )
  writeFileSync(
    path.join(operator, 'guest/plugin.mjs'),
    `import { existsSync } from 'node:fs'
    import library from 'library'
    import { access, command } from 'galley/plugin'
    const whenServed = work => { const timer = setInterval(() => existsSync('${operator}/go') && (clearInterval(timer), work()), 20) }
    const route = { config: { access: access.public }, schema: { operationId: 'never', tags: ['never'], summary: 'Never' } }
    const interruption = ({ signal, note }) => new Promise(resolve => { signal.addEventListener('abort', resolve); note('waits') })
    const run = async ({ args: { status, waits, deep, 'in-two': inTwo }, terminal }) => { if (waits) await interruption(terminal); console.log('done'); if (inTwo) { process.exitCode = status; process.exit() } (deep ? library : process).exit(status) }
    const leave = args => command({ describe: 'Leaves', args, run, text: () => '' })
    const status = { type: 'number', describe: 'The exit status', default: 0 }
    const deep = { type: 'boolean', describe: 'By a library' }
    const inTwo = { type: 'boolean', describe: 'The status first' }
    const waits = { type: 'boolean', describe: 'Until it is interrupted' }
    const never = () => { process.stderr.write('never begins'); return new Promise(() => {}) }
    export default {
      name: '${name}', contract: 1, describe: 'Throws outside any request',
      setup({ db }) { ${setup}; return { services: {}, routes: ${routes}, commands: { leave: { describe: 'Leaves', loadCommand: async () => leave({ status, waits, deep, 'in-two': inTwo }) } } } }
    }`
  )
  writeFileSync(path.join(operator, 'plugins.config.json'), JSON.stringify({ plugins: [...own, './guest'] }))
  return operator
}

const words = (name: string) =>
  `the plugin ${name} threw outside any request: not today; remove or disable it with \`galley plugins disable ${name}\``
const lastLine = (text: string) => text.trim().split('\n').at(-1) as string

describe('a fault of a plugin while the service runs ends it, and the last line of the log names the plugin', () => {
  const faults: [name: string, setup: string][] = [
    ['throws-later', "whenServed(() => { throw new Error('not today') })"],
    ['rejects-later', "whenServed(async () => { throw new Error('not today') })"]
  ]
  for (const [name, setup] of faults) {
    test(name, async () => {
      const cwd = folderWith(name, setup)
      const server = installation.start(['serve'], { cwd, env: { LOG_LEVEL: 'info' } })
      await server.says(/ready at/)
      writeFileSync(path.join(cwd, 'go'), '')
      const { status, stderr } = await server.ended
      const { msg, level, err } = JSON.parse(lastLine(stderr))
      assert.deepEqual([status, level, msg], [1, 60, words(name)])
      assert.match(err.stack, /guest\/plugin\.mjs/)
    })
  }
})

test('a plugin that ends the process while it serves is named, and the exit status is 1', async () => {
  const cwd = folderWith('exits-later', 'whenServed(async () => library.exit(0))')
  const server = installation.start(['serve'], { cwd })
  await server.says(/ready at/)
  writeFileSync(path.join(cwd, 'go'), '')
  const { status, stderr } = await server.ended
  const { msg, level, err } = JSON.parse(lastLine(stderr))
  const remedy = 'remove or disable it with `galley plugins disable exits-later`'
  assert.deepEqual([status, level, msg], [1, 60, `the plugin exits-later ended the process by process.exit; ${remedy}`])
  assert.match(err.stack, /guest\/plugin\.mjs/)
})

test('a command of a plugin that ends the process keeps its exit status, and nothing is said of it', async () => {
  const cwd = folderWith('leaves', '')
  for (const wanted of [0, 3]) {
    const { status, stdout, stderr } = await installation.run(['leave', '--status', String(wanted)], { cwd })
    assert.deepEqual([status, stdout.trim(), stderr], [wanted, 'done', ''])
  }
})

test('a command of a plugin that ends the process ends itself alone where it runs in that of the service', async () => {
  const cwd = folderWith('leaves-service', '')
  const server = installation.start(['serve'], { cwd })
  const [, url] = await server.says(/ready at (\S+)/)
  const ways: [number, ...string[]][] = [[0], [3], [4, '--deep'], [5, '--in-two'], [0]]
  for (const [wanted, ...flags] of ways) {
    const { status, stderr } = await installation.run(['leave', '--status', String(wanted), ...flags], { cwd })
    assert.deepEqual([status, stderr], [wanted, ''])
  }
  assert.equal((await fetch(`${url}/health`)).status, 200)
  server.child.kill('SIGTERM')
  assert.equal((await server.ended).status, 0)
})

test('a command that ends the process when it is interrupted does not end the service that stops', async () => {
  const cwd = folderWith('leaves-at-the-end', '')
  const server = installation.start(['serve'], { cwd, env: { LOG_LEVEL: 'info' } })
  await server.says(/ready at/)
  const caller = installation.start(['leave', '--waits', '--status', '3'], { cwd })
  await caller.says(/waits/)
  server.child.kill('SIGTERM')
  const { status, stderr } = await server.ended
  assert.equal(status, 0, stderr)
  assert.doesNotMatch(stderr, /ended the process/)
  await caller.ended
})

test('an exit that a plugin has a timer call is no orderly end', async () => {
  const cwd = folderWith('exits-unseen', 'whenServed(() => setTimeout(process.exit, 1, 0))')
  const server = installation.start(['serve'], { cwd })
  await server.says(/ready at/)
  writeFileSync(path.join(cwd, 'go'), '')
  const { status, stderr } = await server.ended
  const { msg, level } = JSON.parse(lastLine(stderr))
  assert.deepEqual([status, level], [1, 60])
  assert.match(
    msg,
    /^code that is not known ended the process by process\.exit; .* a plugin with `galley plugins disable NAME`$/
  )
})

test('of a plugin that ends the process at the start one line says so', async () => {
  const server = installation.start(['serve'], { cwd: folderWith('exits-at-once', 'process.exit(0)') })
  const { status, stderr } = await server.ended
  assert.equal(status, 1)
  assert.match(stderr, /^error: The service does not boot:\n- exits-at-once: its setup ended the process\. .*\n$/)
})

test('SIGTERM ends the service with 0 though a request never ends, and the log names it and its transaction', async () => {
  const cwd = folderWith(
    'never-ends',
    '',
    "async scope => { scope.get('/api/never', route, () => db.transaction(() => never())) }"
  )
  const server = installation.start(['serve'], { cwd, env: { LOG_LEVEL: 'info' } })
  const [, url] = await server.says(/ready at (\S+)/)
  const request = assert.rejects(fetch(`${url}/api/never`))
  await server.says(/never begins/)
  server.child.kill('SIGTERM')
  const { status, stderr } = await server.ended
  await request
  assert.equal(status, 0)
  assert.match(stderr, /"requests":\["GET \/api\/never"\],"msg":"requests did not end in time/)
  assert.match(stderr, /A transaction of the plugin never-ends has not ended: the database waits for it/)
})

test('a promise that a plugin rejects without a reason is no orderly end', async () => {
  const cwd = folderWith('rejects-nothing', 'whenServed(() => void Promise.reject())')
  const server = installation.start(['serve'], { cwd })
  await server.says(/ready at/)
  writeFileSync(path.join(cwd, 'go'), '')
  const { status, stderr } = await server.ended
  assert.equal(status, 1)
  assert.match(lastLine(stderr), /a fault nobody handled/)
})

test('a fault before the service is up ends the process by the same words, after its stack', async () => {
  const cwd = folderWith('rejects-soon', "void Promise.reject(new Error('not today'))")
  for (const argv of [['serve'], ['plugins', 'doctor']]) {
    const { status, stderr } = await installation.run(argv, { cwd })
    assert.deepEqual([status, lastLine(stderr)], [1, `error: ${words('rejects-soon')}`])
    assert.match(stderr, /^Error: not today\n +at .*guest\/plugin\.mjs/m)
  }
})
