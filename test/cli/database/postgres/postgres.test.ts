import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { beginSnapshot } from '../../../../cli/backup/repository/tables.ts'
import { createPostgres } from '../../../../cli/database/postgres/postgres.ts'
import { liftTimeLimits } from '../../../../cli/database/repository.ts'
import { lockMigrations } from '../../../../cli/migrations/repository.ts'
import type { Db } from '../../../../core/contract/database.ts'
import { ConflictError, UnavailableError } from '../../../../core/contract/errors.ts'
import { inLane } from '../../../../core/db/lanes.ts'
import { openOnServer, testServerUrl } from '../../../helpers/database.ts'
import { openTcpProxy } from '../../../helpers/tcp-proxy.ts'

const idleLimit = `select current_setting('idle_in_transaction_session_timeout') as idle`
const myPid = 'select pg_backend_pid() as pid'

test('a server that is not there is an UnavailableError that keeps its cause', async () => {
  const db = createPostgres({ url: 'postgres://nobody@127.0.0.1:1/none' })
  const isUnreachable = (error: unknown) =>
    error instanceof UnavailableError && String(error.cause).includes('ECONNREFUSED')
  await assert.rejects(db.query('select 1'), isUnreachable)
  await assert.rejects(
    db.transaction(async () => {}),
    isUnreachable
  )
  await assert.rejects(
    db.listen(
      'c',
      () => {},
      () => {}
    ),
    isUnreachable
  )
  await db.close()
})

describe('the postgres driver when things go wrong', { skip: testServerUrl === undefined }, () => {
  let opened: Awaited<ReturnType<typeof openOnServer>>
  let db: Db
  before(async () => {
    opened = await openOnServer(testServerUrl ?? '', { migrated: false })
    db = opened.db
    await db.script('create table item (id int primary key)')
  })
  after(() => opened.db.close())

  const kill = (pid: number) => db.query('select pg_terminate_backend($1)', [pid])

  test('decisions and jobs leave parallel workers to readers', async () => {
    const workers = async (): Promise<string | undefined> => {
      const [row] = await db.query<{ workers: string }>(
        `select current_setting('max_parallel_workers_per_gather') as workers`
      )
      return row?.workers
    }
    assert.equal(await workers(), '0')
    const [server] = await db.query<{ reset_val: string }>(
      `select reset_val from pg_settings where name = 'max_parallel_workers_per_gather'`
    )
    for (const lane of ['reads', 'queries'] as const) assert.equal(await inLane(lane, workers), server?.reset_val)
  })

  test('a refused statement does not cost the connection', async () => {
    const one = createPostgres({ url: opened.url, max: 1 })
    const first = await one.query(myPid)
    await assert.rejects(one.query('select 1 / 0'), { code: '22012' })
    await assert.rejects(
      one.transaction(async () => {
        throw new ConflictError('no')
      }),
      ConflictError
    )
    assert.deepEqual(await one.query(myPid), first)
    await one.close()
  })

  test('a connection killed while idle does not end the process, and the pool goes on', async () => {
    const one = createPostgres({ url: opened.url, max: 1 })
    const [first] = await one.query<{ pid: number }>(myPid)
    assert.ok(first)
    await kill(first.pid)
    while (one.pool().size > 0) await new Promise(setImmediate)
    const [second] = await one.query<{ pid: number }>(myPid)
    assert.notEqual(second?.pid, first.pid)
    await one.close()
  })

  test('a connection killed in a statement is an UnavailableError, and the pool goes on', async () => {
    const one = createPostgres({ url: opened.url, max: 1 })
    const [session] = await one.query<{ pid: number }>(myPid)
    assert.ok(session)
    const waiting = assert.rejects(one.query('select pg_sleep(60)'), UnavailableError)
    await kill(session.pid)
    await waiting
    assert.deepEqual(await one.query('select 1 as a'), [{ a: 1 }])
    await one.close()
  })

  test('a connection lost in a transaction undoes it, runs no effect, and is not used again', async () => {
    let effects = 0
    const work = db.transaction(async tx => {
      tx.afterCommit(() => effects++)
      await tx.query('insert into item values (1)')
      await tx.query('select pg_terminate_backend(pg_backend_pid())')
    })
    await assert.rejects(work, UnavailableError)
    assert.equal(effects, 0)
    assert.deepEqual(await db.query('select from item'), [])
  })

  test('a fault of the domain during which the connection was lost is an UnavailableError too', async () => {
    const work = db.transaction(async tx => {
      await tx.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})
      throw new ConflictError('taken')
    })
    await assert.rejects(work, UnavailableError)
    assert.deepEqual(await db.query('select 1 as a'), [{ a: 1 }])
  })

  test('a pool with every connection in use is an UnavailableError after the wait', async () => {
    const one = createPostgres({ url: opened.url, max: 1, connectTimeoutMs: 2_000 })
    const release = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    const holding = one.transaction(async () => {
      entered.resolve()
      await release.promise
    })
    await entered.promise
    await assert.rejects(one.query('select 1'), (error: unknown) => {
      assert.ok(error instanceof UnavailableError)
      assert.match(error.detail ?? '', /all 1 for decisions, jobs and commands are in use/)
      return true
    })
    release.resolve()
    await holding
    await one.close()
  })

  test('a transaction left open without a statement is ended, and its connection is free again', async () => {
    const lines: string[] = []
    const note = (...args: unknown[]) => void lines.push(String(args.at(-1)))
    const log = { info: note, warn: note, error: note }
    const one = createPostgres({ url: opened.url, max: 1, idleTransactionMs: 50, connectTimeoutMs: 60_000, log })
    const left = one.transaction(async tx => {
      await tx.query('insert into item values (70)')
      await new Promise(() => {})
    })
    await assert.rejects(left, UnavailableError)
    assert.deepEqual(await one.query('select from item where id = 70'), [])
    assert.match(lines.join('\n'), /^A transaction stayed open without a statement for too long/)
    await one.close()
  })

  test('a transaction of a read may be idle for 10 s', async () => {
    const limits = await inLane('reads', () => db.query<{ idle: string }>(idleLimit))
    assert.deepEqual(limits, [{ idle: '10s' }])
  })

  test('transactions of backups, moves and migrations may do other work between statements', async () => {
    for (const begin of [beginSnapshot, lockMigrations, liftTimeLimits])
      await db.transaction(async tx => {
        await begin(tx)
        assert.deepEqual(await tx.query(idleLimit), [{ idle: '0' }])
      })
  })

  test('a signal aborted while its statement waits for a connection does not cost the connection', async () => {
    const one = createPostgres({ url: opened.url, max: 1 })
    const first = await one.query(myPid)
    const gone = new AbortController()
    const holding = one.query('select 1')
    const waiting = assert.rejects(one.query('select 2', [], { signal: gone.signal }), UnavailableError)
    gone.abort()
    await holding
    await waiting
    assert.deepEqual(await one.query(myPid), first)
    await one.close()
  })

  test('a statement over the time limit is cancelled with its own SQLSTATE', async () => {
    const one = createPostgres({ url: opened.url, max: 1, statementTimeoutMs: 50 })
    await assert.rejects(one.query('select pg_sleep(60)'), { code: '57014' })
    await one.close()
  })

  test('killing the connection that listens reports a gap, and notifications arrive again after it', async () => {
    const gap = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<string>()
    const listener = await db.listen('killed', arrived.resolve, gap.resolve)
    assert.equal(listener.isCurrent(), true)
    const [session] = await db.query<{ pid: number }>(
      `select pid from pg_stat_activity where query in ('listen "killed"', 'select 1') and datname = current_database() and pid <> pg_backend_pid()`
    )
    assert.ok(session)
    await kill(session.pid)
    await gap.promise
    assert.equal(listener.isCurrent(), true)
    await db.query(`select pg_notify('killed', 'again')`)
    assert.equal(await arrived.promise, 'again')
    await listener.close()
  })

  test('one connection listens for every channel, and a closed listener hears no more', async () => {
    const heard: string[] = []
    const last = Promise.withResolvers<void>()
    const first = await db.listen(
      'one',
      payload => heard.push(`one ${payload}`),
      () => {}
    )
    const second = await db.listen(
      'two',
      payload => {
        heard.push(`two ${payload}`)
        last.resolve()
      },
      () => {}
    )
    await db.query(`select pg_notify('one', 'a')`)
    await db.query(`select pg_notify('two', 'b')`)
    await last.promise
    await first.close()
    await db.query(`select pg_notify('one', 'unheard')`)
    const listening = await db.query(
      `select from pg_stat_activity where query ~* '^(un)?listen|^select 1$' and datname = current_database() and pid <> pg_backend_pid()`
    )
    assert.deepEqual(heard, ['one a', 'two b'])
    assert.equal(listening.length, 1)
    await second.close()
  })

  test('a server that goes away and comes back is used again, and the time between is reported', async () => {
    const server = new URL(opened.url)
    const proxy = await openTcpProxy(server.hostname, Number(server.port))
    server.port = String(proxy.port)
    const proxied = createPostgres({ url: server.href, max: 2 })
    const gap = Promise.withResolvers<void>()
    const listener = await proxied.listen('away', () => {}, gap.resolve)
    await proxied.query('insert into item values (50)')
    await proxy.down()
    await assert.rejects(proxied.query('select 1'), UnavailableError)
    while (listener.isCurrent()) await new Promise(setImmediate)
    await db.query('insert into item values (51)')
    await proxy.up()
    await gap.promise
    assert.deepEqual(await proxied.query('select id from item where id >= 50 order by id'), [{ id: 50 }, { id: 51 }])
    await proxied.close()
    await proxy.down()
  })
})
