// Not on a server: these are the ways of the embedded database.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { createPglite, type Pglite } from '../../../../cli/database/pglite/pglite.ts'
import { liftTimeLimits } from '../../../../cli/database/repository.ts'
import type { Tx } from '../../../../core/contract/database.ts'
import { UnavailableError } from '../../../../core/contract/errors.ts'
import { openEmbedded, readSnapshot } from '../../../helpers/database.ts'

const writer = new URL('../../../fixtures/database-writer.ts', import.meta.url)

describe('the embedded database', () => {
  let db: Pglite
  before(async () => {
    db = await openEmbedded({ migrated: false })
  })
  after(() => db.close())

  test('timers fire while a heavy statement runs', async () => {
    const order: string[] = []
    const heavy = db.query('select count(*) as n from generate_series(1, 1000000)').then(() => order.push('statement'))
    const timer = sleep(1).then(() => order.push('timer'))
    await Promise.all([heavy, timer])
    assert.deepEqual(order, ['timer', 'statement'])
  })

  test('statements and transactions take turns in the order they were asked for', async () => {
    const order: number[] = []
    const note = (n: number) => () => void order.push(n)
    const work = async (tx: Tx) => void (await tx.query('select 1'))
    await Promise.all([
      db.transaction(work).then(note(1)),
      db.query('select 1').then(note(2)),
      db.transaction(work).then(note(3)),
      db.query('select 1').then(note(4))
    ])
    assert.deepEqual(order, [1, 2, 3, 4])
  })

  test('a transaction left open without a statement is ended, and its work undone', async () => {
    const lines: string[] = []
    const note = (...args: unknown[]) => void lines.push(String(args.at(-1)))
    const log = { info: note, warn: note, error: note }
    const one = await createPglite({
      dataDir: 'memory://',
      idleTransactionMs: 50,
      log,
      snapshot: await readSnapshot(false)
    })
    await one.query('create table item (id int)')
    const left = one.transaction(async tx => {
      await tx.query('insert into item values (1)')
      await new Promise(() => {})
    })
    await assert.rejects(left, UnavailableError)
    assert.deepEqual(await one.query('select from item'), [])
    assert.match(lines.join('\n'), /^A transaction stayed open without a statement for too long/)
    await one.transaction(async tx => {
      await liftTimeLimits(tx)
      await sleep(100)
      await tx.query('insert into item values (3)')
    })
    assert.deepEqual(await one.query('select id from item'), [{ id: 3 }])
    await one.close()
  })

  test('a large answer arrives whole', async () => {
    const rows = await db.query<{ n: number; text: string }>(
      `select n, repeat('é', 5000) as text from generate_series(1, 1000) n`
    )
    assert.equal(rows.length, 1000)
    assert.ok(rows.every(({ n, text }, index) => n === index + 1 && text.length === 5000))
  })

  test('runaway recursion is an error of the statement', async () => {
    await db.query(`create function down(n int) returns int language plpgsql as 'begin return down(n + 1); end'`)
    await assert.rejects(db.query('select down(1)'), { code: '54001' })
    assert.deepEqual(await db.query('select 1 as a'), [{ a: 1 }])
  })

  test('a dump opens as a database of the same rows; once it was closed it is an UnavailableError', async () => {
    await db.script('create table item (id int); insert into item values (7)')
    const copy = await createPglite({ dataDir: 'memory://', snapshot: await db.dump() })
    assert.deepEqual(await copy.query('select id from item'), [{ id: 7 }])
    await copy.close()
    await copy.close()
    await assert.rejects(copy.query('select 1'), UnavailableError)
    assert.deepEqual(copy.pool(), { size: 1, idle: 0 })
  })
})

test('a crash of the thread is an UnavailableError for the statement under way and for those that wait', async () => {
  let thread: Worker | undefined
  const note = (message: unknown) => {
    thread = (message as { worker: Worker }).worker
  }
  subscribe('worker_threads', note)
  const db = await openEmbedded({ migrated: false })
  unsubscribe('worker_threads', note)
  const underWay = assert.rejects(db.query('select count(*) from generate_series(1, 1000000)'), UnavailableError)
  const waiting = assert.rejects(
    db.transaction(async tx => void (await tx.query('select 1'))),
    UnavailableError
  )
  await thread?.terminate()
  await Promise.all([underWay, waiting])
  await db.close()
})

test('a folder that holds no database is refused with the reason', async () => {
  await assert.rejects(createPglite({ dataDir: '/dev/null/none' }), UnavailableError)
})

test('rows written before a kill are there afterwards', async (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'galley-kill-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const child = spawn(process.execPath, [fileURLToPath(writer), folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  let acknowledged = ''
  child.stdout.on('data', chunk => {
    acknowledged += chunk
    if (acknowledged.length > 500) child.kill('SIGKILL')
  })
  await once(child, 'close')
  const last = Number(acknowledged.trimEnd().split('\n').at(-1))
  const db = await createPglite({ dataDir: folder })
  t.after(() => db.close())
  const [stored] = await db.query<{ n: number }>('select count(*) as n from item where id <= $1', [last])
  assert.equal(stored?.n, last)
})
