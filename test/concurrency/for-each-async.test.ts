import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { forEachAsync } from '#concurrency'

/** Work that ends when it is told to. */
function heldWork() {
  const begun: number[] = []
  const lanes: number[] = []
  const ends = new Map<number, PromiseWithResolvers<void>>()
  const work = (item: number, lane: number) => {
    begun.push(item)
    lanes.push(lane)
    const end = Promise.withResolvers<void>()
    ends.set(item, end)
    return end.promise
  }
  return {
    begun,
    lanes,
    work,
    end: (item: number) => ends.get(item)?.resolve(),
    fail: (item: number) => ends.get(item)?.reject(new Error(`item ${item}`))
  }
}

async function* asyncItems(onClose: () => void) {
  try {
    for (let item = 1; item <= 5; item++) yield item
  } finally {
    onClose()
  }
}

test('so many are at work at a time, in their order, each with a lane of its own', async () => {
  const { begun, lanes, work, end } = heldWork()
  const all = forEachAsync([1, 2, 3, 4], work, { concurrency: 2 })
  await setImmediate()
  assert.deepEqual(begun, [1, 2])
  end(2)
  await setImmediate()
  assert.deepEqual(begun, [1, 2, 3])
  assert.deepEqual(lanes, [0, 1, 1])
  for (const item of [1, 3]) end(item)
  await setImmediate()
  end(4)
  await all
  assert.deepEqual(begun, [1, 2, 3, 4])
})

test('after an error nothing is begun, and it is thrown once the others under way have ended', async () => {
  const { begun, work, end, fail } = heldWork()
  let isClosed = false
  const items = asyncItems(() => {
    isClosed = true
  })
  let thrown: unknown
  const all = forEachAsync(items, work, { concurrency: 3 }).catch(error => {
    thrown = error
  })
  await setImmediate()
  fail(2)
  await setImmediate()
  end(1)
  await setImmediate()
  assert.deepEqual(begun, [1, 2, 3])
  assert.equal(thrown, undefined)
  end(3)
  await all
  assert.match(String(thrown), /item 2/)
  assert.deepEqual(begun, [1, 2, 3])
  assert.equal(isClosed, true)
})

test('what the source gives after an error is not begun, and its own end hides no error', async () => {
  const given = Promise.withResolvers<void>()
  const items = (async function* () {
    try {
      yield 1
      await given.promise
      yield 2
    } finally {
      // biome-ignore lint/correctness/noUnsafeFinally: a source that cannot be closed
      throw new Error('the file cannot be closed')
    }
  })()
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    await setImmediate()
    throw new Error(`item ${item}`)
  }
  const all = forEachAsync(items, work, { concurrency: 2 })
  await setImmediate()
  await setImmediate()
  given.resolve()
  await assert.rejects(all, /item 1/)
  assert.deepEqual(begun, [1])
})

test('what the source throws ends it as well', async () => {
  const done: number[] = []
  const items = (function* () {
    yield 1
    throw new Error('the file is cut')
  })()
  const work = async (item: number) => done.push(item)
  await assert.rejects(forEachAsync(items, work, { concurrency: 2 }), /the file is cut/)
  assert.deepEqual(done, [1])
})

test('once its signal is aborted nothing is begun', async () => {
  const controller = new AbortController()
  const { begun, work, end } = heldWork()
  const all = forEachAsync([1, 2, 3], work, { concurrency: 1, signal: controller.signal })
  await setImmediate()
  controller.abort(new Error('the reader has gone'))
  end(1)
  await assert.rejects(all, /the reader has gone/)
  assert.deepEqual(begun, [1])
})

test('nothing to do ends at once', () => forEachAsync([], () => assert.fail(), { concurrency: 4 }))
