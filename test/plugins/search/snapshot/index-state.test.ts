import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '../../../../cli/log/json-log.ts'
import { createChanges } from '../../../../core/changes.ts'
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
