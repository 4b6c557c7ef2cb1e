import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLaneScheduler } from '../../../cli/database/pglite/lane-scheduler.ts'
import type { Db } from '../../../core/contract/database.ts'
import { UnavailableError } from '../../../core/contract/errors.ts'
import { inLane, inLaneSerially } from '../../../core/db/lanes.ts'
import { openEmbedded, openOnServer, testServerUrl } from '../../helpers/database.ts'
import { until } from '../../helpers/until.ts'

describe('turns of one session', () => {
  test('lanes take turns, so that a flood of reads holds up a decision by one of them', async () => {
    const schedule = createLaneScheduler()
    const done: string[] = []
    const work = (name: string) => async () => void done.push(name)
    const reads = Array.from({ length: 5 }, (_, n) => schedule('reads', work(`read ${n}`)))
    const decision = schedule('work', work('decision'))
    const health = schedule('health', work('health'))
    await Promise.all([...reads, decision, health])
    assert.deepEqual(done, ['read 0', 'decision', 'health', 'read 1', 'read 2', 'read 3', 'read 4'])
  })

  test('what was not begun when its signal is aborted never is', async () => {
    const schedule = createLaneScheduler()
    const release = Promise.withResolvers<void>()
    const first = schedule('queries', () => release.promise)
    const controller = new AbortController()
    let begun = 0
    const given = schedule('queries', async () => void begun++, controller.signal)
    controller.abort()
    await assert.rejects(given, UnavailableError)
    await assert.rejects(
      schedule('queries', async () => void begun++, controller.signal),
      UnavailableError
    )
    release.resolve()
    await first
    await schedule('queries', async () => {})
    assert.equal(begun, 0)
  })

  test('a failed piece of work does not stop the next', async () => {
    const schedule = createLaneScheduler()
    const failed = schedule('work', async () => {
      throw new RangeError()
    })
    assert.equal(await schedule('work', async () => 7), 7)
    await assert.rejects(failed, RangeError)
  })
})

test('on PGlite a transaction of one lane is not mistaken for that of another', async () => {
  const db = await openEmbedded({ migrated: false })
  const release = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const transaction = db.transaction(async tx => {
    entered.resolve()
    await release.promise
    return await tx.query('select 1 as a')
  })
  await entered.promise
  const read = inLane('reads', () => db.query('select 2 as a'))
  release.resolve()
  assert.deepEqual([await transaction, await read], [[{ a: 1 }], [{ a: 2 }]])
  await db.close()
})

describe('connections of a server', { skip: testServerUrl === undefined }, () => {
  let db: Db & { close(): Promise<void> }
  before(async () => {
    db = (await openOnServer(testServerUrl ?? '', { migrated: false })).db
  })
  after(() => db.close())
  const running = `select count(*) as count from pg_stat_activity
    where query like '%pg_sleep%' and state = 'active' and datname = current_database() and pid <> pg_backend_pid()`
  const count = async () => (await db.query<{ count: number }>(running))[0]?.count

  test('a flood of reads and searches leaves those of decisions and of health, and is cancelled on the server', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const sleep = () => db.query('select pg_sleep(600)', [], { signal })
    const flood = (['reads', 'queries'] as const).flatMap(lane =>
      Array.from({ length: 10 }, () =>
        inLane(lane, () => assert.rejects(sleep(), error => error instanceof UnavailableError))
      )
    )
    // Five connections are for decisions: four tenths of it for reads, two for searches.
    await until(async () => (await count()) === 4)
    assert.deepEqual(await db.query('select 1 as a'), [{ a: 1 }])
    assert.deepEqual(await inLane('health', () => db.query('select 1 as a')), [{ a: 1 }])
    controller.abort()
    await Promise.all(flood)
    await until(async () => (await count()) === 0)
    assert.deepEqual(await inLane('queries', () => db.query('select 1 as a')), [{ a: 1 }])
  })

  test('work that takes turns holds one connection, however much it asks for at once', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const all = inLaneSerially('reads', () =>
      Promise.allSettled([1, 2, 3].map(() => db.query('select pg_sleep(600)', [], { signal })))
    )
    await until(async () => (await count()) === 1)
    controller.abort()
    assert.deepEqual(
      (await all).map(({ status }) => status),
      ['rejected', 'rejected', 'rejected']
    )
  })
})
