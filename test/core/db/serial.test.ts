import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSerial } from '../../../core/db/serial.ts'

test('a serial runs one piece of work after the other, and a failed one does not stop the next', async () => {
  const serial = createSerial()
  const order: string[] = []
  const first = serial(async () => {
    await new Promise(setImmediate)
    order.push('first')
    throw new Error('no')
  })
  const second = serial(async () => order.push('second'))
  await assert.rejects(first, /^Error: no$/)
  await second
  assert.deepEqual(order, ['first', 'second'])
})

test('what a serial did last is not kept in memory by it', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const serial = createSerial()
  const done: WeakRef<object>[] = []
  await serial(async () => {
    const rows = {}
    done.push(new WeakRef(rows))
    return rows
  })
  // A weak reference holds until the end of the turn.
  await new Promise(setImmediate)
  collectGarbage()
  assert.deepEqual(
    done.map(rows => rows.deref()),
    [undefined]
  )
  assert.equal(await serial(async () => 'goes on'), 'goes on')
})
