import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createListMerge } from '../../../../plugins/search/inverted-index/merged-lists.ts'
import type { PostingList } from '../../../../plugins/search/inverted-index/posting-list.ts'

// Used again by each test, as by each search.
const merge = createListMerge()

const listOf = (postings: readonly (readonly [number, number])[]): PostingList => ({
  postNos: Int32Array.from(postings, ([post]) => post),
  weights: Float32Array.from(postings, ([, weight]) => weight)
})

const asMap = ({ postNos, weights }: PostingList) => new Map(Array.from(postNos, (post, at) => [post, weights[at]]))

for (const [what, count, step] of [
  ['few', 10, 3],
  ['many', 3000, 1],
  ['many that lie far apart', 3000, 1000]
] as const)
  test(`a post counts with the term it says most, once: ${what} posts`, () => {
    const first = listOf(Array.from({ length: count }, (_, n) => [n * step, n % 2 === 0 ? 2 : 0.5]))
    const second = listOf(Array.from({ length: count }, (_, n) => [2 * n * step, n % 3 === 0 ? 4 : 1]))
    const merged = merge([first, second])
    const expected = asMap(first)
    for (const [post, weight] of asMap(second)) expected.set(post, Math.max(weight ?? 0, expected.get(post) ?? 0))
    assert.equal(merged.postNos.length, expected.size)
    assert.deepEqual(asMap(merged), expected)
  })
