import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undoAll } from '../../cli/undo.ts'

test('every step is undone, the latest first, and the first error is told last', async () => {
  const undone: string[] = []
  const step = (name: string, fault?: string) => async () => {
    undone.push(name)
    if (fault !== undefined) throw new Error(fault)
  }
  const steps = [step('database', 'second'), step('jobs', 'first'), step('socket')]
  await assert.rejects(undoAll(steps), { message: 'first' })
  assert.deepEqual(undone, ['socket', 'jobs', 'database'])
  await undoAll([step('alone')])
})
