import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { createDeadLetterJobs } from '../../cli/jobs/dead-letters.ts'
import type { Db } from '../../core/contract/database.ts'
import { event, on } from '../../core/contract/plugin.ts'
import { openTestDatabase } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { createProcess, skipBackoff, startProcess, stopProcesses } from './jobs-setup.ts'

let db: Db
before(async () => {
  db = await openTestDatabase({ migrated: false })
})
after(() => db.close())
afterEach(stopProcesses)

interface Payload {
  post_id: string
}
const newEvent = () => event<Payload>(`test.${randomUUID()}`)

test('an event of a committed transaction reaches each subscriber once, one that rolled back none', async () => {
  const type = newEvent()
  const seen: string[] = []
  const subscriber = (plugin: string) => ({
    plugin,
    subscriptions: [on(type, async ({ post_id }) => void seen.push(`${plugin} ${post_id}`))]
  })
  const jobs = await startProcess(db, subscriber('one'), subscriber('two'))
  const failing = db.transaction(async tx => {
    await jobs.emit(tx, type, { post_id: 'rolled back' })
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  await db.transaction(tx => jobs.emit(tx, type, { post_id: 'committed' }))
  await until(() => seen.length === 2)
  assert.deepEqual(seen.sort(), ['one committed', 'two committed'])
})

test('an event is delivered after its transaction, not during it', async () => {
  const type = newEvent()
  const order: string[] = []
  const jobs = await startProcess(db, { subscriptions: [on(type, async () => void order.push('delivered'))] })
  await db.transaction(async tx => {
    await jobs.emit(tx, type, { post_id: '1' })
    await tx.query('select pg_sleep(0.05)')
    order.push('committing')
  })
  await until(() => order.includes('delivered'))
  assert.deepEqual(order, ['committing', 'delivered'])
})

test('a subscriber that keeps failing is tried again and parked; the others are not concerned', async () => {
  const type = newEvent()
  const queue = `${type.id}/failing`
  const deliveryCounts: number[] = []
  let others = 0
  const jobs = await startProcess(
    db,
    {
      plugin: 'failing',
      subscriptions: [
        on(type, async (_, { deliveryCount }) => {
          deliveryCounts.push(deliveryCount)
          throw new Error('mail server is away')
        })
      ]
    },
    {
      plugin: 'other',
      subscriptions: [
        on(type, async () => {
          others += 1
        })
      ]
    }
  )
  await db.transaction(tx => jobs.emit(tx, type, { post_id: '1' }))
  await until(() => others === 1)
  await until(async () => {
    await skipBackoff(db)
    return (await createDeadLetterJobs({ db, jobs }).list({ queue })).total === 1
  })
  assert.deepEqual(deliveryCounts, [1, 2, 3, 4, 5, 6, 7, 8, 9])
  assert.equal(others, 1)
  const [parked] = (await createDeadLetterJobs({ db, jobs }).list({ queue })).items
  assert.partialDeepStrictEqual(parked, {
    queue,
    data: { post_id: '1' },
    error: 'mail server is away'
  })
})

test('an event without subscribers leaves nothing behind', async () => {
  const type = newEvent()
  const jobs = await startProcess(db)
  const post_id = randomUUID()
  await db.transaction(tx => jobs.emit(tx, type, { post_id }))
  assert.deepEqual(await db.query("select name from jobs.job where data::text like '%' || $1 || '%'", [post_id]), [])
})

test('a plugin subscribes to an event once', () => {
  const type = newEvent()
  const handle = async () => {}
  assert.throws(
    () => createProcess(db, { plugin: 'posts', subscriptions: [on(type, handle), on(type, handle)] }),
    /The plugin posts subscribes to test\..* twice/
  )
})
