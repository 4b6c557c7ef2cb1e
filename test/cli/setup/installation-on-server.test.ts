import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { createPostgres } from '../../../cli/database/postgres/postgres.ts'
import { countSessions } from '../../../cli/database/repository.ts'
import type { Db } from '../../../core/contract/database.ts'
import { openOnServer, testServerUrl } from '../../helpers/database.ts'
import { createInstallation } from '../../helpers/program.ts'
import { until } from '../../helpers/until.ts'

// One installation on a server, in order.
const options = { skip: testServerUrl === undefined }
const place = createInstallation()
let server: Awaited<ReturnType<typeof openOnServer>>
/** Not taken for the service, which would be connected then. */
let beside: Db

before(async () => {
  if (testServerUrl === undefined) return
  server = await openOnServer(testServerUrl, { migrated: false })
  beside = createPostgres({ url: server.url, max: 1, applicationName: 'a test' })
})
after(async () => {
  await place.close()
  await beside?.close()
  await server?.db.close()
})

const discard = ['setup', '--discard-secrets', '--yes'] as const

test('on a server, a database that holds no installation has no secrets to discard', options, async () => {
  const empty = await place.runHere([...discard, '--db-url', server.url])
  assert.equal(empty.status, 1)
  assert.match(empty.stderr, /holds no installation: there are no secrets in it\. Run galley setup/)
})

test('on a server, setup makes an installation, and says what an empty one lacks before it', options, async () => {
  const argv = ['setup', '--db-url', server.url, '--json']
  const first = JSON.parse((await place.run(argv)).stdout)
  assert.equal(first.database, 'postgres')
  assert.ok(first.client_secret)
  const second = await place.run(argv)
  assert.deepEqual(
    { status: second.status, secret: JSON.parse(second.stdout).client_secret },
    { status: 0, secret: null }
  )
  const running = [place.start(['serve']), place.start(['worker'])] as const
  await Promise.all([running[0].says(/galley is ready at http/), running[1].says(/galley worker is ready/)])
  for (const { child } of running) child.kill('SIGTERM')
  assert.deepEqual([(await running[0].ended).status, (await running[1].ended).status], [0, 0])
})

test('migrations that this release does not know are refused by serve', options, async () => {
  const unknown = '29990101_000000_from_the_future.sql'
  const { stdout } = await place.runHere(['migrate', 'status', '--json'])
  assert.equal(JSON.parse(stdout).items[0].state, 'applied')
  await beside.query(`insert into schema_migrations (filename, checksum) values ($1, '')`, [unknown])
  const refused = await place.run(['serve'])
  assert.match(refused.stderr, new RegExp(`has the migration ${unknown}, which this version lacks`))
  assert.deepEqual([refused.status, refused.stdout], [1, ''])
  const check = await place.runHere(['setup', '--check'])
  assert.match(check.stdout, /^FAIL {2}migrations .*\n.*→ run the version of galley that this database belongs to/m)
  await beside.query('delete from schema_migrations where filename = $1', [unknown])
})

test('on a server, a key that is lost takes the secrets with it, and the database is named', options, async () => {
  assert.equal((await place.runHere(['settings', 'set', 'llm_api_key', 'hunter2'])).status, 0)
  rmSync(path.join(place.home, 'bootstrap.env'))
  // The server notices a moment later that the command before has gone.
  await until(async () => (await countSessions(beside)) === 0)
  const { status, stdout, stderr } = await place.run([...discard, '--db-url', server.url, '--json'])
  assert.equal(status, 0, stderr)
  assert.deepEqual(JSON.parse(stdout).discarded, ['llm_api_key'])
  const rows = await beside.query(`select details from audit_log where event_type = 'settings.secrets_discarded'`)
  assert.deepEqual(rows, [{ details: { keys: ['cli_oauth_client_secret', 'llm_api_key'] } }])
})
