import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '../../../cli/log/json-log.ts'
import { createChanges } from '../../../core/changes.ts'
import type { Db } from '../../../core/contract/database.ts'
import { createMatcher, type Matcher } from '../../../plugins/search/matching/matching.ts'
import { createExpansion } from '../../../plugins/search/query/expansion.ts'
import { parseQuery } from '../../../plugins/search/query/query.ts'
import { createIndexFollower } from '../../../plugins/search/snapshot/index-state.ts'
import { createPostings } from '../../../plugins/search/snapshot/postings.ts'
import { type Harness, makePublic, openPosts } from '../posts/harness.ts'

let harness: Harness
let matcher: Matcher
let readingAhead: Matcher
let readingLongAhead: Matcher
let failure: Error | undefined
const statements: string[] = []
before(async () => {
  harness = await openPosts({ withMemory: false })
  const query: Db['query'] = (sql, ...rest) => {
    statements.push(sql)
    if (failure !== undefined && sql.includes('as positions')) throw failure
    return harness.db.query(sql, ...rest)
  }
  const db = { ...harness.db, query }
  const now = () => new Date()
  const changes = createChanges({ db, log: createLog('error', { write: () => {} }) })
  const follower = createIndexFollower({ db, changes, languageOf: () => 'english', isBuiltin: () => true, now })
  const { open } = createPostings({
    db,
    follower,
    maxBytes: () => 0,
    onDamage: () => {},
    onLost: () => {},
    now,
    postingsPerPause: 1
  })
  const filters = { apply: async () => assert.fail('Nothing is filtered.') }
  const deps = { db, expansion: createExpansion({ db, changes }), open, filters }
  matcher = createMatcher(deps)
  readingAhead = createMatcher({ ...deps, minPostingsReadAhead: 0 })
  readingLongAhead = createMatcher({ ...deps, minPostingsReadAhead: 5 })
  await makePublic(harness, { title: 'Anchors', body: 'An anchor holds.' })
  for (const title of ['One', 'Two', 'Three']) await makePublic(harness, { title, body: 'A buoy floats.' })
  await makePublic(harness, { title: 'Both', body: 'An anchor and a buoy.' })
  await makePublic(harness, { title: 'Fish', body: 'An anchovy swims.' })
  const words = Array.from({ length: 600 }, (_, at) => `vz${at + 1_000}x`)
  await makePublic(harness, { title: 'Numerous', body: `A cormorant. ${words.join(' ')}` })
  await makePublic(harness, { title: 'Few', body: 'A cormorant alone.' })
  await harness.index()
})
after(() => harness.close())

const unhurried = { hasPassed: () => false, leftMs: () => 60_000, signal: new AbortController().signal }

async function match(query: string, { isLate }: { isLate: boolean }) {
  return await matchWithin(query, () => (isLate ? 0 : 60_000))
}

async function matchWithin(query: string, leftMs: () => number) {
  const deadline = { hasPassed: () => leftMs() <= 0, leftMs, signal: new AbortController().signal }
  const matches = await matcher.match(parseQuery(query), deadline)
  assert.ok(matches)
  const { full, partial, isIncomplete, corrected } = matches
  return { full: full.postNos.length, partial: partial.postNos.length, isIncomplete, corrected }
}

test('when the time is up, the rarest words that were read decide, and the answer is said to be incomplete', async () => {
  const whole = { full: 1, partial: 4, isIncomplete: false, corrected: [] }
  assert.deepEqual(await match('buoy anchor', { isLate: false }), whole)
  const found = { full: 0, partial: 2, isIncomplete: true, corrected: [] }
  assert.deepEqual(await match('buoy anchor', { isLate: true }), found)
  assert.deepEqual((await match('buoy', { isLate: true })).full, 4, 'one list is read however late it is')
})

test('when the time is up, a beginning stands for the longest list that was read', async () => {
  const whole = { full: 3, partial: 0, isIncomplete: false, corrected: [] }
  assert.deepEqual(await match('anc*', { isLate: false }), whole)
  const found = { full: 1, partial: 0, isIncomplete: true, corrected: [] }
  assert.deepEqual(await match('anc*', { isLate: true }), found)
})

test('when there was no time to read what is excluded, nothing is found', async () => {
  const without = { full: 1, partial: 0, isIncomplete: false, corrected: [] }
  assert.deepEqual(await match('anchor -buoy', { isLate: false }), without)
  const nothing = { full: 0, partial: 0, isIncomplete: true, corrected: [] }
  assert.deepEqual(await match('anchor -buoy', { isLate: true }), nothing)
})

test('of an excluded beginning as many words are read as there is time for, a few with each statement', async () => {
  statements.length = 0
  const reads = () => statements.filter(sql => sql.includes('from search_postings')).length
  const nothing = { full: 0, partial: 0, isIncomplete: true, corrected: [] }
  assert.deepEqual(await matchWithin('cormorant -vz*', () => (reads() < 5 ? 0.000_1 : 0)), nothing)
  assert.equal(reads(), 5)
  const without = { full: 1, partial: 0, isIncomplete: false, corrected: [] }
  assert.deepEqual(await match('cormorant -vz*', { isLate: false }), without)
})

test('a phrase is found in the same posts while its positions are read ahead', async () => {
  for (const query of [
    '"an anchor"',
    '"anchor holds"',
    '"holds anchor"',
    '"a buoy" floats',
    'anchor -"anchor holds"'
  ]) {
    const found = async (matcher: Matcher) => (await matcher.match(parseQuery(query), unhurried))?.full.postNos
    const expected = await found(matcher)
    assert.deepEqual(await found(readingAhead), expected, query)
  }
  const [all, none] = await Promise.all(
    ['"anchor holds"', '"holds anchor"'].map(query => readingAhead.match(parseQuery(query), unhurried))
  )
  assert.deepEqual([all?.full.postNos.length, none?.full.postNos.length], [1, 0])
})

test('of long lists alone positions are read before it is known that a post has all the words', async () => {
  const readsPositions = async (query: string) => {
    statements.length = 0
    assert.equal((await readingLongAhead.match(parseQuery(query), unhurried))?.full.postNos.length, 0)
    return statements.some(sql => sql.includes('as positions'))
  }
  // Two posts have the one word, three the other. One has the last.
  assert.deepEqual([await readsPositions('"anchor floats"'), await readsPositions('"floats swims"')], [true, false])
})

test('what fails while positions are read ahead fails the search, and the next one is whole', async () => {
  failure = new Error('The connection was lost.')
  await assert.rejects(readingAhead.match(parseQuery('"anchor holds"'), unhurried), failure)
  failure = undefined
  assert.equal((await readingAhead.match(parseQuery('"anchor holds"'), unhurried))?.full.postNos.length, 1)
})
