import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createListPool, readIntoMemory } from '../../../../plugins/search/inverted-index/list-memory.ts'

test('what a search gives back serves later ones, and no two at once', () => {
  const pool = createListPool()
  const acquire = () => pool(1_000_000)
  const first = acquire()
  const lists = [first.take(5000), first.take(5000)]
  assert.notEqual(lists[0], lists[1])
  assert.ok(!lists.includes(acquire().take(5000)), 'what is still in use')
  first.release()
  const second = acquire()
  const third = acquire()
  const again = [second.take(6000), third.take(7000)]
  assert.deepEqual(new Set(again), new Set(lists))
  first.release()
  assert.ok(!again.includes(acquire().take(5000)), 'given back once')
})

test('lists have the room that was asked for', () => {
  const pool = createListPool()
  const acquire = () => pool(1_000_000)
  for (const posts of [0, 1, 1023, 1024, 1025, 70_000]) {
    const memory = acquire()
    const { postNos, weights } = memory.take(posts)
    assert.ok(postNos.length >= posts && weights.length === postNos.length, String(posts))
    memory.release()
  }
})

test('no more than its limit is held', () => {
  const pool = createListPool()
  const acquire = () => pool(8 * 4096)
  const memory = acquire()
  const lists = [memory.take(4096), memory.take(4096), memory.take(65_536)]
  memory.release()
  const next = acquire()
  const found = [next.take(4096), next.take(4096), next.take(65_536)]
  assert.equal(found.filter(each => lists.includes(each)).length, 1)
})

test('a size that no search asks for any more makes way for others', () => {
  const pool = createListPool()
  const acquire = () => pool(8 * 4096)
  const before = acquire()
  for (let n = 0; n < 2; n++) before.take(2048)
  before.release()
  const memory = acquire()
  const list = memory.take(4096)
  memory.release()
  assert.equal(acquire().take(4096), list)
})

test('rows are decoded into memory that later searches use again, and none after their statement has ended', async () => {
  const pool = createListPool()
  const sizes = [0, 1, 100_000, 300_000, 524_288, 2_000_000, 3]
  const contents = sizes.map((size, n) => Buffer.alloc(size, `${n}:`))
  const readAll = async () => {
    const memory = pool(16_000_000)
    const { rows, read } = await readIntoMemory(memory, async read => ({
      rows: contents.map(bytes => read(bytes.toString('base64'))),
      read
    }))
    for (const [n, bytes] of contents.entries()) assert.ok(rows[n]?.equals(bytes), `row ${n}`)
    assert.equal(read('YWJj').length, 0)
    memory.release()
    return rows.map(({ buffer }) => buffer)
  }
  const [first, second] = [await readAll(), await readAll()]
  assert.ok(second.filter(({ byteLength }) => byteLength > 0).every(buffer => first.includes(buffer)))
})
