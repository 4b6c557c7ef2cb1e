import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createByteWriter, writeNumber, written } from '../../../../plugins/search/inverted-index/byte-writer.ts'
import {
  addPositions,
  addPosting,
  createListWriter,
  createPositionBuffer,
  type EncodedList,
  eachPositions,
  encoded,
  mergeLists,
  writePositions
} from '../../../../plugins/search/inverted-index/encoded-list.ts'
import { lengthCode, lengthOf } from '../../../../plugins/search/inverted-index/frequency.ts'
import { createListPool } from '../../../../plugins/search/inverted-index/list-memory.ts'
import { emptyTable, notIndexed, withEntries } from '../../../../plugins/search/inverted-index/post-table.ts'
import { readList } from '../../../../plugins/search/inverted-index/posting-list.ts'
import {
  createRowCollector,
  type PostingRows,
  withoutChecksum
} from '../../../../plugins/search/inverted-index/posting-rows.ts'
import { entriesOf, entryOfTerm, postsOfTerm } from '../../../../plugins/search/inverted-index/term-block.ts'
import { weightsOf } from '../../../../plugins/search/inverted-index/weights.ts'

const utf8 = (term: string) => new TextEncoder().encode(term)

type Posting = [postNo: number, frequency: number, positions: number[]]

function listOf(postings: readonly Posting[]): EncodedList {
  const list = createListWriter()
  for (const [postNo, frequency, positions] of postings) {
    addPosting(list, postNo, frequency)
    const chain = {
      positions: Int32Array.of(0, ...positions),
      nexts: Int32Array.from([0, ...positions], (_, at) => at + 1)
    }
    chain.nexts[positions.length] = 0
    writePositions(list.positions, chain, Math.min(1, positions.length))
  }
  return encoded(list)
}

function postingsOf(list: EncodedList): Posting[] {
  const found: Posting[] = []
  eachPositions(list, (postNo, frequency, from) => {
    const buffer = createPositionBuffer()
    addPositions(buffer, list.positions, from)
    found.push([postNo, frequency, [...buffer.values.subarray(0, buffer.count)]])
  })
  return found
}

const lists: Record<string, Posting[]> = {
  none: [],
  'the first post': [[0, 1, [0]]],
  'a post without positions': [[7, 3, []]],
  'bytes at their limits': [
    [127, 255, [0, 0, 127, 128, 16_383, 16_384]],
    [128, 2, [2_097_151]],
    [2_097_152, 1, [2_097_152]],
    [2_147_483_000, 9, [268_435_456]]
  ]
}
for (const [name, postings] of Object.entries(lists)) {
  test(`a list reads as it was written: ${name}`, () => {
    assert.deepEqual(postingsOf(listOf(postings)), postings)
  })
}

test('lists are merged in the order of posts, without those that count no more', () => {
  const one = listOf([
    [1, 2, [5]],
    [4, 2, [6]]
  ])
  const later = listOf([
    [2, 2, [7]],
    [9, 4, [8, 9]]
  ])
  const all: Posting[] = [
    [1, 2, [5]],
    [2, 2, [7]],
    [4, 2, [6]],
    [9, 4, [8, 9]]
  ]
  assert.deepEqual(
    postingsOf(mergeLists([one, later], () => true)),
    all,
    'the second begins before the end of the first'
  )
  const isLive = (postNo: number, list: number) => !(postNo === 4 && list === 0)
  assert.deepEqual(
    postingsOf(mergeLists([one, later], isLive)),
    all.filter(([postNo]) => postNo !== 4)
  )
  const follows = listOf([[5, 1, []]])
  assert.deepEqual(
    postingsOf(mergeLists([one, follows], () => true)).map(([postNo]) => postNo),
    [1, 4, 5]
  )
  assert.deepEqual(postingsOf(mergeLists([one], () => false)), [])
})

test('a long list is stored in parts and is one list again, and short ones share a row', () => {
  const postings = Array.from(
    { length: 40_000 },
    (_, at): Posting => [at * 3, (at % 200) + 1, [at % 7, 50 + (at % 900)]]
  )
  const collector = createRowCollector()
  collector.add(utf8('air'), listOf([[3, 1, [4]]]))
  collector.add(utf8('common'), listOf(postings))
  collector.add(utf8('none'), listOf([]))
  for (const term of ['oar', 'öl', 'sail', '🚀']) collector.add(utf8(term), listOf([[5, 2, [term.length]]]))
  const rows = collector.end()
  assert.deepEqual(rows.terms, ['', 'common', 'common', 'common', 'oar'])
  assert.deepEqual(rows.nexts, ['common', 'common', 'common', 'oar', '\u{10ffff}'])
  assert.deepEqual(rows.parts, [0, 0, 1, 2, 0])
  const blocks = rows.terms.map((_, at) => ({
    posts: withoutChecksum(rows.bytes.subarray(rows.postsFrom[at], rows.positionsFrom[at])) ?? new Uint8Array(),
    positions: withoutChecksum(rows.bytes.subarray(rows.positionsFrom[at], rows.ends[at])) ?? new Uint8Array()
  }))
  const entries = blocks.flatMap(entriesOf)
  const partsOf = (wanted: string) =>
    entries.filter(({ term }) => term === wanted).map(entry => ({ ...entry, count: 0 }))
  const listOfTerm = (wanted: string) => postingsOf(mergeLists(partsOf(wanted), () => true))
  assert.deepEqual(listOfTerm('common'), postings)
  assert.deepEqual(listOfTerm('air'), [[3, 1, [4]]])
  for (const term of ['oar', 'öl', 'sail', '🚀']) {
    assert.deepEqual(listOfTerm(term), [[5, 2, [term.length]]])
    const [last] = blocks.slice(-1)
    assert.ok(last)
    assert.deepEqual(postsOfTerm(last.posts, term), entryOfTerm(last, term)?.posts)
    assert.notEqual(entryOfTerm(last, term), undefined)
  }
  for (const term of ['oa', 'oars', 'common', ''])
    assert.equal(postsOfTerm(blocks[4]?.posts ?? new Uint8Array(), term), undefined)
})

test('rows are the same, whether they are taken at once or one by one', () => {
  const collect = (takesEach: boolean) => {
    const collector = createRowCollector()
    const taken: PostingRows[] = []
    for (let n = 0; n < 2000; n++) {
      const isLong = n % 500 === 3
      const postings = Array.from({ length: isLong ? 20_000 : 1 }, (_, at): Posting => [at * 3 + n, 1, [n]])
      collector.add(utf8(`term ${String(n).padStart(4, '0')}`), listOf(postings))
      if (takesEach) taken.push(collector.take())
    }
    taken.push(collector.end())
    const rows = taken.flatMap(({ terms, parts, nexts, postsFrom, positionsFrom, ends, bytes }) =>
      terms.map((term, at) => [
        ...[term, parts[at], nexts[at]],
        Buffer.from(bytes.subarray(postsFrom[at], positionsFrom[at])).toString('hex'),
        Buffer.from(bytes.subarray(positionsFrom[at], ends[at])).toString('hex')
      ])
    )
    return { rows, checksum: taken.reduce((sum, { checksum }) => sum + checksum, 0) }
  }
  const atOnce = collect(false)
  assert.ok(atOnce.rows.length > 10)
  assert.deepEqual(collect(true), atOnce)
  for (const [at, [, , next]] of atOnce.rows.slice(0, -1).entries()) assert.equal(next, atOnce.rows[at + 1]?.[0])
})

test('a stored column with a changed byte is damaged', () => {
  const collector = createRowCollector()
  collector.add(utf8('term'), listOf([[3, 1, [4]]]))
  const { bytes, positionsFrom } = collector.end()
  const posts = bytes.subarray(0, positionsFrom[0])
  assert.notEqual(withoutChecksum(posts), undefined)
  for (let at = 0; at < posts.length; at++) {
    const changed = Uint8Array.from(posts)
    changed[at] = (changed[at] ?? 0) ^ 4
    assert.equal(withoutChecksum(changed), undefined, `byte ${at}`)
  }
  assert.equal(withoutChecksum(posts.subarray(0, 2)), undefined, 'cut off')
})

test('a posting counts for the generations of its segment, and for a published post', () => {
  const entry = (postNo: number, generation: number, publishedSeconds = 5) => ({
    ...{ postNo, generation, publishedSeconds, lengthCode: 10, languageCode: 8, textVersion: 0 }
  })
  const table = withEntries(emptyTable, [
    entry(1, 3),
    entry(2, 4),
    entry(3, 5),
    entry(4, notIndexed),
    entry(5, 4, -2_147_483_648)
  ])
  const { posts } = listOf([1, 2, 3, 4, 5, 900].map(postNo => [postNo, 2, [0]]))
  const source = { posts, generations: { first: 4, last: 5 }, recent: undefined }
  const memory = createListPool()(0)
  const { postNos } = readList([source], { table, recent: new Map(), weights: weightsOf(1), memory })
  assert.deepEqual([...postNos], [2, 3])
})

test('lengths are known within 5 %', () => {
  for (const words of [0, 1, 2, 5, 20, 100, 900, 5_000, 40_000]) {
    const read = lengthOf(lengthCode(words))
    assert.ok(Math.abs(read - words) <= Math.max(0.1, words * 0.05), `${words}: ${read}`)
  }
  assert.equal(lengthCode(10 ** 9), 255)
})

test('a writer has what was written to it', () => {
  const writer = createByteWriter()
  for (const value of [0, 127, 128, 300]) writeNumber(writer, value)
  assert.deepEqual([...written(writer)], [0, 127, 128, 1, 172, 2])
})
