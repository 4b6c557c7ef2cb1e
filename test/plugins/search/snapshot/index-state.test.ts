import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '../../../../cli/log/json-log.ts'
import { createChanges } from '../../../../core/changes.ts'
import { notIndexed, notPublished } from '../../../../plugins/search/inverted-index/post-table.ts'
import { createIndexFollower, type IndexFollower } from '../../../../plugins/search/snapshot/index-state.ts'
import { type Harness, makePublic, openPosts } from '../../posts/harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
})
after(() => harness.close())

/** It listens for no changes, and reads what changed each time that it is asked. */
function follow(query = harness.db.query): IndexFollower {
  const db = { ...harness.db, query }
  const changes = createChanges({ db, log: createLog('error', { write: () => {} }) })
  return createIndexFollower({ db, changes, languageOf: () => 'english', isBuiltin: () => true, now: () => new Date() })
}

const publish = (title: string) => makePublic(harness, { title, body: 'A buoy floats.' })
const memoryOf = ({ state }: Awaited<ReturnType<IndexFollower['open']>>) => state.table.generations.buffer

test('what a search reads stays as it is while posts are published; where nobody reads, nothing is copied', async () => {
  await publish('One')
  const follower = follow()
  const begun = await follower.open()
  const seen = structuredClone(begun.state.table)
  await publish('Two')
  const later = await follower.open()
  assert.deepEqual([begun.state.table.count, later.state.table.count], [1, 2])
  assert.notEqual(memoryOf(later), memoryOf(begun))
  await harness.index()
  const last = await follower.open()
  assert.deepEqual(begun.state.table, seen)
  assert.equal(later.state.table.waitingCount, 2)
  assert.equal(last.state.table.waitingCount, 0)
  for (const { close } of [begun, later, last]) close()
  await publish('Three')
  const alone = await follower.open()
  assert.equal(alone.state.table.count, 3)
  assert.equal(memoryOf(alone), memoryOf(last))
  alone.close()
})

test('where the rest of the state cannot be read, the changes before it are counted once', async () => {
  let failing = false
  const follower = follow(async (sql, ...rest) => {
    if (failing && /from search_segments/.test(sql)) throw new Error('The server is gone.')
    return harness.db.query(sql, ...rest)
  })
  const { count } = (await follower.state()).table
  await publish('Four')
  failing = true
  await assert.rejects(follower.state(), /The server is gone/)
  failing = false
  const { table, recent } = await follower.state()
  assert.deepEqual([table.count, recent.size], [count + 1, table.waitingCount])
  assert.deepEqual(table, (await follow().state()).table)
})

test('a text that waits is counted with its length and its language, though it could not be read once more', async () => {
  const waiting = await publish('Five')
  let failing = false
  const follower = follow(async (sql, ...rest) => {
    if (failing && /sized as materialized/.test(sql)) throw new Error('The server is gone.')
    return harness.db.query(sql, ...rest)
  })
  await follower.state()
  // With another one, so that there is a text to be read.
  await publish('Six')
  await harness.db.query(
    `update search_posts set published = published - 60, version = pg_current_xact_id()
     where post_no = (select post_no from posts where post_id = $1)`,
    [waiting.post_id]
  )
  failing = true
  await assert.rejects(follower.state(), /The server is gone/)
  failing = false
  assert.deepEqual((await follower.state()).table, (await follow().state()).table)
})

test('a search that does not wait for what is read finds the posts that were indexed meanwhile', async () => {
  await publish('Seven')
  const reading = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let isHeld = false
  const follower = follow(async (sql, ...rest) => {
    if (isHeld && /from search_segments/.test(sql)) {
      reading.resolve()
      await answered.promise
    }
    return harness.db.query(sql, ...rest)
  })
  await follower.state()
  await harness.index()
  isHeld = true
  const later = follower.state()
  await reading.promise
  const { table, segments, recent, isStale } = await follower.stateWithin({ leftMs: () => 0 })
  assert.equal(isStale, true)
  const isFound = (postNo: number, generation: number) =>
    generation === notIndexed
      ? recent.has(postNo)
      : segments.some(each => each.first_generation <= generation && generation <= each.last_generation)
  const published = [...table.generations.entries()].filter(([no]) => table.publishedSeconds[no] !== notPublished)
  assert.ok(published.length > 0)
  for (const [postNo, generation] of published) assert.ok(isFound(postNo, generation), `post ${postNo}`)
  isHeld = false
  answered.resolve()
  assert.equal((await later).table.waitingCount, 0)
})
