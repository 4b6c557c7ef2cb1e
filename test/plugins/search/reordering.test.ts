import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hits } from '../../../plugins/search/inverted-index/hits.ts'
import { relevancesOf, reorder } from '../../../plugins/search/reordering.ts'

/** Posts 1, 2, 3 … with these scores by words, in any order. */
const hitsOf = (...keys: number[]): Hits => ({
  postNos: Int32Array.from(keys, (_, at) => at + 1),
  keys: Float64Array.from(keys),
  bits: new Uint32Array(keys.length)
})
const similaritiesOf = (...values: number[]) => values.map((similarity, at) => ({ post_no: at + 1, similarity }))

test('the best post by words counts fully as relevant, one half as good a sixteenth, and the last nothing', () => {
  assert.deepEqual(relevancesOf(hitsOf(300, 200, 100)), [1, 1 / 16, 0])
  assert.deepEqual(relevancesOf(hitsOf(100, 100)), [0, 0], 'of equal posts none is more relevant')
  assert.deepEqual(relevancesOf(hitsOf()), [])
})

test('posts are ordered by words and vectors, which count by their weight', () => {
  const candidates = hitsOf(100, 90, 0)
  const similarities = similaritiesOf(0.1, 0.9, 0.2)
  assert.deepEqual(reorder(candidates, { similarities, weight: 1 }), [2, 1, 3])
  assert.deepEqual(reorder(candidates, { similarities, weight: 0 }), [1, 2, 3])
  assert.deepEqual(reorder(candidates, { similarities: [], weight: 0 }), [1, 2, 3], 'what nothing compared stays')
  assert.deepEqual(reorder(hitsOf(0, 90, 100), { similarities: [], weight: 0 }), [3, 2, 1])
})

test('vectors that agree with no post of the first page by words change nothing', () => {
  const keys = Array.from({ length: 30 }, (_, at) => 30 - at)
  const order = keys.map((_, at) => at + 1)
  const similarities = similaritiesOf(...keys.map((_, at) => at / 100))
  assert.deepEqual(reorder(hitsOf(...keys), { similarities, weight: 9 }), order)
})
