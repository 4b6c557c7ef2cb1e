import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deferDb } from '../../../cli/database/deferred.ts'
import type { Db } from '../../../core/contract/database.ts'
import { openTestDatabase } from '../../helpers/database.ts'

test('statements wait for the database, and then go to it', async () => {
  const opened = await openTestDatabase()
  const { promise, resolve } = Promise.withResolvers<Db>()
  const db = deferDb(opened.kind, promise)
  assert.deepEqual(db.pool(), { size: 0, idle: 0 })
  const early = Promise.all([
    db.query('select 1 as n'),
    db.script('select 2 as n'),
    db.transaction(tx => tx.query('select 3 as n'))
  ])
  resolve(opened)
  assert.deepEqual(await early, [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
  assert.deepEqual(await db.query('select 4 as n'), [{ n: 4 }])
  assert.equal(db.pool().size, opened.pool().size)
  await db.close()
  await assert.rejects(opened.query('select 1'))
})

test('where it cannot be opened, each statement fails with the reason', async () => {
  const fault = new Error('No disk.')
  const db = deferDb('pglite', Promise.reject(fault))
  await assert.rejects(db.query('select 1'), fault)
  await assert.rejects(
    db.transaction(() => assert.fail('it ran')),
    fault
  )
})
