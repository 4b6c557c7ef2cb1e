import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { refuseTransactionPooling } from '../../../cli/database/pooler.ts'
import { createPostgres } from '../../../cli/database/postgres/postgres.ts'
import { databaseName } from '../../../cli/database/postgres/server-name.ts'
import { runLine } from '../../../cli/main.ts'
import { openOnServer, testServerUrl } from '../../helpers/database.ts'
import { recordSession } from '../../helpers/session.ts'
import { until } from '../../helpers/until.ts'

const inTransactionMode =
  /behind a pooler in transaction mode.*: set pool_mode=session .* or put the server’s own address/

function packet(kind: string, ...parts: (Buffer | number | string)[]): Buffer {
  const body = Buffer.concat(
    parts.map(part => {
      if (typeof part === 'string') return Buffer.from(`${part}\0`)
      if (typeof part !== 'number') return part
      const four = Buffer.alloc(4)
      four.writeInt32BE(part)
      return four
    })
  )
  const head = Buffer.alloc(5)
  head.write(kind)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const ready = packet('Z', Buffer.from('I'))
/** One row of one int4. */
function answer(value: number): Buffer {
  const text = String(value)
  const column = packet(
    'T',
    Buffer.from([0, 1]),
    'pid',
    0,
    Buffer.from([0, 0]),
    23,
    Buffer.from([0, 4]),
    -1,
    Buffer.alloc(2)
  )
  return Buffer.concat([
    column,
    packet('D', Buffer.from([0, 1]), text.length, Buffer.from(text)),
    packet('C', 'SELECT 1'),
    ready
  ])
}

/** Speaks as much of PostgreSQL as a look takes; `processOf` says which process serves a client. */
async function standIn(
  t: TestContext,
  { cancelKey, processOf }: { cancelKey(client: number): number; processOf(client: number): number }
) {
  let clients = 0
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    const client = ++clients
    sockets.add(socket)
    let isStarted = false
    socket.on('error', () => {})
    socket.on('data', chunk => {
      if (!isStarted) socket.write(Buffer.concat([packet('R', 0), packet('K', cancelKey(client), 1), ready]))
      else if (chunk.includes('pg_backend_pid')) socket.write(answer(processOf(client)))
      else if (chunk[0] === 'Q'.charCodeAt(0)) socket.write(Buffer.concat([packet('C', 'BEGIN'), ready]))
      isStarted = true
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`
}

test('a process that serves two clients at once is a pooler in transaction mode; one each is not', async t => {
  const shared = await standIn(t, { cancelKey: client => 7000 + client, processOf: () => 42 })
  await assert.rejects(refuseTransactionPooling(shared), inTransactionMode)
  let turn = 0
  const changing = await standIn(t, { cancelKey: client => 7000 + client, processOf: () => ++turn })
  await assert.rejects(refuseTransactionPooling(changing), inTransactionMode)
  await refuseTransactionPooling(await standIn(t, { cancelKey: client => 7000 + client, processOf: client => client }))
  await refuseTransactionPooling(await standIn(t, { cancelKey: client => client, processOf: client => client }))
})

test('a database is named by its host and port, never by its password', () => {
  const rows: [url: string, name: string][] = [
    ['postgres://me:hidden@db.internal/galley', 'the database galley on db.internal:5432'],
    ['postgresql://me:hidden@[::1]:6543/my%20posts', 'the database my posts on [::1]:6543'],
    ['postgres://me@db.internal', 'the database me on db.internal:5432'],
    ['postgres://db.internal', 'the database of the login on db.internal:5432'],
    ['postgres:///galley?host=/run/postgresql&password=hidden', 'the database galley on /run/postgresql']
  ]
  for (const [url, name] of rows) assert.equal(databaseName(url), name)
})

const keys = { POINDEXTER_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), GALLEY_JWT_SECRET: 'j'.repeat(43) }

/** Runs a command line on a server; answers its exit status and all it says. */
async function run(t: TestContext, url: string, ...argv: string[]) {
  const home = mkdtempSync(path.join(tmpdir(), 'galley-pooler-'))
  t.after(() => rmSync(home, { recursive: true }))
  const session = recordSession({ cwd: home, columns: 10_000 })
  const status = await runLine(argv, session, {
    GALLEY_HOME: home,
    LOG_LEVEL: 'silent',
    PORT: '0',
    DATABASE_URL: url,
    ...keys
  })
  return { status, said: [...session.err, ...session.out].join('\n') }
}

test('commands name a database that is down, with the cause; clients are told nothing of it', async t => {
  const url = 'postgres://me:hidden@127.0.0.1:1/galley'
  for (const argv of [['tasks', 'list'], ['serve'], ['worker']]) {
    const { status, said } = await run(t, url, ...argv)
    assert.equal(status, 1)
    assert.match(said, /^error: The database galley on 127\.0\.0\.1:1 cannot be used \(.*ECONNREFUSED.*\): check that/)
    assert.doesNotMatch(said, /hidden/)
  }
  const db = createPostgres({ url })
  t.after(db.close)
  await assert.rejects(db.query('select 1'), { message: 'The database does not answer. Try again in a few seconds.' })
})

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const skip =
  testServerUrl === undefined ? 'needs TEST_DATABASE_URL' : isInstalled('pgbouncer') ? false : 'needs pgbouncer'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** PgBouncer in front of the server, in a mode of its own. */
async function startPgbouncer(t: TestContext, mode: string, target: URL): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-pgbouncer-'))
  const port = await freePort()
  const file = path.join(folder, 'pgbouncer.ini')
  const password = target.password === '' ? '' : ` password=${decodeURIComponent(target.password)}`
  const server = `* = host=${target.hostname} port=${target.port || 5432} user=${target.username}${password}`
  const lines = [
    '[databases]',
    server,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'auth_type = any',
    `pool_mode = ${mode}`,
    'unix_socket_dir =',
    'server_login_retry = 1'
  ]
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  execFileSync('chmod', ['755', folder])
  // It refuses to run as root.
  const child = spawn('pgbouncer', [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true })
  })
  const isUp = () =>
    new Promise<boolean>(resolve => {
      const socket = createConnection(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.unref().on('connect', () => socket.end())
    })
  await until(isUp, 'pgbouncer listens')
  return Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(port), password: 'any' }).href
}

test('PgBouncer in transaction mode is refused by setup, serve and worker, and found by doctor', { skip }, async t => {
  const { url, db } = await openOnServer(testServerUrl as string)
  t.after(db.close)
  const pooled = await startPgbouncer(t, 'transaction', new URL(url))
  for (const argv of [['setup', '--db-url', pooled], ['serve'], ['worker']]) {
    const { status, said } = await run(t, pooled, ...argv)
    assert.deepEqual([status, argv, inTransactionMode.test(said)], [1, argv, true], said)
  }
  const { status, said } = await run(t, pooled, 'doctor')
  assert.equal(status, 2)
  assert.match(
    said,
    /CRITICAL {2}database: The database is behind a pooler in transaction mode.*\n +→ Set pool_mode=session/
  )
  assert.match((await run(t, pooled, 'setup', '--check')).said, /FAIL {2}database .*pooler in transaction mode/)
})

test('PgBouncer in session mode is a server like any other, notifications included', { skip }, async t => {
  const { url, db } = await openOnServer(testServerUrl as string)
  t.after(db.close)
  const pooled = await startPgbouncer(t, 'session', new URL(url))
  await refuseTransactionPooling(pooled)
  const through = createPostgres({ url: pooled, max: 2 })
  t.after(through.close)
  const heard: string[] = []
  await through.listen(
    'news',
    payload => heard.push(payload),
    () => {}
  )
  await db.query("select pg_notify('news', 'it rains')")
  await until(() => heard.length > 0, 'the notification arrives')
  assert.deepEqual(heard, ['it rains'])
  const asker = new AbortController()
  const asked = through.query("select pg_sleep(20), 'of the asker'", [], { signal: asker.signal })
  const sleeping = () =>
    db.query(
      `select from pg_stat_activity where state = 'active' and query like '%of the asker%' and pid <> pg_backend_pid()`
    )
  await until(async () => (await sleeping()).length > 0, 'the statement runs')
  asker.abort()
  await assert.rejects(asked, { code: '57014' }, 'what nobody waits for is cancelled on the server')
  for (let round = 0; round < 3; round++)
    await Promise.all([1, 2, 3].map(n => through.query('select $1::int as n', [n])))
})
