import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { parseEnv } from 'node:util'
import { openOnServer, testServerUrl } from '../../helpers/database.ts'
import { createInstallation } from '../../helpers/program.ts'

// Setting up with a login that is not the superuser, step by step towards one that may do what is needed.
const options = { skip: testServerUrl === undefined }
const place = createInstallation()
const role = `galley_login_${randomUUID().slice(0, 8)}`
let server: Awaited<ReturnType<typeof openOnServer>>
let url: URL

before(async () => {
  if (testServerUrl === undefined) return
  server = await openOnServer(testServerUrl, { migrated: false })
  await server.db.script(`create role ${role} login password 'it''s "one"'`)
  url = new URL(server.url)
  url.username = role
})
after(async () => {
  await place.close()
  if (testServerUrl === undefined) return
  await server.db.script(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`)
  await server.db.close()
})

const tables = () => server.db.query(`select from pg_tables where schemaname in ('public', 'jobs')`)
const withPassword = () => url.href.replace(`${role}@`, `${role}:it's%20"one"@`)
const setup = (databaseUrl = url.href) => place.run(['setup', '--db-url', databaseUrl])

for (const [missing, says, grant] of [
  [
    'make tables',
    `may not make tables in the schema public of the database \\w+\\. As a superuser, run "alter database \\w+ owner to ROLE", or "grant create, usage on schema public to ROLE" there\\.`,
    'grant create on schema public'
  ],
  [
    'make schemas',
    `may not make schemas, .* "grant create on database \\w+ to ROLE" there\\.`,
    'grant create on database DATABASE'
  ],
  [
    'add pgvector',
    'may not add pgvector to the database \\w+\\. As a superuser, run "create extension vector" there\\.',
    ''
  ]
] as const) {
  test(
    `a login that may not ${missing} is told so, with the statement that lets it, and nothing is made`,
    options,
    async () => {
      const { status, stderr } = await setup()
      assert.equal(status, 1)
      assert.match(stderr, new RegExp(`^error: The login ${role} ${says.replaceAll('ROLE', role)}\\n`, 'm'))
      assert.deepEqual(await tables(), [])
      assert.equal(existsSync(path.join(place.home, 'bootstrap.env')), false)
      assert.equal(
        readdirSync(place.home).some(name => name.includes('unfinished')),
        false
      )
      if (grant !== '') await server.db.script(`${grant.replace('DATABASE', url.pathname.slice(1))} to ${role}`)
    }
  )
}

test(
  'quotes and blanks in the URL go into bootstrap.env encoded, and the database is reached with them',
  options,
  async () => {
    await server.db.script('create extension vector')
    const { status, stderr } = await setup(withPassword())
    assert.equal(status, 0, stderr)
    const { DATABASE_URL = '' } = parseEnv(readFileSync(path.join(place.home, 'bootstrap.env'), 'utf8'))
    assert.equal(DATABASE_URL, url.href.replace(`${role}@`, `${role}:it%27s%20%22one%22@`))
    assert.equal(decodeURIComponent(new URL(DATABASE_URL).password), `it's "one"`)
    assert.equal((await setup(withPassword())).status, 0, 'the same URL is the same database')
    assert.equal((await place.run(['settings', 'list'])).status, 0)
  }
)

const doctor = async () => {
  const { status, stdout } = await place.runHere(['doctor', '--json'])
  const { causes } = JSON.parse(stdout) as { causes: { name: string; found: string; remedy: string }[] }
  return { status, causes }
}

test('a database that takes no changes starts nothing, and every check says what to do', options, async () => {
  await server.db.script(`alter role ${role} set default_transaction_read_only = on`)
  try {
    for (const argv of [['serve'], ['setup', '--check'], ['setup']]) {
      const { status, stdout, stderr } = await (argv[0] === 'serve' ? place.run(argv) : place.runHere(argv))
      assert.equal(status, 1, argv.join(' '))
      assert.match(stdout + stderr, /takes no changes: .* name the primary server in DATABASE_URL/, argv.join(' '))
    }
    const { status, causes } = await doctor()
    assert.deepEqual([status, causes[0]?.name], [2, 'writes'])
    const set = await place.runHere(['settings', 'set', 'site_title', 'Tides'])
    assert.match(set.stderr, /^error: The database takes no changes: it is a standby, or/)
  } finally {
    await server.db.script(`alter role ${role} reset default_transaction_read_only`)
  }
})

test('a login that may not read the tables is named as what is wrong', options, async () => {
  await server.db.script(`revoke all on schema_migrations from ${role}`)
  try {
    const list = await place.runHere(['posts', 'list'])
    assert.match(list.stderr, /permission denied for table schema_migrations\. Name the login that owns the tables/)
    const { causes } = await doctor()
    assert.match(causes.find(({ name }) => name === 'migrations')?.remedy ?? '', /^Name the login that owns/)
    const { stdout } = await place.runHere(['setup', '--check'])
    assert.match(stdout, /→ Name the login that owns the tables/)
  } finally {
    await server.db.script(`grant all on schema_migrations to ${role}`)
  }
})

test(
  'a login that lost rights to change rows reads in the doctor on which tables, and the statement',
  options,
  async () => {
    const writes = async () => (await doctor()).causes.find(({ name }) => name === 'writes')
    const stranger = `${role}_stranger`
    await server.db.script(
      `create role ${stranger}; create table strange (a int); alter table strange owner to ${stranger}`
    )
    assert.equal(await writes(), undefined, 'a table of another program is none of ours')
    await server.db.script(`drop table strange; drop role ${stranger}`)
    await server.db.script(`revoke insert, update on tasks from ${role}; revoke delete on jobs.queue from ${role}`)
    const { found = '', remedy = '' } = (await writes()) ?? {}
    assert.equal(found, `The login ${role} lacks DELETE on jobs.queue; INSERT, UPDATE on tasks.`)
    const [, grant = ''] = /^As the owner of the tables, run "(.+)"\.$/.exec(remedy) ?? []
    assert.equal(grant, `grant insert, update, delete on jobs.queue, tasks to ${role}`)
    await server.db.script(grant)
    assert.equal(await writes(), undefined)
    await server.db.script(`revoke insert on all tables in schema public from ${role}`)
    const all = (await writes()) ?? { found: '', remedy: '' }
    assert.match(all.found, /^The login \w+ lacks (INSERT on \w+; ){5}and rights on \d+ more\.$/)
    assert.match(all.remedy, /"grant insert, update, delete on all tables in schema public, jobs to \w+"/)
    await server.db.script(`grant insert on all tables in schema public to ${role}`)
  }
)

test('another database is taken by --force only, and what stays in the first one is said', options, async () => {
  const other = await openOnServer(testServerUrl as string, { migrated: false })
  try {
    const refused = await setup(other.url)
    assert.match(refused.stderr, /add --force to use another database/)
    const { status, stderr } = await place.run(['setup', '--force', '--db-url', other.url])
    assert.equal(status, 0, stderr)
    const name = `the database ${url.pathname.slice(1)} on ${url.hostname}:${url.port}`
    assert.ok(stderr.includes(`The posts, tasks and settings in ${name} stay there`), stderr)
    assert.match(stderr, /galley move takes them along/)
    const again = await place.run(['setup', '--force', '--db-url', other.url])
    assert.doesNotMatch(again.stderr, /stay there/, 'the same database keeps its content')
    const changed = `${other.url}${other.url.includes('?') ? '&' : '?'}connect_timeout=7`
    const { status: moved, stderr: words } = await place.run(['setup', '--force', '--db-url', changed])
    assert.equal(moved, 0, words)
    assert.doesNotMatch(words, /stay there/, 'so does the same one with another parameter')
  } finally {
    await other.db.close()
  }
})
