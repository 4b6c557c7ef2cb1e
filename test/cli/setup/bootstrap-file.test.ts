import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { unfinishedFile } from '../../../cli/config/home.ts'
import { createLog } from '../../../cli/log/json-log.ts'
import { commitBootstrap, completeBootstrap, createHome, prepareBootstrap } from '../../../cli/setup/bootstrap-file.ts'
import { planBootstrap } from '../../../cli/setup/installation.ts'
import { bootstrapFile, readBootstrap } from '../../../core/home.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-home-'))
after(() => rmSync(folder, { recursive: true }))

test('a home is made closed to others, and an empty open one is closed', () => {
  const fresh = path.join(folder, 'a', 'b')
  createHome(fresh)
  assert.equal(statSync(fresh).mode & 0o777, 0o700)
  chmodSync(fresh, 0o755)
  createHome(fresh)
  assert.equal(statSync(fresh).mode & 0o777, 0o700)
})

test('an open folder that holds something is refused and left as it is', () => {
  const open = path.join(folder, 'open')
  mkdirSync(open, { mode: 0o755 })
  chmodSync(open, 0o755)
  writeFileSync(path.join(open, 'file'), '')
  assert.throws(() => createHome(open), /may be entered by others: run chmod 700/)
  assert.equal(statSync(open).mode & 0o777, 0o755)
})

test('a file where the home should be is refused', () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  assert.throws(() => createHome(path.join(file, 'home')), /cannot be made or opened \(ENOTDIR\)/)
})

test('keys count only once they are whole, are private, and read back as they were', () => {
  const home = path.join(folder, 'keys')
  createHome(home)
  const values = { DATABASE_URL: 'postgres://u:p%23$x #y@db/x', POINDEXTER_SECRET_KEY: 'k+/=', GALLEY_JWT_SECRET: 'j' }
  prepareBootstrap(home, values)
  assert.equal(readBootstrap(home), null)
  commitBootstrap(home)
  assert.deepEqual({ ...readBootstrap(home) }, values)
  assert.equal(statSync(bootstrapFile(home)).mode & 0o777, 0o600)
  assert.equal(existsSync(unfinishedFile(home)), false)
})

test('planning keeps the keys that exist and makes those that do not', () => {
  const home = path.join(folder, 'plan')
  createHome(home)
  const options = {
    home,
    env: {},
    cwd: home,
    databaseUrl: undefined,
    force: false,
    log: createLog('silent'),
    onStep: () => {}
  }
  const first = planBootstrap(options)
  assert.equal(Buffer.from(first.POINDEXTER_SECRET_KEY, 'base64').length, 32)
  assert.notEqual(planBootstrap(options).POINDEXTER_SECRET_KEY, first.POINDEXTER_SECRET_KEY)
  prepareBootstrap(home, first)
  commitBootstrap(home)
  assert.deepEqual(planBootstrap(options), first)
  assert.throws(
    () => planBootstrap({ ...options, databaseUrl: 'postgres://db/x' }),
    /is set up with the embedded database: add --force/
  )
  assert.deepEqual(planBootstrap({ ...options, databaseUrl: 'postgres://db/x', force: true }), {
    ...first,
    DATABASE_URL: 'postgres://db/x'
  })
})

test('setting up again keeps the keys that are there, one being rotated, and every other line', () => {
  const home = path.join(folder, 'again')
  createHome(home)
  writeFileSync(bootstrapFile(home), 'POINDEXTER_SECRET_KEY=old\nPOINDEXTER_SECRET_KEY_NEXT=new\nPORT=9000\n', {
    mode: 0o600
  })
  completeBootstrap(home, { DATABASE_URL: 'postgres://db/x', POINDEXTER_SECRET_KEY: 'other', GALLEY_JWT_SECRET: 'jwt' })
  assert.deepEqual(
    { ...readBootstrap(home) },
    {
      POINDEXTER_SECRET_KEY: 'old',
      POINDEXTER_SECRET_KEY_NEXT: 'new',
      PORT: '9000',
      DATABASE_URL: 'postgres://db/x',
      GALLEY_JWT_SECRET: 'jwt'
    }
  )
})
