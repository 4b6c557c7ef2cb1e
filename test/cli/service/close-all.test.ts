import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeAll } from '../../../cli/service/close-all.ts'

test('every step is undone, the latest first, and the first error is told last', async () => {
  const undone: string[] = []
  const step = (name: string, fault?: string) => async () => {
    undone.push(name)
    if (fault !== undefined) throw new Error(fault)
  }
  const steps = [step('database', 'second'), step('jobs', 'first'), step('socket')]
  await assert.rejects(closeAll(steps), { message: 'first' })
  assert.deepEqual(undone, ['socket', 'jobs', 'database'])
  await closeAll([step('alone')])
})
