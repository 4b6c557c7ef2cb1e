import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { lockHome, readOwnerPid } from '../../../cli/database/home-lock.ts'
import { ConflictError } from '../../../core/contract/errors.ts'

const owner = fileURLToPath(new URL('../../fixtures/home-owner.ts', import.meta.url))
let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'galley-home-'))
})
afterEach(() => rmSync(home, { recursive: true }))

test('a second owner in the same process is refused, and may own the home after the first released it', () => {
  const first = lockHome(home)
  assert.equal(readOwnerPid(home), process.pid)
  assert.throws(() => lockHome(home), ConflictError)
  first.release()
  first.release()
  assert.equal(existsSync(join(home, 'owner.pid')), false)
  lockHome(home).release()
})

test('a home owned by another process names its pid, and is taken over once that process was killed', async t => {
  const child = spawn(process.execPath, [owner, home], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  assert.throws(() => lockHome(home), {
    name: 'ConflictError',
    message: new RegExp(`in use by process ${child.pid}: `)
  })
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal(readOwnerPid(home), child.pid)
  const lock = lockHome(home)
  assert.equal(readOwnerPid(home), process.pid)
  lock.release()
})

test('the lock falls also where the file with the pid cannot be removed', () => {
  mkdirSync(join(home, 'owner.pid'))
  lockHome(home).release()
  lockHome(home).release()
})

test('a damaged lock file is called so, and a home without it is locked again', () => {
  const file = join(home, 'owner.lock')
  writeFileSync(file, 'no lock at all '.repeat(100))
  assert.throws(() => lockHome(home), {
    name: 'UnavailableError',
    message: /owner\.lock is damaged \(file is not a database\): .*delete the file/
  })
  rmSync(file)
  lockHome(home).release()
})

test('locking prints nothing on stderr', () => {
  const code = `const { lockHome } = await import(${JSON.stringify(import.meta.resolve('../../../cli/database/home-lock.ts'))})
    lockHome(${JSON.stringify(home)}).release()`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
})
