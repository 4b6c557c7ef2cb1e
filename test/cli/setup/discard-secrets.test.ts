import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { parseEnv } from 'node:util'
import { installHome } from '../../helpers/installed-home.ts'
import { createInstallation } from '../../helpers/program.ts'

// One home that loses its key twice: with bootstrap.env, and to another key.
const place = createInstallation()
after(() => place.close())
const file = path.join(place.home, 'bootstrap.env')
const bootstrap = () => parseEnv(readFileSync(file, 'utf8'))
const json = async (argv: readonly string[]) => {
  const { status, stdout, stderr } = await place.runHere([...argv, '--json'])
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}
const discard = ['setup', '--discard-secrets', '--yes'] as const

test('a key that is lost with bootstrap.env takes the secrets with it, and nothing else', async () => {
  await installHome(place)
  await json(['settings', 'set', 'llm_api_key', 'hunter2'])
  await json(['settings', 'set', 'site_title', 'Still here'])
  await json(['auth', 'migrate-brain'])
  const before = bootstrap()
  const needless = await place.runHere(discard)
  assert.equal(needless.status, 1)
  assert.match(needless.stderr, /opens every secret \(\d+\): there is nothing to discard\. Nothing was changed/)
  assert.deepEqual(bootstrap(), before)
  rmSync(file)
  const refused = await place.runHere(['setup'])
  assert.match(refused.stderr, /its keys are missing: put bootstrap\.env back, .*run galley setup --discard-secrets/)
  const unasked = await place.runHere(['setup', '--discard-secrets'])
  assert.equal(unasked.status, 2)
  assert.match(unasked.stderr, /deleted for good.*add --yes to go on/)
  assert.equal(existsSync(file), false)
  const { status, stdout, stderr } = await place.runHere(discard)
  assert.equal(status, 0, stderr)
  assert.match(stdout, /client_secret {2}\S{40,}/)
  assert.match(
    stdout,
    /To be set again:\n {2}brain_oauth_client_secret: galley auth migrate-brain\n {2}llm_api_key: galley settings set llm_api_key\n$/
  )
  assert.notEqual(bootstrap().POINDEXTER_SECRET_KEY, before.POINDEXTER_SECRET_KEY)
  assert.equal((await json(['settings', 'get', 'site_title'])).value, 'Still here')
  assert.equal((await json(['settings', 'get', 'llm_api_key', '--reveal'])).value, '')
  assert.equal((await place.runHere(['auth', 'mint-token', '--client', 'cli'])).status, 0)
})

test('a key that opens nothing is replaced, and its file kept; one that opens some stays', async () => {
  await json(['settings', 'set', 'llm_api_key', 'again'])
  const right = readFileSync(file, 'utf8')
  const wrong = Buffer.alloc(32, 9).toString('base64')
  writeFileSync(file, right.replace(/^POINDEXTER_SECRET_KEY=.*$/m, `POINDEXTER_SECRET_KEY=${wrong}`))
  const started = await place.runHere(['settings', 'list'])
  assert.match(started.stderr, /does not decrypt .*If it is lost, run galley setup --discard-secrets/)
  const { discarded, client_secret } = await json(discard)
  assert.deepEqual([discarded, typeof client_secret], [['llm_api_key'], 'string'])
  assert.equal(parseEnv(readFileSync(`${file}.before-discard`, 'utf8')).POINDEXTER_SECRET_KEY, wrong)
  assert.notEqual(bootstrap().POINDEXTER_SECRET_KEY, wrong)
  const other = Buffer.alloc(32, 8).toString('base64')
  writeFileSync(file, right.replace(/^POINDEXTER_SECRET_KEY=.*$/m, `POINDEXTER_SECRET_KEY=${other}`))
  await json(discard)
  const copies = ['.before-discard', '.before-discard-2'].map(end => parseEnv(readFileSync(file + end, 'utf8')))
  assert.deepEqual(
    copies.map(copy => copy.POINDEXTER_SECRET_KEY),
    [wrong, other],
    'the key that was lost first is still to be had'
  )
  const { items } = await json(['events', '--audit']).catch(() => ({ items: null }))
  if (items !== null)
    assert.ok(items.some((item: { event_type: string }) => item.event_type === 'settings.secrets_discarded'))
})

test('beside a running server nothing is discarded', async () => {
  const server = place.start(['serve', '--no-worker'])
  await server.says(/galley is ready/)
  const { status, stderr } = await place.runHere(discard)
  assert.equal(status, 1)
  assert.match(stderr, /A server runs on .*: stop it first/)
  server.child.kill('SIGTERM')
  await server.ended
})
