import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { parseEnv } from 'node:util'
import { openOnServer, testServerUrl } from '../../helpers/database.ts'
import { installHome } from '../../helpers/installed-home.ts'
import { createInstallation, type Finished } from '../../helpers/program.ts'

// A backup and the key its secrets need, while a server runs that has had the key before; in order.
const place = createInstallation()
const database = testServerUrl === undefined ? undefined : await openOnServer(testServerUrl, { migrated: false })
after(async () => {
  await place.close()
  await database?.db.close()
})

async function run(...argv: string[]): Promise<Finished> {
  const finished = await place.runHere(argv)
  assert.equal(finished.status, 0, finished.stderr)
  return finished
}
const bootstrap = path.join(place.home, 'bootstrap.env')
const old = path.join(place.home, 'old.tar.gz')
const current = path.join(place.home, 'current.tar.gz')
const restore = (file: string) => place.runHere(['backup', 'restore', file, '--force', '--yes'])

test('beside a server, a backup that needs a key from before a rotation is neither whole nor restored', async () => {
  await (database === undefined ? installHome(place) : run('setup', '--db-url', database.url))
  const server = place.start(['serve'])
  await server.says(/galley is ready at/)
  for (const key of ['llm_api_key', 'embedder_api_key']) await run('settings', 'set', key, 'before')
  const { key_id } = JSON.parse((await run('backup', 'create', '--file', old, '--json')).stdout)
  await run('settings', 'rotate-key', '--yes')
  await run('settings', 'set', 'llm_api_key', 'after')
  await run('backup', 'create', '--file', current)

  const restored = await restore(old)
  assert.equal(restored.status, 1)
  assert.match(
    restored.stderr,
    new RegExp(
      `Nothing was restored\\. The secrets .*embedder_api_key, llm_api_key need the key ${key_id}, .* here is the key [0-9a-f]{16}`
    )
  )
  assert.match(restored.stderr, /bootstrap\.env of the installation that made/)
  // On an embedded database that restore began with what verify does.
  const verified = database === undefined ? undefined : await place.runHere(['backup', 'verify', old, '--json'])
  if (verified !== undefined) {
    assert.equal(verified.status, 1)
    assert.match(JSON.parse(verified.stdout).problems.join('\n'), new RegExp(`llm_api_key need the key ${key_id}`))
  }
  assert.equal((await run('settings', 'get', 'llm_api_key', '--reveal')).stdout, 'after\n')
  const { POINDEXTER_SECRET_KEY: secretKey = '' } = parseEnv(readFileSync(bootstrap, 'utf8'))
  assert.ok(secretKey !== '' && !`${verified?.stdout} ${restored.stderr}`.includes(secretKey))

  assert.equal((await restore(current)).status, 0)

  const original = readFileSync(bootstrap, 'utf8')
  writeFileSync(bootstrap, original.replace(/^POINDEXTER_SECRET_KEY=.*$/m, ''))
  const keyless = await restore(current)
  assert.equal(keyless.status, 1)
  assert.match(keyless.stderr, /POINDEXTER_SECRET_KEY/)
  writeFileSync(bootstrap, original)

  server.child.kill('SIGTERM')
  assert.equal((await server.ended).status, 0)
  assert.equal((await run('settings', 'get', 'llm_api_key', '--reveal')).stdout, 'after\n')
})
