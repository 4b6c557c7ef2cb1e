import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { parseEnv } from 'node:util'
import { createPostgres } from '../../cli/database/postgres/postgres.ts'
import { createLog } from '../../cli/log/json-log.ts'
import { createSchemaMigrator } from '../../cli/migrations/migrator.ts'
import { moveContents } from '../../cli/move/transfer.ts'
import type { Db } from '../../core/contract/database.ts'
import { createKeyring } from '../../core/keyring.ts'
import { contentsOf, fill, jobsOf, openInstallation, type TestInstallation } from '../helpers/backup.ts'
import { openEmbedded, openOnServer, openTestDatabase, testServerUrl } from '../helpers/database.ts'
import { installHome } from '../helpers/installed-home.ts'
import { createInstallation } from '../helpers/program.ts'
import { until } from '../helpers/until.ts'

let source: TestInstallation
before(async () => {
  source = await openInstallation()
  await fill(source)
})
after(() => source.close())

interface Given {
  id?: string
  unfinishedId?: string
  onVerified?(): Promise<void>
}

const moveTo = (target: Db, { id = randomUUID(), unfinishedId, onVerified = async () => {} }: Given = {}) =>
  moveContents({
    db: source.db,
    target,
    targetName: 'the other database',
    id,
    unfinishedId,
    home: source.home,
    keyring: createKeyring(source.config),
    version: '0.1.0',
    log: createLog('silent'),
    now: () => new Date(),
    signal: new AbortController().signal,
    onProgress: () => {},
    onLoaded: () => {},
    onVerified,
    migratorOn: db =>
      createSchemaMigrator(
        db,
        source.kernel.plugins.map(({ plugin }) => plugin)
      )
  })

async function withTarget(use: (target: Db) => Promise<void>, open = () => openTestDatabase({ migrated: false })) {
  const target = await open()
  try {
    await use(target)
  } finally {
    await target.close()
  }
}

const kinds: Readonly<Record<string, () => Promise<Db>>> = {
  'of its own kind': () => openTestDatabase({ migrated: false }),
  ...(testServerUrl === undefined ? {} : { 'of the other kind': () => openEmbedded({ migrated: false }) })
}
for (const [kind, open] of Object.entries(kinds)) {
  test(`everything moves into a database ${kind} that is empty or holds what a killed move has left, and the source is as it was`, () =>
    withTarget(async target => {
      await target.script(
        'create table visitors (name text); create function f() returns int language sql as $$ select 1 $$'
      )
      await assert.rejects(moveTo(target), /the other database is not empty \(f, visitors\): name an empty database/)
      assert.deepEqual(await contentsOf(target), { visitors: [] })
      await target.script('drop table visitors; drop function f()')
      const before = await contentsOf(source.db)
      const id = randomUUID()
      const killed = async () => {
        throw new Error('killed')
      }
      await assert.rejects(moveTo(target, { id, onVerified: killed }), /killed/)
      await assert.rejects(
        moveTo(target, { unfinishedId: randomUUID() }),
        /the other database is not empty \(.*posts.*\)|…\): name an empty database/
      )
      const { faults, secrets } = await moveTo(target, { unfinishedId: id })
      assert.deepEqual([faults, secrets], [[], 2])
      assert.deepEqual(await contentsOf(source.db), before)
      const { schema_migrations: _, ...moved } = await contentsOf(target)
      const { schema_migrations: __, ...rowsBefore } = before
      assert.deepEqual(moved, rowsBefore)
      const undone = (jobs: Record<string, unknown>[]) =>
        jobs.flatMap(({ id, state }) =>
          state === 'completed' ? [] : [`${id} ${state === 'active' ? 'retry' : state}`]
        )
      assert.deepEqual(undone(await jobsOf(target)), undone(await jobsOf(source.db)))
      await assert.rejects(moveTo(target), /the other database is not empty/)
    }, open))
}

test('nobody writes to the source while it moves', { skip: testServerUrl === undefined }, () =>
  withTarget(async target => {
    const proved = Promise.withResolvers<void>()
    const insert = `insert into categories (slug, name) values ('late', 'Late')`
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query = $1`
    const writing = proved.promise.then(() => source.db.query(insert))
    const waiting = proved.promise.then(() =>
      until(async () => (await source.db.query(waits, [insert])).length > 0, 'the writer waits')
    )
    await moveTo(target, {
      onVerified: async () => {
        proved.resolve()
        await waiting
      }
    })
    await writing
    await source.db.query(`delete from categories where slug = 'late'`)
  })
)

test('a database is not moved onto itself', { skip: testServerUrl === undefined }, async () => {
  const { db, url } = await openOnServer(testServerUrl ?? '', { migrated: false })
  const other = createPostgres({ url, max: 2 })
  await moveTo(db)
  const there = { ...source, db }
  const { db: firstDb } = source
  source = there
  await assert.rejects(moveTo(other), /is the database in use already/)
  source = { ...there, db: firstDb }
  await other.close()
  await db.close()
})

const place = createInstallation()
after(() => place.close())
const bootstrap = () => parseEnv(readFileSync(path.join(place.home, 'bootstrap.env'), 'utf8'))
const leftovers = () => readdirSync(place.home).filter(name => /^\.move|^move\./.test(name))

test('a home is moved only where nothing is in the way, and what is wrong is said', async () => {
  const none = await place.runHere(['move', '--to', 'embedded'])
  assert.match(none.stderr, /is not set up: run galley setup/)
  await installHome(place)
  const refusals: [argv: string[], says: RegExp, env?: Record<string, string>][] = [
    [['move'], /--to is required|required/],
    [['move', '--to', 'mysql://user:secret@host/db'], /begins with postgres:\/\/ or postgresql:\/\/, not mysql:\/\//],
    [['move', '--to', 'embedded'], /the embedded database is in use already/],
    [['move', '--to', 'postgres://127.0.0.1:1/none'], /the database none on 127\.0\.0\.1:1 cannot be used/],
    [
      ['move', '--to', 'embedded'],
      /DATABASE_URL is set in the environment/,
      { DATABASE_URL: 'postgres://127.0.0.1:1/x' }
    ]
  ]
  const before = bootstrap()
  for (const [argv, says, env = {}] of refusals) {
    const { status, stderr } = await place.runHere(argv, { env })
    assert.notEqual(status, 0, argv.join(' '))
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /secret/)
  }
  assert.deepEqual([bootstrap(), leftovers()], [before, []])
  const server = place.start(['serve', '--no-worker'])
  await server.says(/galley is ready/)
  const beside = await place.runHere(['move', '--to', 'postgres://127.0.0.1:1/none'])
  assert.equal(beside.status, 1)
  assert.match(beside.stderr, /A server runs on .* \(process \d+\): stop it, move, and start it again/)
  server.child.kill('SIGTERM')
  await server.ended
})

test('a home goes to a server and back, its bootstrap.env last; killed before that, the old database is in use', {
  skip: testServerUrl === undefined
}, async () => {
  const { db, url } = await openOnServer(testServerUrl ?? '', { migrated: false })
  assert.equal((await place.runHere(['settings', 'set', 'site_title', 'It moved'])).status, 0)
  const before = bootstrap()
  const killed = place.start(['move', '--to', url])
  const writes = `select from pg_stat_activity where datname = current_database() and application_name = 'galley move'
    and xact_start is not null`
  // The service's own name would be taken for it.
  const watch = createPostgres({ url, max: 1, applicationName: 'a test' })
  await until(async () => (await watch.query(writes)).length > 0, 'it writes to the target')
  await watch.close()
  killed.child.kill('SIGKILL')
  await killed.ended
  assert.deepEqual(bootstrap(), before)
  const there = await place.run(['move', '--to', url, '--json'])
  assert.equal(there.status, 0, there.stderr)
  assert.deepEqual(bootstrap(), { ...before, DATABASE_URL: url })
  const title = async () => JSON.parse((await place.runHere(['settings', 'get', 'site_title', '--json'])).stdout).value
  assert.equal(await title(), 'It moved')
  const occupied = await place.runHere(['move', '--to', 'embedded'])
  assert.match(occupied.stderr, /data holds a database that is not in use: rename or remove that folder first/)
  renameSync(path.join(place.home, 'data'), path.join(place.home, 'data.old'))
  mkdirSync(path.join(place.home, '.move-01234567'))
  writeFileSync(path.join(place.home, '.move-01234567', 'x'), 'of a move that was killed')
  const server = place.start(['serve', '--no-worker'])
  await server.says(/galley is ready/)
  const beside = await place.runHere(['move', '--to', 'embedded'])
  assert.match(
    beside.stderr,
    /The service is connected to the database .* \(\d+ sessions?\): stop its servers and workers/
  )
  server.child.kill('SIGTERM')
  await server.ended
  const back = await place.runHere(['move', '--to', 'embedded'])
  assert.equal(back.status, 0, back.stderr)
  assert.deepEqual([bootstrap(), leftovers()], [before, []])
  assert.equal(await title(), 'It moved')
  assert.ok(existsSync(path.join(place.home, 'data', 'PG_VERSION')))
  rmSync(path.join(place.home, 'data.old'), { recursive: true })
  await db.close()
})
