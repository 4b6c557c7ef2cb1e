import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Db } from '../../../../core/contract/database.ts'
import {
  addPosting,
  createListWriter,
  encoded,
  writePositions
} from '../../../../plugins/search/inverted-index/encoded-list.ts'
import { createListPool } from '../../../../plugins/search/inverted-index/list-memory.ts'
import { createRowCollector } from '../../../../plugins/search/inverted-index/posting-rows.ts'
import { addPostings, createSegment, type Segment } from '../../../../plugins/search/repository/segments.ts'
import { readPositionLists } from '../../../../plugins/search/snapshot/phrase-positions.ts'
import {
  createStoredLists,
  eachStoredList,
  type StoredLists
} from '../../../../plugins/search/snapshot/stored-lists.ts'
import { type Harness, openPosts } from '../../posts/harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
})
after(() => harness.close())

const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n)

/** The posts of each term, from one to `count` more; each has it once, at the position of its number. */
async function writeSegment(terms: Readonly<Record<string, number>>, count = 1): Promise<Segment> {
  const rows = createRowCollector()
  for (const [term, post] of Object.entries(terms)) {
    const list = createListWriter()
    for (const postNo of range(post, count)) {
      addPosting(list, postNo, 1)
      writePositions(list.positions, { positions: Int32Array.of(0, postNo), nexts: Int32Array.of(0, 0) }, 1)
    }
    rows.add(new TextEncoder().encode(term), encoded(list))
  }
  const segment_id = await createSegment(harness.db)
  const written = rows.end()
  await addPostings(harness.db, segment_id, written)
  const postings = written.terms.length
  return {
    segment_id,
    first_generation: 1,
    last_generation: 1,
    posts: 1,
    postings,
    bytes: 1,
    checksum: 0,
    is_damaged: false
  }
}

const unhurried = { hasTimeToRead: () => true, statementMs: () => Number.POSITIVE_INFINITY }

/** What is read, and how much of it was asked of the database. */
function openLists(maxBytes = 1_000_000) {
  const asked: string[][] = []
  const statements = new Set<string>()
  const damaged: number[] = []
  const query: Db['query'] = (sql, params, ...rest) => {
    statements.add(sql)
    asked.push(((params?.[1] ?? []) as string[]).toSorted())
    return harness.db.query(sql, params, ...rest)
  }
  const stored = createStoredLists({
    db: { ...harness.db, query },
    maxBytes: () => maxBytes,
    onDamage: ({ segment_id }) => damaged.push(segment_id)
  })
  const load = async (segments: readonly Segment[], terms: readonly string[], pacing = unhurried) => {
    const lists = new Map<string, StoredLists>()
    for await (const some of stored(segments, terms, pacing)) for (const [term, each] of some) lists.set(term, each)
    return lists
  }
  return { load, asked, statements, damaged }
}

const postsOf = (lists: StoredLists | undefined) =>
  Array.from(lists === undefined ? [] : eachStoredList(lists), ([, posts]) => posts[0])

test('lists of a term stay in memory, and a new segment costs its own lists alone', async () => {
  const first = await writeSegment({ air: 1, oar: 2 })
  const { load, asked } = openLists()
  const lists = await load([first], ['air', 'oar', 'none'])
  assert.deepEqual(
    ['air', 'oar', 'none'].map(term => postsOf(lists.get(term))),
    [[1], [2], []]
  )
  await load([first], ['oar', 'none', 'air'])
  assert.deepEqual(asked.splice(0), [['air', 'none', 'oar']])
  const second = await writeSegment({ air: 7 })
  assert.deepEqual(postsOf((await load([first, second], ['air'])).get('air')), [1, 7])
  assert.deepEqual(asked.splice(0), [['air']], 'of the second segment')
  assert.deepEqual(postsOf((await load([first, second], ['air', 'oar'])).get('oar')), [2])
  assert.deepEqual(asked.splice(0), [['oar']])
})

test('lists of a segment that is read no more are left behind when others are read', async () => {
  const first = await writeSegment({ air: 1 })
  const second = await writeSegment({ air: 2 })
  const merged = await writeSegment({ air: 3 })
  const { load } = openLists()
  await load([first, second], ['air'])
  const lists = (await load([merged, second], ['air'])).get('air')
  assert.deepEqual(postsOf(lists), [2, 3])
  for (const { posts } of lists?.chunks ?? [])
    assert.equal(posts.buffer.byteLength, posts.length, 'no more than its own bytes are in memory')
})

test('a long list is not copied when short ones are added, and a few short ones become one chunk', async () => {
  const { load } = openLists()
  const segments = [await writeSegment({ air: 1 }, 20_000)]
  const chunksOf = async () => (await load(segments, ['air'])).get('air')?.chunks ?? []
  const [long] = await chunksOf()
  for (let n = 0; n < 20; n++) {
    segments.push(await writeSegment({ air: n }))
    const chunks = await chunksOf()
    assert.equal(chunks[0], long)
    assert.equal(chunks.flatMap(chunk => chunk.segments).length, (long?.segments.length ?? 0) + n + 1)
    assert.ok(chunks.length <= 6, `${chunks.length} chunks of ${n + 1} short lists`)
  }
  const lists = [...eachStoredList({ chunks: await chunksOf() })]
  assert.deepEqual(
    lists.slice(-20).map(([, posts]) => posts[0]),
    Array.from({ length: 20 }, (_, n) => n)
  )
})

test('without memory for lists they are read each time', async () => {
  const segment = await writeSegment({ air: 1 })
  const { load, asked } = openLists(0)
  for (let n = 0; n < 2; n++) assert.deepEqual(postsOf((await load([segment], ['air'])).get('air')), [1])
  assert.equal(asked.length, 2)
})

test('a damaged list is told, and the lists of other segments are there', async () => {
  const whole = await writeSegment({ air: 1 })
  const broken = await writeSegment({ air: 2 })
  await harness.db.query('update search_postings set posts = set_byte(posts, 1, 7) where segment_id = $1', [
    broken.segment_id
  ])
  const { load, damaged } = openLists()
  const lists = (await load([whole, broken], ['air'])).get('air')
  assert.deepEqual([postsOf(lists), lists?.damaged], [[1], [broken.segment_id]])
  assert.deepEqual(damaged, [broken.segment_id])
})

test('the statement is planned again only when the index has doubled', async () => {
  const segment = await writeSegment({ air: 1 })
  const { load, statements } = openLists(0)
  const statementsAt = async (bytes: number) => {
    assert.deepEqual(postsOf((await load([{ ...segment, bytes }], ['air'])).get('air')), [1])
    return statements.size
  }
  assert.deepEqual([await statementsAt(5000), await statementsAt(8000)], [1, 1])
  assert.deepEqual([await statementsAt(16_000), await statementsAt(16_300)], [2, 2])
})

/** Where posts have two words, one so many after the other, and the segments whose positions cannot be read. */
async function findPhrase(
  segments: readonly Segment[],
  [first, second]: readonly [string, string],
  { posts, offset = 1 }: { posts: Int32Array; offset?: number }
) {
  const table = { languageCodes: new Uint8Array(40_002), generations: new Uint8Array(40_002).fill(1) }
  const stored = await openLists().load(segments, [first, second])
  const state = { segments, recent: new Map(), table } as never
  const lists = await readPositionLists(harness.db, state, [first, second], {
    hasTimeToRead: () => true,
    countOf: ({ length }) => length,
    measure: (_, read) => read(),
    memory: createListPool()(32_000_000),
    stored
  })
  const { matcherOf } = await lists.locate(posts, async () => {})
  const words = [
    { terms: [{ term: first, languages: undefined }], offset: 0, stopWordIn: undefined },
    { terms: [{ term: second, languages: undefined }], offset, stopWordIn: undefined }
  ]
  return { found: posts.filter(matcherOf(words)), damaged: lists.damaged.map(({ segment_id }) => segment_id) }
}

test('positions of lists of one row and of several, and what is damaged', async () => {
  const segments = [
    await writeSegment({ air: 1, oar: 2, zoo: 1 }, 30_000),
    await writeSegment({ air: 40_000, oar: 40_001 })
  ]
  const posts = Int32Array.from([1, 2, 16_384, 16_385, 30_000, 30_001, 40_000, 40_001])
  const find = (offset: number) => findPhrase(segments, ['air', 'oar'], { posts, offset })
  assert.deepEqual(await find(0), { found: Int32Array.of(2, 16_384, 16_385, 30_000), damaged: [] })
  assert.deepEqual(await find(1), { found: Int32Array.of(), damaged: [] })
  const [long] = segments
  await harness.db.query(
    "update search_postings set positions = set_byte(positions, 9, 255) where segment_id = $1 and term = 'oar' and part = 1",
    [long?.segment_id ?? 0]
  )
  assert.deepEqual(await find(0), { found: Int32Array.of(2, 16_384, 16_385), damaged: [long?.segment_id] })
})

test('a word that a segment lacks, and would stand there after one with a long list, is no damage', async () => {
  const segments = [await writeSegment({ air: 1, zoo: 1 }, 30_000), await writeSegment({ air: 40_000, oar: 40_000 })]
  const found = await findPhrase(segments, ['air', 'oar'], { posts: Int32Array.of(1, 40_000), offset: 0 })
  assert.deepEqual(found, { found: Int32Array.of(40_000), damaged: [] })
})
