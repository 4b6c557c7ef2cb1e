import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { createLog } from '../../../cli/log/json-log.ts'
import { startServer } from '../../../cli/service/server.ts'
import { packageRoot } from '../../../core/paths.ts'
import { createInstallation } from '../../helpers/installation.ts'

const baseline = readdirSync(path.join(packageRoot, 'migrations')).filter(name => name.endsWith('.sql'))
const own = ['20260101_000000_ledger.sql', '20260102_000000_entries.sql']
const ids = own.map(name => `ledger/${name}`)

const plugins = mkdtempSync(path.join(tmpdir(), 'galley-ledger-'))
const folder = path.join(plugins, 'ledger', 'migrations')
const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
const files = () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  write(own[0] as string, '--! up\ncreate table ledger (id int);\n--! down\ndrop table ledger;\n')
  write(own[1] as string, '--! up\ncreate table entries (id int);\n--! down\ndrop table entries;\n')
}
files()
writeFileSync(path.join(plugins, 'plugins.config.json'), '{ "plugins": ["./plugins/auth", "./ledger"] }')
writeFileSync(
  path.join(plugins, 'ledger', 'plugin.js'),
  `export default {
    name: 'ledger', contract: 1, describe: 'A plugin with tables of its own',
    migrations: new URL('./migrations/', import.meta.url), setup: () => ({ services: {} })
  }`
)

const installation = await createInstallation({
  migrated: false,
  env: { GALLEY_PLUGINS: path.join(plugins, 'plugins.config.json') }
})
after(async () => {
  await installation.close()
  rmSync(plugins, { recursive: true })
})
const migrate = (...argv: string[]) => installation.run(['migrate', ...argv])
const json = async (...argv: string[]) => JSON.parse((await migrate(...argv, '--json')).out)
const empty = { skipped: [], failed: [], pending: [] }

beforeEach(files)

test('status of an untouched database lists the service’s migrations, then the plugin’s, all pending', async () => {
  const { items, total } = await json('status')
  assert.equal(total, items.length)
  assert.deepEqual(
    items.map((item: { namespace: string; name: string; state: string }) => [item.namespace, item.name, item.state]),
    [...baseline.map(name => ['galley', name, 'pending']), ...own.map(name => ['ledger', name, 'pending'])]
  )
  assert.deepEqual(Object.keys(items[0]).sort(), ['applied_at', 'name', 'namespace', 'reversible', 'state'])
  assert.match((await migrate('status')).out, /^MIGRATION +FROM +STATE +APPLIED AT +ROLLBACK\n/)
})

test('a command that needs the schema says what is missing, and migrate works all the same', async () => {
  const { status, err } = await installation.run(['settings', 'list'])
  assert.equal(status, 1)
  assert.match(err, /lacks \d+ migration\(s\), the first is 20261120_000000_baseline\.sql: run "galley migrate up"/)
  assert.deepEqual(await json('up', '--to', (baseline.at(-1) ?? '').slice(0, 15)), {
    ...empty,
    applied: baseline,
    pending: ids
  })
})

test('up applies what is pending and counts; again it skips', async () => {
  const { status, out } = await migrate('up')
  assert.equal(status, 0)
  assert.equal(
    out,
    `${ids.map(id => `applied ${id}`).join('\n')}\napplied 2, skipped ${baseline.length}, failed 0, pending 0`
  )
  assert.deepEqual(await json('up'), { ...empty, applied: [], skipped: [...baseline, ...ids] })
})

test('a failing migration stops there, names the statement, and what comes after stays pending', async () => {
  write('20260103_000000_bad.sql', '--! up\ncreate table extra (id int);\ninsert into extra values (1, 2);\n')
  write('20260104_000000_later.sql', '--! up\ncreate table later (id int);\n')
  const { status, out } = await migrate('up')
  assert.equal(status, 1)
  assert.match(out, /^failed ledger\/20260103_000000_bad\.sql: statement 2 at line 3 \(insert into extra/m)
  assert.match(out, /applied 0, skipped \d+, failed 1, pending 1$/)
  assert.deepEqual(await (await installation.db()).query("select to_regclass('extra') as it"), [{ it: null }])
})

test('down undoes the latest; a plugin’s migrations roll back alone', async () => {
  const { status, out, err } = await migrate('down')
  assert.deepEqual([status, out], [0, `rolled back ${ids[1]}\nrolled back 1, skipped 0, failed 0, pending 0`])
  assert.match(err, /does not start on this database until "galley migrate up"/)
  await migrate('up')
  assert.deepEqual((await json('down', '--plugin', 'ledger', '--to', '20260101_000000')).rolled_back, [ids[1], ids[0]])
  assert.deepEqual((await json('up', '--plugin', 'ledger')).applied, ids)
})

test('down to a migration without a rollback skips it, keeps its row and exits 1', async () => {
  const { status, out } = await migrate('down', '--to', '20261120_000000', '--json')
  assert.equal(status, 1)
  assert.deepEqual(JSON.parse(out), {
    rolled_back: [...ids].reverse(),
    skipped: [...baseline].reverse(),
    failed: [],
    pending: []
  })
  const rows = await (await installation.db()).query("select from schema_migrations where namespace = 'galley'")
  assert.equal(rows.length, baseline.length)
  await migrate('up')
})

const refusals: [argv: string[], status: number, message: RegExp][] = [
  [['down', '--all', '--to', own[0] as string, '--yes'], 2, /--to and --all exclude each other/],
  [['down', '--all'], 2, /no terminal to ask.*--yes/],
  [['up', '--to', '20990101_000000'], 1, /No migration is named 20990101_000000/],
  [['down', '--to', 'nothing'], 1, /No migration is named nothing/],
  [['up', '--plugin', 'nobody'], 1, /no migrations of nobody: there are some of galley, ledger/],
  [['up', '--all'], 2, /unknown flag --all/],
  [['sideways'], 2, /unknown migrate command/]
]
for (const [argv, expected, message] of refusals) {
  test(`migrate ${argv.join(' ')} is refused, and nothing changes`, async () => {
    const before = await json('status')
    const { status, out, err } = await migrate(...argv)
    assert.deepEqual([status, out], [expected, ''])
    assert.match(err, message)
    assert.deepEqual(await json('status'), before)
  })
}

test('down asks a person what it would undo, and a script never', async () => {
  const argv = ['migrate', 'down', '--plugin', 'ledger']
  for (const [more, names] of [
    [[], ids[1]],
    [['--to', '20260101_000000'], [...ids].reverse().join(', ')]
  ] as const) {
    const refused = await installation.run([...argv, ...more], { answer: '' })
    assert.deepEqual([refused.status, refused.out], [1, ''])
    assert.ok(refused.err.startsWith(`Roll back ${names}, with the data? [y/N]`), refused.err)
  }
  assert.match(
    (await installation.run([...argv, '--to', '2099'], { answer: 'y' })).err,
    /^error: No migration is named/
  )
  assert.match((await installation.run(argv, { answer: 'y' })).out, /rolled back 1,/)
  await migrate('up')
})

test('down --all asks at a terminal and takes no for an answer; --yes and --json do not ask', async () => {
  const argv = ['migrate', 'down', '--all', '--plugin', 'ledger']
  const refused = await installation.run(argv, { answer: 'n' })
  assert.deepEqual([refused.status, refused.out], [1, ''])
  assert.match((await installation.run(argv, { answer: 'yes' })).out, /rolled back 2,/)
  await migrate('up')
  assert.match((await installation.run([...argv, '--yes'])).out, /rolled back 2,/)
  await migrate('up')
  assert.deepEqual((await json('down', '--all', '--plugin', 'ledger')).rolled_back, [...ids].reverse())
  await migrate('up')
})

test('what is left of a plugin that is not configured any more is shown as removed, and left alone', async () => {
  const without = { env: { GALLEY_PLUGINS: '' } }
  const listed = JSON.parse((await installation.run(['migrate', 'status', '--json'], without)).out).items
  assert.deepEqual(
    listed.map((item: { name: string; state: string }) => [item.name, item.state]),
    [...baseline.map(name => [name, 'applied']), ...own.map(name => [name, 'removed'])]
  )
  const alone = await installation.run(['migrate', 'status', '--plugin', 'ledger', '--json'], without)
  assert.equal(JSON.parse(alone.out).total, own.length)
  assert.equal((await installation.run(['settings', 'list'], without)).status, 0)
  const { status, err } = await installation.run(['migrate', 'down', '--plugin', 'ledger'], without)
  assert.equal(status, 1)
  assert.match(err, /The plugin ledger is not loaded, and its files are needed: put it back into plugins\.config\.json/)
})

test('past a migration without a rollback, down warns that what it was built on is gone', async () => {
  write(own[1] as string, '--! up\ncreate table entries (id int);\n')
  const { status, out, err } = await migrate('down', '--to', 'ledger/20260101_000000')
  assert.equal(status, 1)
  assert.match(
    out,
    /^rolled back ledger\/20260101_000000_ledger\.sql\nskipped ledger\/20260102_000000_entries\.sql: it has/
  )
  assert.match(
    err,
    /^warning: ledger\/20260102\S+ stays, and was built on what was rolled back \(ledger\/20260101\S+\)/m
  )
  files()
  await migrate('down', '--all', '--plugin', 'ledger', '--yes')
  await migrate('up')
})

test('down does not take a migration whose file is missing for one without a rollback', async () => {
  const before = await (await installation.db()).query('select * from schema_migrations')
  rmSync(path.join(folder, own[1] as string))
  for (const more of [[], ['--to', 'ledger/20260101_000000'], ['--all', '--plugin', 'ledger', '--yes']]) {
    const { status, out, err } = await migrate('down', ...more)
    assert.deepEqual([status, out], [1, ''])
    assert.match(err, /ledger\/20260102_000000_entries\.sql, which this version lacks: run the version that applied it/)
  }
  assert.deepEqual(await (await installation.db()).query('select * from schema_migrations'), before)
})

test('two migrators at once apply each migration once between them', async () => {
  await migrate('down', '--all', '--plugin', 'ledger', '--yes')
  const [one, other] = await Promise.all([json('up'), json('up')])
  assert.deepEqual([...one.applied, ...other.applied].sort(), ids)
  assert.deepEqual([...one.failed, ...other.failed], [])
})

test('killed in the middle of a migration, a second run finishes the work', async () => {
  const slow = '20260103_000000_slow.sql'
  await migrate('down', '--plugin', 'ledger')
  write(slow, '--! up\ncreate table slow (id int);\nselect pg_sleep(600);\n--! down\ndrop table slow;\n')
  await installation.release()
  const child = spawn(process.execPath, [path.join(packageRoot, 'cli/bin.js'), 'migrate', 'up'], {
    cwd: installation.home,
    env: { ...process.env, ...installation.env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let printed = ''
  const reached = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      printed += chunk
      // Logged once the one before has committed: the slow one is next.
      if (printed.includes('migration applied')) reached.resolve()
    })
  }
  child.once('exit', () => reached.reject(new Error(printed)))
  await reached.promise
  child.kill('SIGKILL')
  await once(child, 'close')
  write(slow, '--! up\ncreate table slow (id int);\n--! down\ndrop table slow;\n')
  const { applied, failed } = await json('up')
  assert.deepEqual([applied, failed], [[`ledger/${slow}`], []])
  await migrate('down')
})

test('a database that is newer than the code is refused by migrate up and by serve', async () => {
  await (await installation.db()).query(
    "insert into schema_migrations (filename, checksum) values ('20990101_000000_future.sql', 'x')"
  )
  const message =
    /20990101_000000_future\.sql, which this version lacks: run the version that applied it, or a newer one/
  const { status, err } = await migrate('up')
  assert.equal(status, 1)
  assert.match(err, message)
  assert.equal((await json('status', '--plugin', 'galley')).items.at(-1).state, 'missing')
  const config = { ...installation.config(), port: 0 }
  await installation.release()
  await assert.rejects(startServer({ config, log: createLog('silent'), worker: false }), { message })
})
