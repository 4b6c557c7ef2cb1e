import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIdleWatch } from '../../../../cli/database/session/idle-watch.ts'
import type { Tx } from '../../../../core/contract/database.ts'

const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length

test('a transaction that was left behind keeps no process from its end', async () => {
  const before = timers()
  const watch = createIdleWatch(600_000, () => new Error('It was idle.'))
  const { promise, resolve } = Promise.withResolvers<void>()
  const tx: Tx = { query: async () => [], script: async () => [], afterCommit: () => {} }
  const left = watch.unlessIdle(tx, promise)
  assert.equal(timers(), before)
  await watch.during(async () => {})
  assert.equal(timers(), before)
  resolve()
  await left
})
