import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { loadConfig } from '../../../cli/config/config.ts'
import { AppError } from '../../../core/contract/errors.ts'

const home = mkdtempSync(path.join(tmpdir(), 'galley-config-'))
after(() => rmSync(home, { recursive: true }))
const file = path.join(home, 'bootstrap.env')
const key = Buffer.alloc(32, 7).toString('base64')
const jwt = 'j'.repeat(43)

function write(text: string, mode = 0o600): void {
  writeFileSync(file, text)
  chmodSync(file, mode)
}

const load = (env: Record<string, string> = {}) => loadConfig({ GALLEY_HOME: home, ...env }, home)

test('a home without bootstrap.env is not set up', () => {
  assert.throws(() => load(), /is not set up: run galley setup/)
})

test('the file is read, defaults fill the rest, and the environment wins', () => {
  write(`# keys\nPOINDEXTER_SECRET_KEY=${key}\nGALLEY_JWT_SECRET='${jwt}'\nPORT=9000\n`)
  const config = load({ PORT: '0', HOST: '', LOG_LEVEL: 'debug' })
  assert.deepEqual(
    { ...config, pluginsConfigPath: path.basename(config.pluginsConfigPath) },
    {
      home,
      databaseUrl: undefined,
      secretKey: key,
      jwtSecret: jwt,
      host: '127.0.0.1',
      port: 0,
      logLevel: 'debug',
      pluginsConfigPath: 'plugins.config.json'
    }
  )
  assert.equal(load().port, 9000)
})

test('an empty variable counts as absent', () => {
  write(`DATABASE_URL=postgres://db/x\nPOINDEXTER_SECRET_KEY=${key}\nGALLEY_JWT_SECRET=${jwt}\n`)
  assert.equal(load({ DATABASE_URL: '' }).databaseUrl, 'postgres://db/x')
})

test('a file that others may read is refused, with the command that closes it', () => {
  for (const mode of [0o644, 0o640, 0o602]) {
    write(`POINDEXTER_SECRET_KEY=${key}\nGALLEY_JWT_SECRET=${jwt}\n`, mode)
    assert.throws(
      () => load(),
      new RegExp(`may be read by others \\(mode 0${mode.toString(8)}\\).*run chmod 600 ${file}`)
    )
  }
})

test('every fault is named at once, and no secret is shown', () => {
  write('DATABASE_URL=mysql://u:hunter2@db/x\nPOINDEXTER_SECRET_KEY=c2hvcnQ=\n')
  const error = faultOf(() => load({ PORT: '70000', LOG_LEVEL: 'loud' }))
  assert.deepEqual(
    Object.keys(error.fields).sort(),
    ['DATABASE_URL', 'GALLEY_JWT_SECRET', 'LOG_LEVEL', 'PORT', 'POINDEXTER_SECRET_KEY'].sort()
  )
  assert.doesNotMatch(JSON.stringify(error.fields) + error.message, /hunter2|c2hvcnQ/)
})

test('a key of another length is refused', () => {
  for (const bytes of [16, 31, 33]) {
    write(`POINDEXTER_SECRET_KEY=${Buffer.alloc(bytes).toString('base64')}\nGALLEY_JWT_SECRET=${jwt}\n`)
    assert.deepEqual(faultOf(() => load()).fields, {
      POINDEXTER_SECRET_KEY: 'must be 32 bytes in base64 (44 characters)'
    })
  }
})

test('keys are spoken of where one is at fault only', () => {
  write(`POINDEXTER_SECRET_KEY=${key}\nGALLEY_JWT_SECRET=${jwt}\n`)
  assert.doesNotMatch(faultOf(() => load({ PORT: 'abc', LOG_LEVEL: 'loud' })).remedy ?? '', /key|secrets/)
  write(`POINDEXTER_SECRET_KEY=short\nGALLEY_JWT_SECRET=${jwt}\n`)
  assert.match(faultOf(() => load()).remedy ?? '', /the key must be the one .* --discard-secrets/)
})

test('what setup cannot repair is not left to it', () => {
  write('garbage\0\n')
  assert.match(faultOf(() => load()).remedy ?? '', /^run galley setup/)
  mkdirSync(path.join(home, 'data'))
  assert.match(faultOf(() => load()).remedy ?? '', /^correct .*bootstrap\.env/)
  write(`POINDEXTER_SECRET_KEY=${key}\n`)
  assert.match(faultOf(() => load()).remedy ?? '', /^run galley setup/)
  rmSync(file)
  assert.match(faultOf(() => load()).remedy ?? '', /^put bootstrap\.env back/)
  writeFileSync(`${file}.unfinished`, '')
  assert.match(faultOf(() => load()).remedy ?? '', /^run galley setup/)
})

function faultOf(act: () => unknown): AppError {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new assert.AssertionError({ message: 'nothing was refused' })
}
