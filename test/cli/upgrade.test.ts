import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { parseEnv } from 'node:util'
import type { Db } from '../../core/contract/database.ts'
import { packageRoot } from '../../core/paths.ts'
import { contentsOf, fill, openInstallation, postIds } from '../helpers/backup.ts'
import { openOnServer, testServerUrl } from '../helpers/database.ts'
import { installHome } from '../helpers/installed-home.ts'
import { createInstallation } from '../helpers/program.ts'
import { copyRelease } from '../helpers/release.ts'
import { useDatabase } from '../helpers/use-database.ts'

// One installation goes through a release and back, in order.
const place = createInstallation()
const releases = mkdtempSync(path.join(tmpdir(), 'galley-releases-'))
const newer = copyRelease(path.join(releases, 'newer'), '99.0.0')
const server = testServerUrl === undefined ? undefined : await openOnServer(testServerUrl, { migrated: false })
after(async () => {
  await place.close()
  await server?.db.close()
  rmSync(releases, { recursive: true })
})

const baseline = readdirSync(path.join(packageRoot, 'migrations')).filter(name => name.endsWith('.sql'))
const added = ['29990101_000000_reading_minutes.sql', '29990102_000000_task_notes.sql']
newer.migration(
  added[0] as string,
  `--! up
alter table posts add column reading_minutes integer;
update posts set reading_minutes = 1 + length(content) / 1000;
alter table posts alter column reading_minutes set not null;
--! down
alter table posts drop column reading_minutes;
`
)
newer.migration(
  added[1] as string,
  `--! up
create table task_notes (task_id uuid primary key references tasks (task_id), note text not null);
insert into task_notes select task_id, topic from tasks;
--! down
drop table task_notes;
`
)

/** What it serves is refused before anything is served: that needs no process. */
const old = (...argv: string[]) => place.runHere(argv)
const next = (...argv: string[]) => place.run(argv, { bin: newer.bin })
const bootstrap = () => parseEnv(readFileSync(path.join(place.home, 'bootstrap.env'), 'utf8'))

const withDatabase = <T>(use: (db: Db) => Promise<T>): Promise<T> => useDatabase(place.home, server?.url, use)

/** Everything stored but which migrations are applied, and when. */
const contents = () =>
  withDatabase(async db => {
    const { schema_migrations, ...tables } = await contentsOf(db)
    return tables
  })
type Contents = Awaited<ReturnType<typeof contents>>
let original: Contents

/** What a running service leaves alone; every passage has its vector by the model that serves, so it makes none. */
function assertUntouched(now: Contents): void {
  for (const table of ['posts', 'post_history', 'categories', 'memory_entries', 'memory_embeddings'])
    assert.deepEqual(now[table], original[table], table)
}

before(async () => {
  if (server === undefined) await installHome(place)
  else assert.equal((await old('setup', '--db-url', server.url)).status, 0)
  await withDatabase(async db => {
    const { POINDEXTER_SECRET_KEY: secretKey = '' } = bootstrap()
    await fill(await openInstallation({ db, home: place.home, secretKey }))
  })
  original = await contents()
})

const pending = /^error: The database lacks 2 migration\(s\), the first is 29990101_\S+: run "galley migrate up"/

test('the newer release refuses the older database, and says what to run', async () => {
  for (const argv of [['serve'], ['posts', 'list']]) {
    const { status, stdout, stderr } = await next(...argv)
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, pending)
  }
  assert.deepEqual(await contents(), original)
})

test('a migration that fails on the data stops there, names the statement, and nothing is lost', async () => {
  const bad = '29990103_000000_short_titles.sql'
  newer.migration(bad, "--! up\ncreate table extra (id int);\nalter table posts add check (title like 'no%');\n")
  const { status, stdout } = await next('migrate', 'up', '--json')
  assert.equal(status, 1)
  const summary = JSON.parse(stdout)
  assert.deepEqual([summary.applied, summary.skipped, summary.pending], [added, baseline, []])
  assert.match(summary.failed[0].message, /_short_titles\.sql: statement 2 at line 3 \(alter table posts add check/)
  newer.migration(bad, '--! up\nselect 1;\n')
  assert.equal((await next('migrate', 'up')).status, 0)
})

test('upgraded, the newer release serves the same data, and its secrets decrypt', async () => {
  const running = place.start(['serve'], { bin: newer.bin })
  await running.says(/galley is ready at/)
  assert.equal((await next('settings', 'get', 'llm_api_key', '--reveal')).stdout, 'sk-top-secret ✓\n')
  assert.equal(JSON.parse((await next('posts', 'list', '--json')).stdout).total, postIds.length)
  for (const argv of [['posts', 'list'], ['migrate', 'up'], ['serve'], ['setup', '--force']]) {
    const { status, stdout, stderr } = await old(...argv)
    assert.deepEqual([status, stdout], [1, ''], argv.join(' '))
    if (server === undefined) assert.match(stderr, /is galley 99\.0\.0, this is \S+: restart it with this version/)
    else
      assert.match(
        stderr,
        /3 migrations \(29990101_000000_.*\), which this version lacks: run the version that applied them/
      )
  }
  running.child.kill('SIGTERM')
  assert.equal((await running.ended).status, 0)
})

test('the older release refuses the newer database', async () => {
  for (const argv of [['serve'], ['posts', 'list'], ['migrate', 'up']]) {
    const { status, stdout, stderr } = await old(...argv)
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(
      stderr,
      /3 migrations \(29990101_000000_.*\), which this version lacks: run the version that applied them/
    )
  }
})

test('down skips what has no rollback, undoes the rest, and the data is as it was', async () => {
  const { status, stdout } = await next('migrate', 'down', '--to', '29990101_000000', '--json')
  assert.equal(status, 1)
  const last = '29990103_000000_short_titles.sql'
  assert.deepEqual(JSON.parse(stdout), { rolled_back: [...added].reverse(), skipped: [last], failed: [], pending: [] })
  await withDatabase(db => db.query('delete from schema_migrations where filename = $1', [last]))
  newer.migration(last, '--! up\nselect 1;\n--! down\nselect 1;\n')
  const now = await contents()
  assert.deepEqual(Object.keys(now), Object.keys(original))
  assertUntouched(now)
})

test('up again and all the way back, the older release goes on with its own data', async () => {
  const up = JSON.parse((await next('migrate', 'up', '--json')).stdout)
  assert.equal(up.applied.length, 3)
  const down = await next('migrate', 'down', '--to', added[0] as string)
  assert.equal(down.status, 0, down.stderr)
  assert.match(down.stdout, /rolled back 3, skipped 0, failed 0, pending 0\n$/)
  assert.equal((await old('migrate', 'up')).stdout, `applied 0, skipped ${baseline.length}, failed 0, pending 0\n`)
  const running = place.start(['serve'])
  await running.says(/galley is ready at/)
  assert.equal((await old('auth', 'mint-token')).status, 0)
  assert.equal(JSON.parse((await old('posts', 'list', '--json')).stdout).total, postIds.length)
  running.child.kill('SIGTERM')
  assert.equal((await running.ended).status, 0)
  assertUntouched(await contents())
})
