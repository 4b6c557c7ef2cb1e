import assert from 'node:assert/strict'
import { execFileSync, fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  type Dir,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import fsPromises, { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { loadBackup } from '../../../cli/backup/load.ts'
import { readCompressed } from '../../../cli/backup/open-file.ts'
import { readBackup } from '../../../cli/backup/read.ts'
import { listNonEmptyTables } from '../../../cli/backup/repository/installation.ts'
import { completeRestore } from '../../../cli/backup/restore.ts'
import { openScratch } from '../../../cli/backup/scratch.ts'
import { createScratchDatabase, dropUnusedScratchDatabases } from '../../../cli/backup/scratch-repository.ts'
import { prepareNewFile } from '../../../cli/backup/write-file.ts'
import { createPostgres } from '../../../cli/database/postgres/postgres.ts'
import { createLog } from '../../../cli/log/json-log.ts'
import { createSchemaMigrator } from '../../../cli/migrations/migrator.ts'
import { ClientProvisionerService } from '../../../core/contract/client-provisioner.ts'
import { createKeyring } from '../../../core/keyring.ts'
import { BudgetError } from '../../../plugins/costs/index.ts'
import { expire, reserve } from '../../../plugins/costs/reservations.ts'
import {
  contentsOf,
  fill,
  jobsOf,
  openInstallation,
  postIds,
  rewrite,
  type TestInstallation,
  taskIds
} from '../../helpers/backup.ts'
import { readParts } from '../../helpers/crafted-backup.ts'
import { openEmbedded, openOnServer, openTestDatabase, testServerUrl } from '../../helpers/database.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { until } from '../../helpers/until.ts'
import { call, openPayments, prices, sums } from '../../plugins/costs/harness.ts'

const costSettings = { model_prices: prices, monthly_budget: 2.5 }
const folder = mkdtempSync(path.join(tmpdir(), 'galley-backups-'))
const good = path.join(folder, 'good.tar.gz')
let source: TestInstallation
const { signal } = new AbortController()

before(async () => {
  source = await openInstallation()
  await fill(source)
  for (const [table, who] of [
    ['site_pages', 'updated_by'],
    ['site_approved_pages', 'approved_by']
  ])
    await source.db.query(
      `insert into ${table} (slug, title, content, content_html, ${who}) values ('imprint', 'Imprint', 'Text', '<p>Text</p>\n', 'operator')`
    )
  // Two requests that were under way.
  const { deps } = openPayments(source.db, costSettings)
  for (let requests = 0; requests < 2; requests++) await reserve(deps, call, {})
  const { status, out, err } = await source.backup('create', '--file', good, '--json')
  assert.equal(status, 0, err)
  const summary = JSON.parse(out)
  assert.equal(summary.tables['public.posts'], postIds.length)
  // What is done is not to be done again.
  assert.equal(summary.tables['jobs.job'], taskIds.length)
  assert.equal(summary.files, 2)
})
after(async () => {
  await source.close()
  await target?.close()
  rmSync(folder, { recursive: true })
})

async function withInstallation<T>(
  options: Parameters<typeof openInstallation>[0],
  use: (there: TestInstallation) => Promise<T>
): Promise<T> {
  const there = await openInstallation(options)
  try {
    return await use(there)
  } finally {
    await there.close()
  }
}

async function assertRestored(there: TestInstallation): Promise<void> {
  assert.deepEqual(await contentsOf(there.db), await contentsOf(source.db))
  const jobs = await jobsOf(there.db)
  const expected = (await jobsOf(source.db))
    .filter(({ state }) => state !== 'completed')
    // What ran when the backup was made runs again.
    .map(job => ({ ...job, state: job.state === 'active' ? 'retry' : job.state }))
  assert.deepEqual(jobs, expected)
  const unknown = await there.db.query(`select from pg_class where oid = 'posts'::regclass and reltuples < 0`)
  assert.deepEqual(unknown, [], 'the planner knows how many posts there are')
  await there.kernel.settings.load()
  assert.equal(there.kernel.settings.value('llm_api_key'), 'sk-top-secret ✓')
  const media = path.join(there.home, 'media')
  assert.deepEqual(readdirSync(media).sort(), ['empty.txt', 'episodes'])
  assert.equal(readFileSync(path.join(media, 'episodes', `${postIds[0]}.mp3`)).length, 200_000)
  assert.deepEqual(
    readdirSync(there.home).filter(name => name.startsWith('.')),
    []
  )
}

/** A backup of the same, but for the HTML of a post and of a static page. */
async function backUpWithHtml(html: string): Promise<string> {
  const file = path.join(folder, 'html.tar.gz')
  const post = `from posts where post_id = '${postIds[0]}'`
  const [own] = await source.db.query<{ content_html: string }>(`select content_html ${post}`)
  const store = async (content_html = '', pageHtml = '<p>Text</p>\n') => {
    await source.db.query('update posts set content_html = $2, word_count = 3 where post_id = $1', [
      postIds[0] ?? '',
      content_html
    ])
    for (const table of ['site_pages', 'site_approved_pages'])
      await source.db.query(`update ${table} set content_html = $1`, [pageHtml])
  }
  await store(html, html)
  await source.backup('create', '--file', file)
  await store(own?.content_html)
  return file
}

/** The first restore is into this one, and the next one over it. */
let target: TestInstallation

test('a database without any table takes a backup; where its files cannot be put in place it says so, and the next command puts them there', async () => {
  const file = await backUpWithHtml('<script>alert(1)</script>')
  target = await openInstallation({ db: await openTestDatabase({ migrated: false }) })
  const created = await target.backup('create')
  assert.equal(created.status, 1)
  assert.match(created.err, /holds no installation yet/)
  assert.deepEqual(readdirSync(path.join(target.home, 'backups')), [])
  const media = path.join(target.home, 'media')
  // As of a disk that is not mounted.
  symlinkSync(path.join(target.home, 'nowhere'), media)
  const { status, err } = await target.backup('restore', file)
  assert.equal(status, 1)
  assert.match(
    err,
    /error: The database was restored\. The media files .* put in place .*: .* run galley backup create/
  )
  assert.equal((await target.db.query('select from posts')).length, postIds.length)
  const next = path.join(folder, 'after-restore.tar.gz')
  const refused = await target.backup('create', '--file', next)
  assert.match(refused.err, /could not be put in place .*ENOTDIR/)
  rmSync(media)
  assert.equal((await target.backup('create', '--file', next)).status, 0)
})

test('what was restored has every row, job, secret and file, its HTML made anew, and goes on from there', async () => {
  await assertRestored(target)
  const [next] = await target.db.query<{ id: number }>(
    `insert into post_history (post_id, action, to_status, actor) values ($1, 'x', 'draft', 'o') returning id`,
    [postIds[0] ?? '']
  )
  assert.equal(next?.id, 31, 'numbers that were given out are not given out again')
  const [found] = await target.db.query<{ count: number }>(
    'select count(*)::int as count from posts where length(content_hash) = 64'
  )
  assert.equal(found?.count, postIds.length, 'generated columns are made anew')
  await assert.rejects(target.db.query(`insert into post_slugs (slug, post_id) values ('s', gen_random_uuid())`), {
    code: '23503'
  })
  const { deps } = openPayments(target.db, costSettings)
  assert.deepEqual(await sums(target.db), { '2026-11': [0, 2], '2026-11-23': [0, 2] })
  await target.db.query("update cost_calls set lease_until = now() - interval '1 second'")
  assert.equal(await expire(deps, 10), 2)
  assert.deepEqual(await sums(target.db), { '2026-11': [2, 0], '2026-11-23': [2, 0] }, 'budgets hold after a restore')
  await assert.rejects(reserve(deps, call, {}), BudgetError)
  await target.kernel.open()
})

/** A backup of the same that says of every column's type what would fail, and read a file, if it were run. */
async function withCraftedTypes(): Promise<string> {
  const file = path.join(folder, 'typed.tar.gz')
  copyFileSync(good, file)
  await rewriteHeader(file, header => {
    const columns = (table: { columns: { name: string }[] }) =>
      table.columns.map(({ name }) => ({ name, type: "text || (1 / 0)::text || pg_read_file('PG_VERSION')" }))
    return {
      ...header,
      tables: header.tables.map((table: never) => Object.assign({}, table, { columns: columns(table) }))
    }
  })
  return file
}

test('a backup restores into an installation that was just set up, without --force', () =>
  withInstallation({}, async there => {
    await there.kernel.open()
    await there.kernel.service(ClientProvisionerService)?.provision({ rotate: false })
    const { status, err } = await there.backup('restore', good)
    assert.equal(status, 0, err)
    await assertRestored(there)
    // Numbers that PostgreSQL takes for logged, but that are not, because the transaction made the sequence.
    const [{ log_cnt } = { log_cnt: null }] = await there.db.query('select log_cnt from audit_log_id_seq')
    assert.equal(log_cnt, 0)
  }))

test('with --force a backup takes the place of everything there, and nothing that the file says of types is run', async () => {
  const file = await withCraftedTypes()
  await target.db.query(`insert into categories (slug, name) values ('mine', 'Mine')`)
  writeFileSync(path.join(target.home, 'media', 'old.txt'), 'old')
  const { status, err } = await target.backup('restore', file, '--force', '--yes')
  assert.equal(status, 0, err)
  await assertRestored(target)
  // On an embedded database that restore began with what verify does.
  if (testServerUrl === undefined) return
  const verified = await source.backup('verify', file, '--json')
  assert.equal(verified.status, 0, verified.out + verified.err)
})

test('a backup of a database with tables of the operator’s own is whole and restores without them, and says so', async () => {
  const file = path.join(folder, 'own-tables.tar.gz')
  await source.db.script(`create table own_notes (id serial primary key, note text); create table own_empty ();
    insert into own_notes (note) values ('mine')`)
  try {
    assert.equal((await source.backup('create', '--file', file)).status, 0)
    await source.db.query('create table "größen" (id int)')
    const refused = await source.backup('create', '--file', path.join(folder, 'unnamable.tar.gz'))
    assert.equal(refused.status, 1)
    assert.match(refused.err, /The table "public\.größen" cannot be backed up: .* Rename it, or move it to a schema/)
  } finally {
    await source.db.script('drop table own_notes, own_empty; drop table if exists "größen"')
  }
  const verified = await source.backup('verify', file)
  assert.equal(verified.status, 0, verified.out + verified.err)
  assert.match(verified.out, /Left out: public\.own_notes, public\.own_notes_id_seq\. .*schema of their own/)
  await withInstallation({}, async there => {
    await there.db.script(`create table "größen" (id int); create view own_view as select id from "größen";
      create type own_mood as enum ('calm', 'rough'); create domain own_depth as int;
      create type own_tide; create function own_in(cstring) returns own_tide language internal immutable strict as 'int4in';
      create function own_out(own_tide) returns cstring language internal immutable strict as 'int4out';
      create type own_tide (input = own_in, output = own_out, like = int4);
      create type own_pair as (a int, b text); create collation own_order from "C";
      create text search dictionary own_words (template = simple); create text search configuration own_search (copy = simple)`)
    const { status, out, err } = await there.backup('restore', file, '--json')
    assert.equal(status, 0, err)
    const { left_out, removed, tables } = JSON.parse(out)
    assert.deepEqual(
      [left_out, removed, tables['public.own_notes']],
      [
        ['public.own_notes', 'public.own_notes_id_seq'],
        [
          'public.größen',
          'public.own_depth',
          'public.own_in()',
          'public.own_mood',
          'public.own_out()',
          'public.own_tide',
          'public.own_view'
        ],
        undefined
      ]
    )
    const stayed = await there.db.query<{ name: string }>(
      `select typname as name from pg_type where typname like 'own\\_%' union select collname from pg_collation where collname like 'own\\_%'
       union select dictname from pg_ts_dict where dictname like 'own\\_%' union select cfgname from pg_ts_config where cfgname like 'own\\_%'
       order by name`
    )
    assert.deepEqual(
      stayed.map(({ name }) => name),
      ['own_order', 'own_pair', 'own_search', 'own_words']
    )
    await assertRestored(there)
  })
})

test('a restore into a running service leaves it its schedules, and what falls due runs', () =>
  withInstallation({}, async ({ db, kernel, backup }) => {
    await kernel.open()
    await kernel.jobs.install()
    await kernel.start({ worker: true })
    try {
      const schedules = () => db.query<{ name: string }>('select name, cron from jobs.schedule order by name')
      const before = await schedules()
      const { status, err } = await backup('restore', good, '--force', '--yes')
      assert.equal(status, 0, err)
      assert.deepEqual(await schedules(), before)
      // As a look at the schedules does with one that is due.
      const [due] = await db.query<{ id: string }>(
        `insert into jobs.job (name, data) values ('__pgboss__send-it', jsonb_build_object('name', $1::text)) returning id`,
        [before[0]?.name ?? '']
      )
      const passedOn = `select from jobs.job where id = $1 and state = 'completed'`
      await until(
        async () => (await db.query(passedOn, [due?.id ?? ''])).length > 0,
        'the running service passes it on'
      )
    } finally {
      await kernel.stop()
    }
  }))

/** A front end that records what it is told. */
async function startFrontEnd() {
  const requests: string[] = []
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', text => requests.push(text))
    request.on('end', () => response.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { requests, url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

const publishPost = ({ db }: TestInstallation, slug: string) =>
  db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     values ($1, $1, 'text', '<p>text</p>', 'published', now() - interval '1 hour')`,
    [slug]
  )

test('after a restore into a running service the export and front ends follow', () =>
  withInstallation({}, async installation => {
    const { db, home, kernel, backup } = installation
    await kernel.open()
    await kernel.jobs.install()
    await kernel.start({ worker: true })
    const frontEnd = await startFrontEnd()
    const exported = () =>
      readdirSync(path.join(home, 'export/posts')).filter(name => /^(tides|later)\.json$/.test(name))
    const file = path.join(folder, 'exported.tar.gz')
    const early = path.join(folder, 'before-the-first-export.tar.gz')
    const notified = async () => {
      // As the look of every minute does.
      await db.query(`insert into jobs.job (name, data) values ('revalidation.send', '{}')`)
      await until(() => frontEnd.requests.length > 0)
      return JSON.parse(frontEnd.requests[0] ?? '')
    }
    try {
      await kernel.settings.set('revalidate_url', frontEnd.url)
      assert.equal((await backup('create', '--file', early)).status, 0)
      await publishPost(installation, 'tides')
      assert.equal((await runCommand(kernel, 'export', 'refresh')).status, 0)
      assert.equal((await backup('create', '--file', file)).status, 0)
      await publishPost(installation, 'later')
      assert.equal((await runCommand(kernel, 'export', 'refresh')).status, 0)
      assert.deepEqual(exported(), ['later.json', 'tides.json'])
      // The backup says who is to be told, not what is set when it is restored.
      await kernel.settings.set('revalidate_url', '')
      frontEnd.requests.length = 0
      const { status, err } = await backup('restore', file, '--force', '--yes')
      assert.equal(status, 0, err)
      await until(() => exported().length === 1)
      assert.deepEqual(exported(), ['tides.json'])
      assert.deepEqual(await notified(), { paths: ['/'], tags: ['posts', 'settings'] })
      assert.equal((await backup('restore', early, '--force', '--yes')).status, 0)
      await until(() => exported().length === 0)
    } finally {
      frontEnd.close()
      await kernel.stop()
    }
  }))

test('a backup of one kind of database restores into the other', { skip: testServerUrl === undefined }, async () => {
  await withInstallation({ db: await openEmbedded() }, async there => {
    assert.equal((await there.backup('restore', good)).status, 0)
    await assertRestored(there)
    const file = path.join(folder, 'embedded.tar.gz')
    assert.equal((await there.backup('create', '--file', file)).status, 0)
    const { db } = await openOnServer(testServerUrl ?? '')
    await withInstallation({ db }, async back => {
      const { status, err } = await back.backup('restore', file)
      assert.equal(status, 0, err)
      await assertRestored(back)
    })
  })
})

test('on a server, verify uses a scratch database there, and drops it', {
  skip: testServerUrl === undefined
}, async () => {
  const { db, url } = await openOnServer(testServerUrl ?? '')
  // Other files verify on the server, too: a login of its own owns its scratch database.
  const login = `galley_verifier_${randomUUID().slice(0, 8)}`
  await db.script(`create role ${login} superuser login password 'one'`)
  const databaseUrl = Object.assign(new URL(url), { username: login, password: 'one' }).href
  await withInstallation({ db, databaseUrl }, async there => {
    const { status, out, err } = await there.backup('verify', good, '--json')
    assert.equal(status, 0, err)
    assert.equal(JSON.parse(out).scratch, 'server')
    const left = 'select datname from pg_database where pg_get_userbyid(datdba) = $1'
    assert.deepEqual(await db.query(left, [login]), [])
    const roles = `select rolname from pg_roles where rolname like 'galley\\_verify\\_%' and rolname <> $1 and pg_has_role($1, oid, 'member')
      and exists (select from pg_auth_members where roleid = pg_roles.oid and member = (select oid from pg_roles where rolname = $1))`
    assert.deepEqual(await db.query(roles, [login]), [])
    await db.script(`drop role ${login}`)
  })
})

test('a scratch database is removed once its maker is gone, and not before anybody is connected to it', {
  skip: testServerUrl === undefined
}, async () => {
  const name = `galley_verify_${randomBytes(8).toString('hex')}`
  const maker = createPostgres({ url: testServerUrl ?? '', max: 1, applicationName: name })
  const other = createPostgres({ url: testServerUrl ?? '', max: 1 })
  const found = () => other.query('select from pg_database where datname = $1', [name])
  await createScratchDatabase(maker, name)
  await dropUnusedScratchDatabases(other)
  assert.equal((await found()).length, 1)
  await maker.close()
  const session = 'select from pg_stat_activity where application_name = $1'
  await until(async () => (await other.query(session, [name])).length === 0, 'the session ends')
  await dropUnusedScratchDatabases(other)
  assert.equal((await found()).length, 0)
  await other.close()
})

const damage: Record<string, { change(file: string): void | Promise<void>; says: RegExp }> = {
  'a flipped byte near the beginning': { change: file => flip(file, 0.1), says: /damaged/ },
  'a flipped byte in the middle': { change: file => flip(file, 0.5), says: /damaged/ },
  'a flipped byte at the end': { change: file => flip(file, 0.9999), says: /damaged/ },
  'a file cut in half': {
    change: file => truncateSync(file, Math.floor(statSync(file).size / 2)),
    says: /damaged/
  },
  'a file without its last byte': { change: file => truncateSync(file, statSync(file).size - 1), says: /damaged/ },
  'an empty file': { change: file => truncateSync(file, 0), says: /is not a backup: it is empty/ },
  'a file that is something else': {
    change: file => writeFileSync(file, 'hello'),
    says: /is not a backup: it is no gzip file/
  },
  'a missing row': {
    change: file => rewriteRows(file, 'public.tasks', lines => lines.slice(1)),
    says: /public\.tasks has 11 rows in the file, and the manifest says 12/
  },
  'a changed row': {
    change: file => rewriteRows(file, 'public.tasks', lines => lines.map(line => line.replace('a topic', 'a tropic'))),
    says: /public\.tasks .* checksums differ/
  },
  'a row whose parent is missing, with a manifest to match': {
    change: file => withoutPosts(file),
    says: /damaged: a row is not accepted .*foreign key/
  },
  'a missing media file': {
    change: file => rewrite(file, (name, body) => (name === 'media/empty.txt' ? null : [name, body])),
    says: /holds 1 media files that are not the 2/
  },
  'a missing manifest': {
    change: file => rewrite(file, (name, body) => (name === 'manifest.json' ? null : [name, body])),
    says: /not whole/
  },
  'a file that would land elsewhere': {
    change: file =>
      rewrite(file, (name, body) => [name === 'media/empty.txt' ? 'media/../../outside.txt' : name, body]),
    says: /has an entry named "media\/\.\.\/\.\.\/outside\.txt"/
  },
  'a column that is not there': {
    change: file =>
      rewriteHeader(file, header => {
        header.tables.find((table: { name: string }) => table.name === 'public.tasks').columns[0].name =
          'x"; drop table posts; --'
        return header
      }),
    says: /the columns of its table public\.tasks are not those its migrations make/
  },
  'a header without a table': {
    change: file =>
      rewriteHeader(file, header => ({
        ...header,
        tables: header.tables.filter((table: { name: string }) => table.name !== 'public.newsletter_suppressions')
      })),
    says: /damaged: it lacks public\.newsletter_suppressions, which its migrations make/
  },
  'a sequence that is not there': {
    change: file =>
      rewriteHeader(file, header => ({
        ...header,
        sequences: [{ name: 'pg_catalog.x', last_value: '1', is_called: true }]
      })),
    says: /it has the sequence pg_catalog\.x, which its migrations do not make/
  },
  'a newer format': {
    change: file => rewriteHeader(file, header => ({ ...header, format: 2 })),
    says: /format 2, this version reads 1/
  },
  'a migration that is not here': {
    change: file =>
      rewriteHeader(file, header => ({
        ...header,
        migrations: [
          {
            name: '20990101_000000_later.sql',
            namespace: 'galley',
            checksum: 'x',
            applied_at: '2099-01-01 00:00:00+00'
          }
        ]
      })),
    says: /migrations that are not here \(20990101_000000_later\.sql\)/
  }
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  // Not past the checksum: the last byte before it has bits that stand for nothing.
  const place = at > 0.999 ? bytes.length - 6 : Math.floor(bytes.length * at)
  bytes[place] = (bytes[place] ?? 0) ^ 0x10
  writeFileSync(file, bytes)
}

const rewriteRows = (file: string, table: string, change: (lines: string[]) => string[]) =>
  rewrite(file, (name, body) => {
    if (!name.startsWith(`tables/${table}/`)) return [name, body]
    return [name, Buffer.from(`${change(body.toString().trimEnd().split('\n')).join('\n')}\n`)]
  })

// biome-ignore lint/suspicious/noExplicitAny: a header is changed at will
const rewriteHeader = (file: string, change: (header: any) => object) =>
  rewrite(file, (name, body) =>
    name === 'backup.json' ? [name, Buffer.from(JSON.stringify(change(JSON.parse(body.toString()))))] : [name, body]
  )

const withoutPosts = (file: string) =>
  rewrite(file, (name, body) => {
    if (name.startsWith('tables/public.posts/')) return null
    if (name !== 'manifest.json') return [name, body]
    const manifest = JSON.parse(body.toString())
    manifest.tables['public.posts'] = {
      rows: 0,
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    }
    return [name, Buffer.from(JSON.stringify(manifest))]
  })

/** What is wrong with a file, as far as reading it to its end tells. Verify and restore begin with that. */
const faultOf = (file: string): Promise<string | null> =>
  readParts(file).then(
    () => null,
    (error: Error) => error.message
  )

async function assertNotVerified(
  there: TestInstallation,
  file: string,
  { title, says }: { title: string; says: RegExp }
): Promise<void> {
  const { status, out, err } = await there.backup('verify', file, '--json')
  assert.equal(status, 1, `${title}: ${err}`)
  const { ok, problems } = JSON.parse(out)
  assert.equal(ok, false, title)
  assert.match(problems.join('\n'), says, title)
}

/** What loading a whole file tells. Verify and restore do it in a database that verify makes, or in the one at hand. */
const load = ({ db, kernel, config }: TestInstallation, file: string) =>
  db.transaction(tx =>
    loadBackup(readBackup(readCompressed(file, undefined), { files: null, maxRowBytes: 1024 ** 2, signal }), {
      tx,
      kind: db.kind,
      log: createLog('silent'),
      keyring: () => createKeyring(config),
      migratorOn: within =>
        createSchemaMigrator(
          within,
          kernel.plugins.map(({ plugin }) => plugin)
        ),
      signal,
      onProgress: () => {}
    })
  )

/** The commands say what reading and loading say: on an embedded database one of each shows it. */
const shownByCommands = ['a flipped byte near the beginning', 'a migration that is not here']

test('every damaged file is refused, and a refused restore changes nothing', () =>
  withInstallation({}, async there => {
    await there.kernel.open()
    await there.kernel.settings.set('llm_writer_model', 'as it was')
    mkdirSync(path.join(there.home, 'media'))
    writeFileSync(path.join(there.home, 'media', 'mine.txt'), 'mine')
    const before = await contentsOf(there.db)
    let knownByReading = 0
    for (const [title, { change, says }] of Object.entries(damage)) {
      const file = path.join(folder, 'damaged.tar.gz')
      copyFileSync(good, file)
      await change(file)
      const fault = await faultOf(file)
      if (fault !== null) {
        assert.match(fault, says, title)
        knownByReading += 1
      }
      const isShown = shownByCommands.includes(title)
      if (fault !== null && !isShown) continue
      if (fault === null && testServerUrl === undefined) {
        await assert.rejects(load(there, file), { message: says }, title)
        assert.deepEqual(await contentsOf(there.db), before, title)
        if (!isShown) continue
      }
      await assertNotVerified(there, file, { title, says })
      const restored = await there.backup('restore', file, '--force', '--yes')
      assert.equal(restored.status, 1, title)
      assert.match(restored.err, says, title)
      assert.deepEqual(await contentsOf(there.db), before, title)
      assert.deepEqual(readdirSync(there.home), ['media'], title)
      assert.equal(readFileSync(path.join(there.home, 'media', 'mine.txt'), 'utf8'), 'mine', title)
    }
    assert.ok(knownByReading > 10)
  }))

test('an installation that holds something is replaced only with --force, and not where nobody is asked', () =>
  withInstallation({}, async there => {
    await there.db.query(`insert into categories (slug, name) values ('mine', 'Mine')`)
    const refused = await there.backup('restore', good)
    assert.equal(refused.status, 1)
    assert.match(refused.err, /holds something \(categories\): add --force/)
    for (const json of [[], ['--json']]) {
      const unasked = await there.backup('restore', good, '--force', ...json)
      assert.equal(unasked.status, 2)
      assert.match(unasked.err, /no terminal to ask .*Replace everything in .*add --yes to go on/)
    }
    assert.equal((await there.db.query('select from categories')).length, 1)
  }))

test('a restore that is refused for the media there leaves no folder open', async t => {
  const opened: Dir[] = []
  const opendir = fsPromises.opendir
  t.mock.method(fsPromises, 'opendir', async (name: string) => {
    const dir = await opendir(name)
    opened.push(dir)
    return dir
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  await withInstallation({}, async there => {
    mkdirSync(path.join(there.home, 'media/episodes'), { recursive: true })
    writeFileSync(path.join(there.home, 'media/episodes/one.mp3'), 'one')
    const refused = await there.backup('restore', good)
    assert.equal(refused.status, 1)
    assert.match(refused.err, /holds something \(media\): add --force/)
    assert.ok(opened.length >= 2)
    for (const dir of opened) await assert.rejects(dir.close(), { code: 'ERR_DIR_CLOSED' }, dir.path)
  })
})

const ownRows: Record<string, (there: TestInstallation) => Promise<unknown>> = {
  app_settings: ({ kernel }) => kernel.settings.set('llm_api_key', 'later'),
  oauth_clients: ({ db }) =>
    db.query(`insert into oauth_clients (client_id, client_name, scope, secret_hash) values ('gly_x', 'x', 's', 'h')`)
}
for (const [table, add] of Object.entries(ownRows)) {
  test(`a row of ${table} counts as something; what setup makes does not`, () =>
    withInstallation({}, async there => {
      await there.kernel.open()
      await there.kernel.service(ClientProvisionerService)?.provision({ rotate: false })
      await there.kernel.service(ClientProvisionerService)?.provision({ rotate: true })
      assert.deepEqual(await listNonEmptyTables(there.db), [])
      await add(there)
      const before = await contentsOf(there.db)
      const refused = await there.backup('restore', good)
      assert.equal(refused.status, 1)
      assert.match(refused.err, new RegExp(`holds something \\(${table}\\): add --force`))
      assert.deepEqual(await contentsOf(there.db), before)
    }))
}

test('list shows what the folder of the home holds, the last written first, and what of it cannot be read', () =>
  withInstallation({}, async there => {
    assert.deepEqual(JSON.parse((await there.backup('list', '--json')).out), {
      items: [],
      total: 0,
      limit: 20,
      offset: 0
    })
    const backups = path.join(there.home, 'backups')
    mkdirSync(backups)
    const start = Date.now() / 1000
    const write = (name: string, change: (file: string) => void) => {
      change(path.join(backups, name))
      const at = start + readdirSync(backups).length
      utimesSync(path.join(backups, name), at, at)
    }
    write('a.tar.gz', file => copyFileSync(good, file))
    write('b.tar.gz', file => writeFileSync(file, 'hello'))
    write('c.tar.gz', file => writeFileSync(file, gzipSync(gunzipSync(readFileSync(good)))))
    write('d.tar.gz', file => {
      copyFileSync(good, file)
      truncateSync(file, 100)
    })
    write('.e.tar.gz.1.unfinished', file => writeFileSync(file, ''))
    write('f.tar.gz', file => execFileSync('mkfifo', [file]))
    const { items, total } = JSON.parse((await there.backup('list', '--json', '--limit', '5')).out)
    const named = Object.fromEntries(items.map((item: { file: string }) => [path.basename(item.file), item]))
    assert.equal(total, 5)
    const { created_at, galley, key_id, posts, files, rows, size, problem } = named['a.tar.gz']
    assert.deepEqual([posts, files, size, problem], [postIds.length, 2, statSync(good).size, null])
    assert.match(`${created_at} ${galley} ${key_id}`, /^\d{4}-.*Z \d+\.\d+\.\d+\S* [0-9a-f]{16}$/)
    assert.ok(rows > 100)
    assert.match(named['b.tar.gz'].problem, /is no gzip file/)
    assert.deepEqual([named['c.tar.gz'].posts, named['c.tar.gz'].created_at], [null, created_at])
    assert.match(named['c.tar.gz'].problem, /packed again/)
    assert.match(named['d.tar.gz'].problem, /damaged/)
    assert.match(named['f.tar.gz'].problem, /is a pipe or a device/)
    const { out } = await there.backup('list', '--limit', '1', '--offset', '4')
    assert.match(out, /a\.tar\.gz .* 30 /)
    assert.match(out, /1 of 5 in /)
  }))

test('a backup goes into the home by default, for its owner only, and never over another file', async () => {
  const { status, out } = await source.backup('create', '--json')
  assert.equal(status, 0)
  const { file } = JSON.parse(out)
  assert.match(file, /\/backups\/galley-\d{8}T\d{6}Z\.tar\.gz$/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const bytes = readFileSync(file)
  const again = await source.backup('create', '--file', file)
  assert.equal(again.status, 1)
  assert.match(again.err, /exists: name another file/)
  assert.deepEqual(readFileSync(file), bytes)
  const missing = await source.backup('verify', path.join(folder, 'nowhere.tar.gz'))
  assert.equal(missing.status, 1)
  assert.match(missing.err, /There is no file/)
  const place = await source.backup('verify', folder)
  assert.deepEqual([place.status, place.out], [1, ''])
  assert.match(place.err, /^error: \S+ is a folder: name the file of the backup\.$/)
  const mistyped = path.join(folder, 'typo', 'b.tar.gz')
  const elsewhere = await source.backup('create', '--file', mistyped)
  assert.equal(elsewhere.status, 1)
  assert.match(elsewhere.err, /^error: There is no folder \S+typo: make it, or name another file\.$/)
  assert.equal(existsSync(path.dirname(mistyped)), false)
})

test('a full disk leaves no file behind, and says so', t => {
  const small = mkdtempSync(path.join(folder, 'small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small], { stdio: 'ignore' })
  } catch {
    return t.skip('a small disk cannot be mounted here')
  }
  return source
    .backup('create', '--file', path.join(small, 'b.tar.gz'))
    .then(({ status, err }) => {
      assert.equal(status, 1)
      assert.match(err, /the disk is full: make room/)
      assert.deepEqual(readdirSync(small), [])
    })
    .finally(() => execFileSync('umount', ['-l', small]))
})

test('a create that is killed leaves no file under the name, and the next one tidies up', async () => {
  const place = mkdtempSync(path.join(folder, 'killed-'))
  const file = path.join(place, 'b.tar.gz')
  const child = fork(new URL('../../fixtures/dying-backup.ts', import.meta.url), [file])
  await once(child, 'message')
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal(existsSync(file), false)
  assert.equal(readdirSync(place).length, 1)
  const next = await prepareNewFile(file)
  assert.deepEqual(readdirSync(place), [])
  await next.discard()
})

test('where a file system has no links, a backup is copied to its name and is on disk', async t => {
  const file = path.join(mkdtempSync(path.join(folder, 'linkless-')), 'b.tar.gz')
  const handle = await open(good, 'r')
  const sync = t.mock.method(Object.getPrototypeOf(handle), 'sync')
  await handle.close()
  t.mock.method(fsPromises, 'link', () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' })))
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  const { status, err } = await source.backup('create', '--file', file)
  assert.equal(status, 0, err)
  assert.deepEqual(readdirSync(path.dirname(file)), ['b.tar.gz'])
  // What was written, its copy and the folder.
  assert.equal(sync.mock.callCount(), 3)
})

test('a login that may not make databases verifies in an embedded one', {
  skip: testServerUrl === undefined
}, async () => {
  const { db, url } = await openOnServer(testServerUrl ?? '')
  const login = `galley_verifier_${randomUUID().slice(0, 8)}`
  await db.script(`create role ${login} login password 'one'`)
  const databaseUrl = Object.assign(new URL(url), { username: login, password: 'one' }).href
  const scratch = await openScratch({ databaseUrl, home: source.home })
  assert.equal(scratch.kind, 'embedded')
  await scratch.dispose()
  await db.script(`drop role ${login}`)
  await db.close()
})

test('a scratch database that the server refuses for another reason than rights is no reason to take another one', async () => {
  await assert.rejects(openScratch({ databaseUrl: 'postgres://127.0.0.1:1/none', home: source.home }), {
    code: 'ECONNREFUSED'
  })
})

test('a restore killed before its files were exchanged is brought to its end; one killed earlier is undone', () =>
  withInstallation({}, async there => {
    const id = '11111111-1111-4111-8111-111111111111'
    const left = path.join(there.home, `.restore-999999999-${id}`)
    const stage = () => {
      mkdirSync(path.join(left, 'media'), { recursive: true })
      writeFileSync(path.join(left, 'media', 'new.txt'), 'new')
    }
    mkdirSync(path.join(there.home, 'media'))
    writeFileSync(path.join(there.home, 'media', 'old.txt'), 'old')
    stage()
    await completeRestore(there.db, there.home)
    assert.deepEqual(readdirSync(path.join(there.home, 'media')), ['old.txt'])
    assert.equal(existsSync(left), false)
    stage()
    await there.db.query(
      `insert into audit_log (event_type, actor, details) values ('backup_restored', 'operator', $1)`,
      [JSON.stringify({ restore_id: id })]
    )
    await completeRestore(there.db, there.home)
    assert.deepEqual(readdirSync(path.join(there.home, 'media')), ['new.txt'])
    assert.equal(existsSync(left), false)
  }))
