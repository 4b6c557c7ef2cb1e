import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { rotateKey } from '../../../cli/keys/rotate.ts'
import { updateBootstrap } from '../../../core/bootstrap-update.ts'
import { nextKey } from '../../../core/keyring.ts'
import { testServerUrl } from '../../helpers/database.ts'
import { createInstallation } from '../../helpers/installation.ts'
import { until } from '../../helpers/until.ts'

const installation = await createInstallation()
after(() => installation.close())
const file = path.join(installation.home, 'bootstrap.env')
const { run } = installation
const settings = (...argv: string[]) => run(['settings', ...argv])
const reveal = async (key: string) => (await settings('get', key, '--reveal')).out
const stored = async () =>
  (await installation.db()).query<{ key: string; value: string }>(
    'select key, value from app_settings where is_secret order by key'
  )
const masterKey = () => installation.bootstrap().POINDEXTER_SECRET_KEY
const rotate = async () => JSON.parse((await settings('rotate-key', '--yes', '--json')).out)

test('with no secret at all, rotating leaves a row that tells which key counts', async () => {
  const before = masterKey()
  const { secrets, dry_run } = await rotate()
  assert.deepEqual([secrets, dry_run], [0, false])
  assert.notEqual(masterKey(), before)
  assert.deepEqual(
    (await stored()).map(({ key }) => key),
    ['secret_key_check']
  )
  const { status, err } = await run(['settings', 'list'], { env: { POINDEXTER_SECRET_KEY: before ?? '' } })
  assert.equal(status, 1)
  assert.match(err, /POINDEXTER_SECRET_KEY does not decrypt the stored setting secret_key_check/)
})

test('rotating encrypts every secret anew; values, clients and tokens live on, and the rest of the file stays', async () => {
  appendFileSync(file, '# a line of the operator\nPORT=9000\n')
  await settings('set', 'llm_api_key', 'hunter2')
  await settings('set', 'own_secret', 'päss wörd', '--secret')
  await run(['auth', 'migrate-brain'])
  const before = { rows: await stored(), file: installation.bootstrap() }
  const { status, out, err } = await settings('rotate-key', '--yes')
  assert.equal(status, 0, out)
  assert.match(out, new RegExp(`encrypts ${before.rows.length} secrets;`))
  assert.match(err, /another machine or with POINDEXTER_SECRET_KEY in its environment, needs the new key/)
  const rows = await stored()
  for (const [index, { key, value }] of rows.entries()) {
    assert.match(value, /^enc:v1:/)
    assert.deepEqual([key, value === before.rows[index]?.value], [before.rows[index]?.key, false])
  }
  assert.deepEqual([await reveal('llm_api_key'), await reveal('own_secret')], ['hunter2', 'päss wörd'])
  assert.equal((await run(['auth', 'mint-token', '--client', 'brain'])).status, 0)
  assert.deepEqual(installation.bootstrap(), { ...before.file, POINDEXTER_SECRET_KEY: masterKey() })
  assert.match(readFileSync(file, 'utf8'), /^# Keys.*# a line of the operator\nPORT=9000\n$/s)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('a dry run checks every secret and changes nothing', async () => {
  const before = [readFileSync(file, 'utf8'), await stored()]
  const result = JSON.parse((await settings('rotate-key', '--dry-run', '--json')).out)
  assert.deepEqual([result.dry_run, result.secrets, result.new_key_id], [true, (await stored()).length, null])
  assert.match(
    (await settings('rotate-key', '--dry-run')).out,
    /^The key [0-9a-f]{16} decrypts \d+ secrets?, to be encrypted again/
  )
  assert.deepEqual([readFileSync(file, 'utf8'), await stored()], before)
})

test('a person is asked, and no changes nothing; where nobody can be asked it needs --yes', async () => {
  const before = readFileSync(file, 'utf8')
  const { status, out } = await run(['settings', 'rotate-key'], { answer: '' })
  assert.deepEqual([status, out, readFileSync(file, 'utf8')], [1, '', before])
  for (const argv of [['rotate-key'], ['rotate-key', '--json']]) {
    const refused = await settings(...argv)
    assert.deepEqual([refused.status, refused.out, readFileSync(file, 'utf8')], [2, '', before])
    assert.match(refused.err, /Existing backups need .*add --yes to go on/)
  }
})

test('a key from the environment is refused, with what to do', async () => {
  const before = [readFileSync(file, 'utf8'), await stored()]
  const env = { POINDEXTER_SECRET_KEY: masterKey() ?? '' }
  for (const argv of [
    ['rotate-key', '--yes'],
    ['rotate-key', '--dry-run']
  ]) {
    const { status, out, err } = await run(['settings', ...argv], { env })
    assert.deepEqual([status, out], [1, ''])
    assert.match(err, /POINDEXTER_SECRET_KEY comes from the environment.*take it out of the environment, restart/)
  }
  assert.deepEqual([readFileSync(file, 'utf8'), await stored()], before)
})

test('a secret that does not decrypt stops the rotation before anything changes', async () => {
  const kernel = await installation.wire()
  await kernel.open()
  const db = await installation.db()
  await db.query("insert into app_settings (key, value, is_secret) values ('broken', 'enc:v1:AAAAAAAA', true)")
  const before = [readFileSync(file, 'utf8'), await stored()]
  await assert.rejects(rotateKey(kernel.keys, { dryRun: false }), {
    message: /does not decrypt broken, and nothing was/
  })
  assert.deepEqual([readFileSync(file, 'utf8'), await stored()], before)
  await db.query("delete from app_settings where key = 'broken'")
})

test('processes that run go on: they read, follow changes and write with the new key', async () => {
  const other = await installation.wire()
  await other.open()
  const unaware = await installation.wire()
  await unaware.open()
  await other.start({ worker: false })
  await rotate()
  // It was notified of nothing, and must not encrypt with the key it started with.
  await unaware.settings.set('llm_api_key', 'by the unaware')
  await until(() => other.settings.value('llm_api_key') === 'by the unaware')
  assert.equal(await reveal('llm_api_key'), 'by the unaware')
  await other.stop()
})

test('a process whose key came from its environment keeps what it knows, and refuses to write a secret', async () => {
  const stale = await installation.wire({ POINDEXTER_SECRET_KEY: masterKey() ?? '' })
  await stale.open()
  await rotate()
  assert.equal(stale.settings.value('own_secret'), 'päss wörd')
  await assert.rejects(stale.settings.set('llm_api_key', 'x'), { message: /^POINDEXTER_SECRET_KEY does not decrypt/ })
  assert.equal(await reveal('llm_api_key'), 'by the unaware')
})

test('rotations at once leave one key, and it is the one in the file', async () => {
  const kernels = await Promise.all([1, 2, 3].map(() => installation.wire()))
  for (const kernel of kernels) await kernel.open()
  const results = await Promise.all(kernels.map(kernel => rotateKey(kernel.keys, { dryRun: false })))
  assert.equal(new Set(results.map(({ new_key_id }) => new_key_id)).size, 3)
  assert.equal(installation.bootstrap().POINDEXTER_SECRET_KEY_NEXT, undefined)
  assert.equal(await reveal('own_secret'), 'päss wörd')
})

test('a rotation first ends one that was stopped after its commit, so that its key is not lost', async () => {
  const kernel = await installation.wire()
  await kernel.open()
  const before = masterKey() ?? ''
  await rotate()
  const after = masterKey() ?? ''
  updateBootstrap(installation.home, { POINDEXTER_SECRET_KEY: before, [nextKey]: after })
  const db = await installation.db()
  await db.script(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger refuse before update on app_settings for each row execute function refuse()`)
  await assert.rejects(rotateKey(kernel.keys, { dryRun: false }), { message: 'no' })
  await db.script('drop trigger refuse on app_settings')
  assert.deepEqual([masterKey(), installation.bootstrap()[nextKey]], [after, undefined])
  assert.equal(await reveal('own_secret'), 'päss wörd')
})

test('the keys that a killed process wrote beside the file are gone after the next command', async () => {
  const unfinished = path.join(installation.home, 'bootstrap.env.new')
  const before = installation.bootstrap()
  await installation.release()
  writeFileSync(unfinished, `POINDEXTER_SECRET_KEY=${masterKey()}\n`)
  assert.equal(await reveal('own_secret'), 'päss wörd')
  assert.equal(existsSync(unfinished), false)
  assert.deepEqual(installation.bootstrap(), before)
})

const dyingRotation = fileURLToPath(new URL('../../fixtures/dying-rotation.ts', import.meta.url))
const moments = ['before the update', 'before the commit', 'after the commit']
for (const moment of testServerUrl === undefined ? moments.slice(1) : moments) {
  test(`killed ${moment}, the next start has a key that works, and the file one key`, async () => {
    const before = masterKey()
    await installation.release()
    const child = spawn(process.execPath, [dyingRotation, moment], {
      env: { ...process.env, ...installation.env },
      stdio: 'inherit'
    })
    const [, signal] = await once(child, 'exit')
    assert.equal(signal, 'SIGKILL')
    assert.notEqual(installation.bootstrap().POINDEXTER_SECRET_KEY_NEXT, undefined)
    assert.equal(await reveal('own_secret'), 'päss wörd')
    assert.equal(installation.bootstrap().POINDEXTER_SECRET_KEY_NEXT, undefined)
    assert.equal(masterKey() === before, moment !== 'after the commit')
    const after = masterKey()
    await rotate()
    assert.notEqual(masterKey(), after)
    assert.equal(await reveal('own_secret'), 'päss wörd')
  })
}
