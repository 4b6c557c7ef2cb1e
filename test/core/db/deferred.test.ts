import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '../../../core/db/db.ts'
import { deferDb } from '../../../core/db/deferred.ts'
import { openTestDatabase } from '../../helpers/database.ts'

test('statements wait for the database, in their order, and then go to it', async () => {
  const opened = await openTestDatabase()
  const { promise, resolve } = Promise.withResolvers<Db>()
  const db = deferDb(opened.kind, promise)
  assert.deepEqual(db.pool(), { size: 0, idle: 0 })
  const early = Promise.all([
    db.script('create table waited (n int)'),
    db.transaction(tx => tx.query('insert into waited values (1)')),
    db.query('select n from waited')
  ])
  resolve(opened)
  assert.deepEqual((await early)[2], [{ n: 1 }])
  assert.deepEqual(await db.query('select n from waited'), [{ n: 1 }])
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
