import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batched } from '#concurrency'

const lengthOf = (word: string) => word.length

for (const { title, items, limits, batches } of [
  { title: 'nothing has no batch', items: [], limits: { maxItems: 2 }, batches: [] },
  {
    title: 'the last batch has what is left',
    items: ['a', 'b', 'c'],
    limits: { maxItems: 2 },
    batches: [['a', 'b'], ['c']]
  },
  { title: 'a batch may be full', items: ['a', 'b'], limits: { maxItems: 2 }, batches: [['a', 'b']] },
  {
    title: 'the sizes of a batch reach the limit, and do not pass it',
    items: ['ab', 'cd', 'e'],
    limits: { maxSize: 4, sizeOf: lengthOf },
    batches: [['ab', 'cd'], ['e']]
  },
  {
    title: 'what is larger than the limit is alone',
    items: ['a', 'bcdefg', 'h'],
    limits: { maxSize: 4, sizeOf: lengthOf },
    batches: [['a'], ['bcdefg'], ['h']]
  },
  {
    title: 'the limit that is reached first counts',
    items: ['a', 'b', 'cdef'],
    limits: { maxItems: 2, maxSize: 4, sizeOf: lengthOf },
    batches: [['a', 'b'], ['cdef']]
  }
])
  test(title, () => assert.deepEqual([...batched(items, limits)], batches))
