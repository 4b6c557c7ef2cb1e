import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addPosting,
  createListWriter,
  encoded,
  writePositions
} from '../../../../plugins/search/inverted-index/encoded-list.ts'
import { createListPool } from '../../../../plugins/search/inverted-index/list-memory.ts'
import { readPositionLists } from '../../../../plugins/search/snapshot/phrase-positions.ts'

const posts = 2000
const range = (first: number, last: number) => Int32Array.from({ length: last - first + 1 }, (_, at) => first + at)

/** A list in which each post has its word once, at a position. */
function listOf(positionOf: (post: number) => number) {
  const writer = createListWriter()
  for (const post of range(1, posts)) {
    addPosting(writer, post, 1)
    writePositions(writer.positions, { positions: Int32Array.of(0, positionOf(post)), nexts: Int32Array.of(0, 0) }, 1)
  }
  return encoded(writer)
}

test('what one search found of posts is unknown to the next, which uses its memory again', async () => {
  const lists = new Map([
    // "a b" stands in the posts from 1101 on.
    ['a', listOf(post => (post <= 1100 ? 5 : 9))],
    ['b', listOf(() => 10)]
  ])
  const recent = new Map(
    Array.from(range(1, posts), post => [post, { segment: { listOf: (term: string) => lists.get(term) } }])
  )
  const table = { languageCodes: new Uint8Array(posts + 1), generations: new Int32Array(posts + 1) }
  const state = { segments: [], recent, table } as never
  const pool = createListPool()
  const countFound = async (first: number, last: number): Promise<number> => {
    const memory = pool(32_000_000)
    const lists = await readPositionLists({ query: async () => [] } as never, state, ['a', 'b'], {
      hasTimeToRead: () => true,
      countOf: ({ length }) => length,
      measure: (_, read) => read(),
      memory,
      stored: new Map()
    })
    const { matcherOf } = await lists.locate(range(first, last), async () => {})
    const words = ['a', 'b'].map((term, offset) => ({
      terms: [{ term, languages: undefined }],
      offset,
      stopWordIn: undefined
    }))
    const found = range(first, last).filter(matcherOf(words)).length
    memory.release()
    return found
  }
  for (const [first, last, found] of [
    [1, 1100, 0],
    [901, 2000, 900],
    [1, 1100, 0],
    [1, 1100, 0],
    [1001, 1101, 1]
  ] as const)
    assert.equal(await countFound(first, last), found, `${first} to ${last}`)
})
