import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../../../cli/database/open.ts'
import { createMigrator, type Migrator } from '../../../cli/migrations/migrator.ts'
import type { Db } from '../../../core/contract/database.ts'
import { checkServer } from '../../../core/db/postgres/requirements.ts'
import { openOnServer, openTestDatabase, testServerUrl } from '../../helpers/database.ts'

const first = '20260101_000000_first.sql'
const second = '20260102_000000_second.sql'
const third = '20260103_000000_third.sql'
const files: Record<string, string> = {
  [first]: '--! up\ncreate table a (id int);\ninsert into a values (1);\n--! down\ndrop table a;\n',
  [second]: '--! up\ncreate table b (id int);\n',
  [third]: '--! up\ncreate table c (id int);\ninsert into c values (1);\n--! down\ndrop table c;\n'
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'galley-migrations-'))
  for (const [name, text] of Object.entries(files)) write(name, text)
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

describe('the migrator', () => {
  let db: Db
  before(async () => {
    db = await openTestDatabase({ migrated: false })
  })
  after(() => db.close())
  beforeEach(() => db.script('drop table if exists a, b, c, schema_migrations'))

  const migrator = (): Migrator => createMigrator({ db, sources: [{ namespace: 'galley', folder }] })
  const states = async () => (await migrator().status()).map(({ name, state }) => [name, state])
  const tables = async () => {
    const rows = await db.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename in ('a', 'b', 'c') order by 1`
    )
    return rows.map(({ name }) => name)
  }

  test('status of an untouched database shows all pending and creates nothing', async () => {
    assert.deepEqual(
      (await migrator().status()).map(({ state, reversible, applied_at }) => ({ state, reversible, applied_at })),
      [true, false, true].map(reversible => ({ state: 'pending', reversible, applied_at: null }))
    )
    assert.deepEqual(await db.query(`select to_regclass('schema_migrations') as it`), [{ it: null }])
  })

  test('numbers that a migration took are not given once more after a crash, and other sequences are left alone', async () => {
    write(
      third,
      `--! up\ncreate table c (id int generated always as identity, name text);\ninsert into c (name) values ('a'), ('b');\n`
    )
    await db.script('drop sequence if exists other; create sequence other')
    await db.query(`select nextval('other')`)
    const stateOf = (name: string) => db.query(`select last_value, log_cnt from ${name}`)
    const before = await stateOf('other')
    await migrator().up()
    assert.deepEqual(await stateOf('c_id_seq'), [{ last_value: 2, log_cnt: 0 }])
    assert.deepEqual(await stateOf('other'), before)
  })

  test('a migration that begins or ends a transaction is refused before anything is applied', async () => {
    write(third, '--! up\ncommit;\ncreate table c (id int);\n/* so */ Begin work;\n--! down\nrollback;\n')
    await assert.rejects(migrator().up(), ({ message }: Error) => {
      assert.deepEqual(message.match(/line \d+: "\w+"/g), ['line 2: "commit"', 'line 4: "Begin"', 'line 6: "rollback"'])
      assert.match(message, /^20260103_000000_third\.sql, .+ Each migration is applied in a transaction already/)
      return true
    })
    assert.deepEqual(await tables(), [])
    for (const one of [
      'start  transaction',
      'end',
      'abort',
      `prepare transaction 'x'`,
      'rollback and chain',
      'begin; commit; end'
    ]) {
      write(third, `--! up\n${one};\n`)
      await assert.rejects(migrator().up(), /third\.sql, line 2/, one)
    }
  })

  test('begin and commit around all of a part change nothing: it is undone as a whole, and keeps its checksum', async () => {
    const around = (up: string) =>
      `--! up\n-- all\nBEGIN /* so */ work;\n${up}\nend;\n--! down\nbegin; drop table c; commit;\n`
    write(third, around('create table c (id int); select 1 / 0;'))
    assert.match((await migrator().up()).failed[0]?.message ?? '', /line 4 .+ division by zero/)
    assert.deepEqual(await tables(), ['a', 'b'])
    write(third, around('create table c (id int);'))
    assert.deepEqual((await migrator().up()).applied, [third])
    assert.deepEqual((await migrator().up()).skipped, [first, second, third])
    assert.deepEqual((await migrator().down()).rolled_back, [third])
    assert.deepEqual(await tables(), ['a', 'b'])
    write(third, '--! up\nbegin isolation level serializable;\ncreate table c (id int);\ncommit;\n')
    await assert.rejects(migrator().up(), /third\.sql, line 2: "begin".+line 4: "commit"/)
  })

  test('words of transactions in bodies, strings and comments, and savepoints, are no fault', async () => {
    write(
      third,
      `--! up
      -- begin;
      create table c (note text default 'x; commit;');
      create function f() returns int language sql begin /* so */ atomic select 1; end;
      do $$ begin perform 1; end $$;
      drop function f;
      savepoint s; rollback to s; rollback work to savepoint s; release s;`
    )
    assert.deepEqual((await migrator().up()).failed, [])
    assert.deepEqual(await tables(), ['a', 'b', 'c'])
  })

  test('a rollback that ends its transaction is refused, and all stays', async () => {
    await migrator().up()
    write(third, `${files[third]}commit;\n`)
    await assert.rejects(migrator().down(), /third\.sql, line 6: "commit"/)
    assert.deepEqual(await tables(), ['a', 'b', 'c'])
  })

  test('up applies all once, and the next run skips them', async () => {
    const empty = { applied: [], skipped: [], failed: [], pending: [] }
    assert.deepEqual(await migrator().up(), { ...empty, applied: [first, second, third] })
    assert.deepEqual(await migrator().up(), { ...empty, skipped: [first, second, third] })
    assert.deepEqual(await tables(), ['a', 'b', 'c'])
    assert.deepEqual(await migrator().check(), [])
  })

  for (const to of ['20260102_000000', second, '20260102_000000_second']) {
    test(`up to ${to} leaves later ones pending`, async () => {
      assert.deepEqual(await migrator().up({ to }), {
        applied: [first, second],
        skipped: [],
        failed: [],
        pending: [third]
      })
    })
  }

  test('a target that names nothing is refused and changes nothing', async () => {
    await assert.rejects(migrator().up({ to: '20990101_000000' }), { code: 'NOT_FOUND' })
    assert.deepEqual(await tables(), [])
    await migrator().up()
    await assert.rejects(migrator().down({ to: 'nothing' }), { code: 'NOT_FOUND' })
    await assert.rejects(migrator().down({ to: first, all: true }), { code: 'VALIDATION_ERROR' })
    assert.deepEqual(await tables(), ['a', 'b', 'c'])
  })

  test('a failing statement undoes its migration, names itself, and leaves the later ones pending', async () => {
    write(second, '--! up\n-- first\ncreate table b (id int);\n\ninsert into b\n  values (1, 2);\n')
    const { applied, failed, pending } = await migrator().up()
    assert.deepEqual([applied, pending], [[first], [third]])
    assert.equal(failed[0]?.name, second)
    assert.match(
      failed[0]?.message ?? '',
      /second\.sql: statement 2 at line 5 \(insert into b\) failed with 42601: INSERT/
    )
    assert.deepEqual(await tables(), ['a'])
    write(second, files[second] ?? '')
    assert.deepEqual((await migrator().up()).applied, [second, third])
  })

  test('down rolls back the latest', async () => {
    await migrator().up()
    assert.deepEqual(await migrator().down(), { rolled_back: [third], skipped: [], failed: [], pending: [] })
    assert.deepEqual(await states(), [
      [first, 'applied'],
      [second, 'applied'],
      [third, 'pending']
    ])
  })

  test('down to a migration rolls back that one too, newest first, and skips one without a down section', async () => {
    await migrator().up()
    const summary = await migrator().down({ to: '20260101_000000' })
    assert.deepEqual(summary, { rolled_back: [third, first], skipped: [second], failed: [], pending: [] })
    assert.deepEqual(await tables(), ['b'])
    assert.deepEqual((await migrator().down({ all: true })).skipped, [second])
  })

  test('a failing rollback keeps its row and stops', async () => {
    write(third, `${files[third]}drop table nowhere;\n`)
    await migrator().up()
    const { rolled_back, failed, pending } = await migrator().down({ all: true })
    assert.deepEqual([rolled_back, failed.map(({ name }) => name), pending], [[], [third], [second, first]])
    assert.deepEqual(await tables(), ['a', 'b', 'c'])
  })

  test('an applied migration whose up section was changed is reported, and nothing runs', async () => {
    await migrator().up({ to: second })
    write(second, '--! up\ncreate table b (id bigint);\n')
    assert.equal((await migrator().check()).length, 1)
    assert.deepEqual((await states())[1], [second, 'changed'])
    await assert.rejects(migrator().up(), { code: 'CONFLICT', message: /second\.sql was changed/ })
    assert.deepEqual(await tables(), ['a', 'b'])
  })

  test('adding or mending a down section is no change', async () => {
    await migrator().up()
    write(second, `${files[second]}--! down\ndrop table b;\n`)
    assert.deepEqual(await migrator().check(), [])
  })

  test('a database migrated by a newer version is refused', async () => {
    await migrator().up()
    rmSync(join(folder, third))
    assert.deepEqual((await states())[2], [third, 'missing'])
    await assert.rejects(migrator().up(), { code: 'CONFLICT', message: /third\.sql, which this version lacks/ })
    await assert.rejects(migrator().down(), { code: 'CONFLICT', message: /third\.sql, which this version lacks/ })
  })

  describe('with a plugin', () => {
    const own = '20260102_120000_extra.sql'
    const twin = third
    const sources = () => [
      { namespace: 'galley', folder },
      { namespace: 'guestbook', folder: join(folder, 'plugin') }
    ]
    const both = (): Migrator => createMigrator({ db, sources: sources() })
    beforeEach(async () => {
      await db.script('drop table if exists visitors')
      mkdirSync(join(folder, 'plugin'))
      write(`plugin/${own}`, '--! up\nalter table b add extra int;\n--! down\nalter table b drop extra;\n')
      write(`plugin/${twin}`, '--! up\ncreate table visitors (id int);\n--! down\ndrop table visitors;\n')
    })

    test('its migrations run after the service’s, under its own name, whatever their dates and names', async () => {
      assert.deepEqual((await both().up()).applied, [first, second, third, `guestbook/${own}`, `guestbook/${twin}`])
      assert.deepEqual(await both().check(), [])
      assert.deepEqual(
        (await both().status()).map(({ namespace, name, state }) => [namespace, name, state]),
        [...[first, second, third].map(name => ['galley', name]), ...[own, twin].map(name => ['guestbook', name])].map(
          each => [...each, 'applied']
        )
      )
    })

    test('it rolls back alone, and the service’s stay', async () => {
      await both().up()
      assert.deepEqual((await both().down({ plugin: 'guestbook', all: true })).rolled_back, [
        `guestbook/${twin}`,
        `guestbook/${own}`
      ])
      assert.deepEqual(await tables(), ['a', 'b', 'c'])
      assert.deepEqual((await both().up({ plugin: 'guestbook', to: own })).applied, [`guestbook/${own}`])
    })

    test('down undoes what was applied last, not what has the last date', async () => {
      await both().up()
      await migrator().down({ to: first })
      assert.deepEqual((await both().up()).applied, [first, third])
      assert.deepEqual((await both().down()).rolled_back, [third])
      assert.deepEqual((await both().down()).rolled_back, [first])
      assert.deepEqual((await both().down({ to: own })).rolled_back, [`guestbook/${twin}`, `guestbook/${own}`])
    })

    test('a name that two namespaces have is refused until it tells which', async () => {
      await assert.rejects(both().up({ to: twin }), { code: 'VALIDATION_ERROR' })
      assert.deepEqual((await both().up({ to: `guestbook/${own}` })).pending, [`guestbook/${twin}`])
      await assert.rejects(both().up({ plugin: 'nobody' }), { code: 'NOT_FOUND', message: /some of galley, guestbook/ })
    })

    test('what it applied is left alone once it is not loaded', async () => {
      await both().up()
      assert.deepEqual((await migrator().up()).skipped, [first, second, third])
      assert.deepEqual((await migrator().down()).rolled_back, [third])
    })

    test('a folder that is not there is told with the plugin’s name', async () => {
      rmSync(join(folder, 'plugin'), { recursive: true })
      await assert.rejects(both().up(), { code: 'CONFLICT', message: /the migrations of guestbook, cannot be read/ })
    })

    test('a table keyed by file name alone, as earlier versions made it, takes a plugin’s twin too', async () => {
      await migrator().up()
      await db.script(
        'alter table schema_migrations drop constraint schema_migrations_pkey, add primary key (filename)'
      )
      assert.deepEqual((await both().up()).applied, [`guestbook/${own}`, `guestbook/${twin}`])
    })
  })

  const badFiles: [string, string, RegExp][] = [
    ['20260104_bad.sql', '--! up\n', /must be named/],
    ['20260104_000000_bad.sql', 'select 1;\n', /no line "--! up"/],
    ['20260104_000000_bad.sql', '--! up\n--! sideways\n', /line 2: "--! sideways"/],
    ['20260104_000000_bad.sql', '--! up\n--! up\n', /each once/]
  ]
  for (const [name, text, message] of badFiles) {
    test(`refuses ${JSON.stringify(text)} in ${name}`, async () => {
      write(name, text)
      await assert.rejects(migrator().up(), { code: 'CONFLICT', message })
      assert.deepEqual(await tables(), [])
    })
  }

  test('two migrators at once apply each migration once between them', async () => {
    const [one, other] = await Promise.all([migrator().up(), migrator().up()])
    assert.deepEqual([...one.applied, ...other.applied].sort(), [first, second, third])
    assert.deepEqual([...one.failed, ...other.failed, ...one.pending, ...other.pending], [])
    assert.deepEqual(await db.query('select count(*) as n from a'), [{ n: 1 }])
  })

  test('a server that is new enough and has pgvector is accepted', () => checkServer(db))
})

const unfit: [string, object, RegExp][] = [
  [
    'too old',
    { version_number: 140_012, version: '14.12', has_vector: true },
    /PostgreSQL 14\.12; version 15 or newer/
  ],
  ['without pgvector', { version_number: 170_000, version: '17.0', has_vector: false }, /has no pgvector/],
  [
    'with a pgvector that has no HNSW',
    { version_number: 150_018, version: '15.18', has_vector: true, vector_version: null, offered_vector: '0.4.4' },
    /pgvector 0\.4\.4; 0\.5 or newer is needed/
  ]
]
for (const [what, row, message] of unfit) {
  test(`a server ${what} is refused, saying what to do`, async () => {
    const answer = async () => [row] as never[]
    await assert.rejects(checkServer({ query: answer, script: answer }), { code: 'SERVICE_UNAVAILABLE', message })
  })
}

const dyingMigrator = fileURLToPath(new URL('../../fixtures/dying-migrator.ts', import.meta.url))

/** Statements of the three files, counted from 1: the start, the middle of one, between two, the last. */
const killedAt = testServerUrl === undefined ? [5] : [1, 2, 3, 5] // opening a folder takes the embedded database seconds
for (const nth of killedAt) {
  test(`killed at statement ${nth}, a second run finishes the work`, async t => {
    const home = mkdtempSync(join(tmpdir(), 'galley-killed-'))
    t.after(() => rmSync(home, { recursive: true }))
    const server = testServerUrl === undefined ? undefined : await openOnServer(testServerUrl, { migrated: false })
    const args = [dyingMigrator, folder, String(nth), home, ...(server === undefined ? [] : [server.url])]
    const child = spawn(process.execPath, args, { stdio: 'inherit' })
    const [, signal] = await once(child, 'exit')
    assert.equal(signal, 'SIGKILL')
    const db = server?.db ?? (await openDatabase({ home, create: true }))
    t.after(() => db.close())
    const { applied, skipped, failed } = await createMigrator({ db, sources: [{ namespace: 'galley', folder }] }).up()
    assert.deepEqual([...skipped, ...applied], [first, second, third])
    assert.deepEqual(failed, [])
    assert.deepEqual(await db.query('select (select count(*) from a) as a, (select count(*) from c) as c'), [
      { a: 1, c: 1 }
    ])
  })
}
