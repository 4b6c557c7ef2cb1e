import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wakeAt } from '../../../core/jobs/wake-at.ts'

test('a timer that ends early does not wake the worker before the job is due', t => {
  let now = 1_000
  let wakes = 0
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(performance, 'now', () => now)
  const wake = () => {
    wakes += 1
  }
  wakeAt({ wake }, 1_010)
  now = 1_007.5
  t.mock.timers.tick(10)
  assert.equal(wakes, 0)
  now = 1_010.2
  t.mock.timers.tick(3)
  assert.equal(wakes, 1)
  t.mock.timers.tick(1_000)
  assert.equal(wakes, 1)
})

test('a job that is due already wakes the worker at once', () => {
  let isAwake = false
  const wake = () => {
    isAwake = true
  }
  wakeAt({ wake }, performance.now())
  assert.equal(isAwake, true)
})
