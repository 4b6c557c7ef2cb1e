import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextMerge, sizeClassOf } from '../../../../plugins/search/indexing/merge-policy.ts'

const of = (...sizes: number[]) => sizes.map(posts => ({ posts }))
const sizesOf = (segments: { posts: number }[] | undefined) => segments?.map(({ posts }) => posts)

test('eight neighbours of a size are merged, the smallest first', () => {
  const eight = Array.from({ length: 8 }, () => 3)
  assert.equal(nextMerge([]), undefined)
  assert.equal(nextMerge(of(...eight.slice(1))), undefined)
  assert.deepEqual(sizesOf(nextMerge(of(90_000, ...eight))), eight)
  assert.deepEqual(
    sizesOf(nextMerge(of(...eight.map(() => 4_000), 1))),
    [...eight.map(() => 4_000), 1],
    'with smaller ones'
  )
  const seven = eight.slice(1).map(() => 14_000)
  assert.equal(nextMerge(of(...seven, 1_800)), undefined, 'few large ones are not written again for a small one')
  const between = seven.slice(3).flatMap(posts => [posts, 3, 3, 3])
  assert.deepEqual(sizesOf(nextMerge(of(...between))), between, 'unless they are many')
  assert.equal(nextMerge(of(4_000, 3, 3, 3, 3, 4_000, 3, 3, 3, 3)), undefined, 'not those apart')
})

test('however many posts come one by one or many at once, there are few segments, and each is written few times', () => {
  for (const flush of [1, 60, 4_000]) {
    let segments = of()
    let written = 0
    const posts = flush * 2_000
    for (let done = 0; done < posts; done += flush) {
      segments.push({ posts: flush })
      written += flush
      for (let merge = nextMerge(segments); merge !== undefined; merge = nextMerge(segments)) {
        const merged = merge.reduce((sum, each) => sum + each.posts, 0)
        const first = segments.indexOf(merge[0] as { posts: number })
        segments = [...segments.slice(0, first), { posts: merged }, ...segments.slice(first + merge.length)]
        written += merged
      }
    }
    assert.ok(segments.length <= 8 * (sizeClassOf(posts) + 1), `${flush}: ${segments.length} segments`)
    const maxWrites = flush === 1 ? 80 : 12
    assert.ok(written / posts <= maxWrites, `${flush}: each post is written ${written / posts} times`)
  }
})
