import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoundedMap } from '#core'

test('a value is computed once, one of null too', () => {
  const asked: number[] = []
  const map = createBoundedMap<number, string | null>({ maxEntries: () => 2 })
  const compute = (key: number) => {
    asked.push(key)
    return key === 1 ? null : `${key}`
  }
  assert.deepEqual(
    [1, 1, 2, 2].map(key => map.getOrCompute(key, compute)),
    [null, null, '2', '2']
  )
  assert.deepEqual(asked, [1, 2])
})

test('a full map takes a new value even when all the others were read, and evicts what was read longest ago', () => {
  const map = createBoundedMap<string, number>({ maxEntries: () => 2 })
  map.set('a', 1)
  map.set('b', 2)
  assert.deepEqual([map.get('a'), map.get('b')], [1, 2])
  map.set('c', 3)
  assert.deepEqual(
    ['a', 'b', 'c'].map(key => map.get(key)),
    [undefined, 2, 3]
  )
})

test('a map without room for any value has none', () => {
  const map = createBoundedMap<string, number>({ maxEntries: () => 0 })
  assert.equal(
    map.getOrCompute('a', () => 1),
    1
  )
  assert.deepEqual(map.size(), { entries: 0, bytes: 0 })
})

test('each value that leaves is told of once: evicted, replaced, deleted, cleared', () => {
  const removed: string[] = []
  const map = createBoundedMap<string, string>({ maxEntries: () => 2, onRemove: value => removed.push(value) })
  map.set('a', 'first')
  map.set('a', 'second')
  map.set('b', 'B')
  map.set('c', 'C')
  assert.deepEqual(removed, ['first', 'second'])
  map.delete('b')
  map.delete('b')
  map.set('d', 'D')
  map.deleteWhere(value => value === 'D')
  map.clear()
  assert.deepEqual(removed, ['first', 'second', 'B', 'D', 'C'])
})

test('a value that is measured again stays, and is not told of', () => {
  const removed: unknown[] = []
  const map = createBoundedMap<string, number[]>({
    maxBytes: () => 100,
    bytesOf: value => value.length,
    onRemove: value => removed.push(value)
  })
  const value = [1]
  map.set('a', value)
  value.push(2)
  map.measure('a')
  assert.deepEqual([map.size(), removed], [{ entries: 1, bytes: 2 }, []])
  value.push(...Array.from({ length: 24 }, () => 0))
  map.measure('a')
  assert.deepEqual([map.size(), removed.length], [{ entries: 0, bytes: 0 }, 1])
})
