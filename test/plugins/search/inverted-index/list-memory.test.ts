import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createListPool } from '../../../../plugins/search/inverted-index/list-memory.ts'

test('what a search gives back serves later ones, and no two at once', () => {
  const borrow = createListPool(1_000_000)
  const first = borrow()
  const lists = [first.take(5000), first.take(5000)]
  assert.notEqual(lists[0], lists[1])
  assert.ok(!lists.includes(borrow().take(5000)), 'what is still in use')
  first.release()
  const second = borrow()
  const third = borrow()
  const again = [second.take(6000), third.take(7000)]
  assert.deepEqual(new Set(again), new Set(lists))
  first.release()
  assert.ok(!again.includes(borrow().take(5000)), 'given back once')
})

test('lists have the room that was asked for', () => {
  const borrow = createListPool(1_000_000)
  for (const posts of [0, 1, 1023, 1024, 1025, 70_000]) {
    const memory = borrow()
    const { postNos, weights } = memory.take(posts)
    assert.ok(postNos.length >= posts && weights.length === postNos.length, String(posts))
    memory.release()
  }
})

test('no more than its limit is held', () => {
  const borrow = createListPool(8 * 4096)
  const memory = borrow()
  const lists = [memory.take(4096), memory.take(4096), memory.take(65_536)]
  memory.release()
  const next = borrow()
  const found = [next.take(4096), next.take(4096), next.take(65_536)]
  assert.equal(found.filter(each => lists.includes(each)).length, 1)
})
