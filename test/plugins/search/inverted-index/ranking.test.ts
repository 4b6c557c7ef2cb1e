import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fuse } from '../../../../plugins/search/fusion.ts'
import { bestFirst, filter, top } from '../../../../plugins/search/inverted-index/hits.ts'
import { createListMerge } from '../../../../plugins/search/inverted-index/merged-lists.ts'
import { notPublished } from '../../../../plugins/search/inverted-index/post-table.ts'
import { createRank } from '../../../../plugins/search/inverted-index/ranking.ts'

const list = (...postings: [post: number, weight: number, seconds?: number][]) => ({
  postNos: Int32Array.from(postings, ([post]) => post),
  weights: Float32Array.from(postings, ([, weight]) => weight),
  seconds: new Map(postings.map(([post, , seconds = 1000]) => [post, seconds]))
})
const rankWith = createRank()
/** Each list is a word, its bit that of its place. */
function rank(lists: ReturnType<typeof list>[], postNos: number, nowSeconds: number, required = 0) {
  const published = lists.flatMap(({ seconds }) => [...seconds])
  const publishedSeconds = new Int32Array(Math.max(...published.map(([post]) => post)) + 1).fill(notPublished)
  for (const [post, seconds] of published) publishedSeconds[post] = seconds
  const terms = lists.map((each, at) => ({ list: each, bit: 1 << at, weight: 1 }))
  return rankWith(terms, { postCount: postNos, nowSeconds, publishedSeconds }, { required })
}
const order = (hits: ReturnType<typeof rank>, count = 100) => [...top(hits, count).postNos]

test('a rare word counts more than a common one', () => {
  const common = list([1, 1], [2, 1], [3, 1], [4, 1])
  const rare = list([4, 1], [5, 1])
  assert.deepEqual(order(rank([common, rare], 100, 2000)), [4, 5, 3, 2, 1])
  assert.deepEqual(order(rank([common, rare], 100, 2000, 3)), [4])
  assert.deepEqual(order(rank([common, rare], 100, 2000, 2)), [4, 5], 'nothing is left of the ranking before')
})

test('a word that counts twice weighs as much as two', () => {
  const one = list([1, 1])
  const other = list([2, 1.5])
  const index = { postCount: 10, nowSeconds: 2000, publishedSeconds: Int32Array.from([notPublished, 1000, 1000]) }
  const ranked = (weight: number) =>
    order(
      rankWith(
        [
          { list: one, bit: 1, weight },
          { list: other, bit: 2, weight: 1 }
        ],
        index
      )
    )
  assert.deepEqual(
    [ranked(1), ranked(1.6)],
    [
      [2, 1],
      [1, 2]
    ]
  )
})

test('of equal scores the newer is first, then the higher number, and what is to come is left out', () => {
  const same = list([1, 1, 500], [2, 1, 900], [3, 1, 900], [4, 1, 2001])
  assert.deepEqual(order(rank([same], 10, 2000)), [3, 2, 1])
})

test('years of age do not outweigh what a post says', () => {
  const year = 31_557_600
  const said = list([1, 1.5, 0], [2, 1, 20 * year])
  assert.deepEqual(order(rank([said], 10, 30 * year)), [1, 2])
})

test('the best of many are those a whole sort would give, equal ones included', () => {
  const postings = Array.from(
    { length: 5000 },
    (_, at) => [at, ((at * 7919) % 97) / 10 + 0.1, at % 13] as [number, number, number]
  )
  const hits = rank([list(...postings)], 5000, 100)
  const whole = order(hits, 5000)
  for (const count of [1, 2, 10, 200, 4999]) assert.deepEqual(order(hits, count), whole.slice(0, count))
})

test('the best of those with any of the words are those that a whole ranking begins with', () => {
  const posting = fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 16 }))
  const postings = fc.uniqueArray(posting, { maxLength: 300, size: 'max', selector: ([no]) => no })
  // Words that posts say a little or often: what is rare must not always be what counts most.
  const words = fc.array(fc.tuple(postings, fc.integer({ min: 1, max: 40 })), { minLength: 1, maxLength: 3 })
  // One of seven is not published, some are to come, and many are of one second.
  const publishedSeconds = Int32Array.from({ length: 301 }, (_, no) => (no % 7 === 0 ? notPublished : (no % 11) * 1e8))
  const index = { postCount: 301, nowSeconds: 9e8, publishedSeconds }
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 9 }), fc.nat(9), (lists, count, unwanted) => {
      const terms = lists.map(([all, often], at) => ({
        // Weights that a double adds up alike in any order.
        list: list(...all.map(([no, weight]) => [no, (weight * often) / 256] as [number, number])),
        bit: 1 << at,
        weight: 1
      }))
      const isWanted = (no: number) => no % 10 !== unwanted
      const best = rankWith(terms, index, { best: { count, isWanted } })
      assert.deepEqual(best, top(filter(rankWith(terms, index), isWanted), count))
    })
  )
})

test('a post with the commoner word alone is among the best when it says it more', () => {
  const from = (first: number, count: number, weight: number) =>
    Array.from({ length: count }, (_, at) => [first + at, weight] as [number, number])
  const rarer = { list: list(...from(0, 120, 1)), bit: 1, weight: 1 }
  const commoner = { list: list(...from(120, 149, 0.1), [300, 2.4]), bit: 2, weight: 1 }
  const index = { postCount: 301, nowSeconds: 2000, publishedSeconds: new Int32Array(301).fill(1000) }
  const best = rankWith([rarer, commoner], index, { best: { count: 2, isWanted: () => true } })
  assert.deepEqual(order(best), [300, 119])
})

test('of hits with the best first all are there, and the best are in order', () => {
  const keys = fc.array(fc.nat(20), { maxLength: 60 })
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 70 }), (ofPosts, count) => {
      const hits = {
        postNos: Int32Array.from(ofPosts.keys()),
        keys: Float64Array.from(ofPosts),
        bits: new Uint32Array(ofPosts.length)
      }
      const ordered = bestFirst(hits, count)
      assert.deepEqual(
        [...ordered].sort((a, b) => a - b),
        [...ofPosts.keys()]
      )
      assert.deepEqual(ordered.slice(0, count), top(hits, count).postNos)
    })
  )
})

test('of very many the best are found wherever they stand', () => {
  const count = 40_000
  const index = { postCount: count, nowSeconds: 2000, publishedSeconds: new Int32Array(count).fill(1000) }
  const all = (weightOf: (post: number) => number) =>
    list(...Array.from({ length: count }, (_, post) => [post, weightOf(post)] as [number, number]))
  const rising = { list: all(post => 0.1 + post / count), bit: 1, weight: 1 }
  const equal = { list: all(() => 0.5), bit: 2, weight: 1 }
  const best = rankWith([rising, equal], index, { best: { count: 3, isWanted: post => post !== count - 2 } })
  assert.deepEqual(order(best), [count - 1, count - 3, count - 4])
})

test('terms that stand for one word count once, with the one said most', () => {
  const merged = createListMerge()([list([1, 1], [2, 3]), list([2, 1], [3, 2])])
  assert.deepEqual([...merged.postNos], [1, 2, 3])
  assert.deepEqual([...merged.weights], [1, 3, 2])
})

test('fusion prefers what both lists have, and weighs the list by meaning', () => {
  assert.deepEqual(
    fuse([1, 2, 3], [3, 4], 1).map(each => each.post_no),
    [3, 1, 2, 4]
  )
  assert.deepEqual(
    fuse([1, 2], [9, 2], 0.1).map(each => each.post_no),
    [1, 2, 9]
  )
  assert.deepEqual(fuse([], [], 1), [])
})

test('where no post has all required words, none is found, and nothing is left of the ranking', () => {
  const lists = [list([1, 1], [2, 1]), list([2, 1], [3, 1], [5, 1]), list([1, 1], [3, 1], [4, 1], [5, 1])]
  assert.deepEqual(order(rank(lists, 100, 2000, 7)), [])
  assert.deepEqual(order(rank(lists, 100, 2000, 6)), [5, 3])
})
