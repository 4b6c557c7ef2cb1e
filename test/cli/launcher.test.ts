import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { packageRoot } from '../../core/paths.ts'
import { version } from '../../core/version.ts'
import { filesUnder } from '../helpers/files-under.ts'

const bin = path.join(packageRoot, 'cli', 'bin.js')
const home = mkdtempSync(path.join(tmpdir(), 'galley-launcher-'))
after(() => rmSync(home, { recursive: true }))
const env = { PATH: process.env.PATH, GALLEY_HOME: home }

function galley(...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('the version is printed without a home', () => {
  assert.deepEqual(galley('--version'), { status: 0, stdout: `${version}\n`, stderr: '' })
})

test('a command of the launcher’s own is read strictly', () => {
  const { status, stdout, stderr } = galley('serve', '--no-wroker')
  assert.match(stderr, /unknown flag --no-wroker; did you mean --no-worker\?/)
  assert.equal(status, 2)
  assert.equal(stdout, '')
})

test('a mistake in a command is told before anything is opened', () => {
  const { status, stderr } = galley('settings', 'lst')
  assert.match(stderr, /unknown settings command "lst"; did you mean list\?/)
  assert.equal(status, 2)
})

test('a service and a command keep compiled code apart, as V8 refuses what was compiled under other flags', () => {
  const folder = mkdtempSync(path.join(home, 'cache-'))
  const start = (...argv: string[]) =>
    spawnSync(process.execPath, [bin, ...argv], { env: { ...env, TMPDIR: folder } }).status
  const written = () => filesUnder(folder).map(file => `${file} ${statSync(file).mtimeMs}`)
  assert.deepEqual([start('serve', '--wrong'), start('settings', '--wrong')], [2, 2])
  const before = written()
  assert.ok(before.length > 0)
  start('serve', '--wrong')
  start('settings', '--wrong')
  assert.deepEqual(written(), before)
})

test('setup on the embedded database takes less than 600 MB, as it does not have V8 optimize the database', () => {
  const print = "data:text/javascript,process.on('exit',()=>console.error('kB:',process.resourceUsage().maxRSS))"
  const { status, stderr } = spawnSync(process.execPath, [`--import=${print}`, bin, 'setup'], {
    env: { ...env, GALLEY_HOME: path.join(home, 'set-up') },
    encoding: 'utf8'
  })
  assert.equal(status, 0)
  const peak = Number(/^kB: (\d+)$/m.exec(stderr)?.[1])
  assert.ok(peak < 600_000, `${peak} kB`)
})

test('a service begins anew with a lean heap of the C library, and stays the same process', {
  skip: process.platform !== 'linux'
}, () => {
  const print =
    "data:text/javascript,console.error(process.pid, process.env.MALLOC_ARENA_MAX ?? 'as usual', process.env.MALLOC_TRIM_THRESHOLD_ ?? '')"
  const started = (command: string, given = {}) => {
    const { pid, stderr } = spawnSync(process.execPath, [`--import=${print}`, bin, command, '--wrong'], {
      env: { ...env, ...given },
      encoding: 'utf8'
    })
    return stderr
      .split('\n')
      .filter(line => line.startsWith(`${pid} `))
      .map(line => line.replace(`${pid} `, '').trim())
  }
  assert.deepEqual(started('serve'), ['as usual', '1 262144'])
  assert.deepEqual(started('serve', { MALLOC_ARENA_MAX: '4' }), ['4'])
  assert.deepEqual(started('settings'), ['as usual'])
})

test('a deprecated word works, and says on stderr what is called instead', () => {
  const { status, stdout, stderr } = galley('post', 'list', '--help')
  assert.match(stdout, /Posts of any status/)
  assert.deepEqual([status, stderr], [0, 'warning: "galley post" is deprecated: use "galley posts"\n'])
})

test('without setup a command says what to do', () => {
  const { status, stdout, stderr } = galley('settings', 'list')
  assert.equal(stderr, `error: ${home} is not set up: run galley setup\n`)
  assert.equal(status, 1)
  assert.equal(stdout, '')
})

test('a reader that closes the pipe early gets no complaint', async () => {
  const child = spawn(process.execPath, [bin, '--help'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', text => (complaint += text))
  const [status] = await once(child, 'close')
  assert.equal(complaint, '')
  assert.equal(status, 0)
})

test('a service has half of the young heap, unless an operator chose a size', {
  skip: process.platform !== 'linux'
}, () => {
  const print = `data:text/javascript,console.error('young', process.execArgv.find(each => each.startsWith('--max-semi')))`
  const sizes = (command: string, given = {}) =>
    spawnSync(process.execPath, [`--import=${print}`, bin, command, '--wrong'], {
      env: { ...env, ...given },
      encoding: 'utf8'
    }).stderr.match(/(?<=^young ).*/gm)
  assert.deepEqual(sizes('serve'), ['undefined', '--max-semi-space-size=8'])
  assert.deepEqual(sizes('serve', { NODE_OPTIONS: '--max-semi-space-size=32' }), ['undefined', 'undefined'])
  assert.deepEqual(sizes('settings'), ['undefined'])
})

test('a service keeps its optimized code while it rests', { skip: process.platform !== 'linux' }, () => {
  const print = `data:text/javascript,console.error('warm', process.execArgv.includes('--no-memory-reducer'))`
  const { stderr } = spawnSync(process.execPath, [`--import=${print}`, bin, 'serve', '--wrong'], {
    env,
    encoding: 'utf8'
  })
  assert.deepEqual(stderr.match(/(?<=^warm ).*/gm), ['false', 'true'])
})
