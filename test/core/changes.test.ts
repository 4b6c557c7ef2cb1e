import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createPostgres } from '../../cli/database/postgres/postgres.ts'
import { createLog } from '../../cli/log/json-log.ts'
import { createChanges } from '../../core/changes.ts'
import type { Db } from '../../core/contract/database.ts'
import { openEmbedded, openOnServer, testServerUrl } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'

/** Two processes' handles of one database. An embedded one has a single owner: there both are the same. */
let here: Db
let there: Db
before(async () => {
  if (testServerUrl === undefined) {
    here = await openEmbedded({ migrated: false })
    there = here
  } else {
    const { db, url } = await openOnServer(testServerUrl, { migrated: false })
    here = db
    there = createPostgres({ url, max: 2 })
  }
})
after(async () => {
  if (there !== here) await there.close()
  await here.close()
})

const lines: string[] = []
const log = createLog('info', { write: line => void lines.push(line) })

function watch(db: Db, ...tags: string[]) {
  const changes = createChanges({ db, log })
  const dropped: string[] = []
  for (const tag of tags) changes.on(tag, () => dropped.push(tag))
  return { ...changes, dropped }
}

test('a change is known here as soon as it commits, and once', async () => {
  const own = watch(here, 'settings', 'posts')
  await own.start()
  own.dropped.length = 0
  await here.transaction(async tx => {
    await own.touch(tx, 'settings')
    assert.deepEqual(own.dropped, [])
  })
  assert.deepEqual(own.dropped, ['settings'])
  const other = watch(there, 'posts')
  await there.transaction(tx => other.touch(tx, 'posts'))
  await until(() => own.dropped.includes('posts'))
  assert.deepEqual(own.dropped, ['settings', 'posts'])
  await own.stop()
})

test('a change that rolls back is none', async () => {
  const own = watch(here, 'rolled back', 'committed')
  const other = watch(there, 'rolled back', 'committed')
  await other.start()
  other.dropped.length = 0
  const failing = here.transaction(async tx => {
    await own.touch(tx, 'rolled back')
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  await here.transaction(tx => own.touch(tx, 'committed'))
  await until(() => other.dropped.length > 0)
  assert.deepEqual([own.dropped, other.dropped], [['committed'], ['committed']])
  await other.stop()
})

test('before it listens and after it has stopped, nothing is taken for current', async () => {
  const changes = watch(here, 'a', 'b')
  assert.equal(changes.isCurrent(), false)
  await changes.start()
  assert.equal(changes.isCurrent(), true)
  assert.deepEqual(changes.dropped, ['a', 'b'])
  await changes.stop()
  assert.equal(changes.isCurrent(), false)
})

test('one that fails to drop does not keep the others from it', async () => {
  const changes = watch(here)
  const dropped: string[] = []
  changes.on('a', () => assert.fail('broken'))
  changes.on('a', () => dropped.push('second'))
  await here.transaction(tx => changes.touch(tx, 'a'))
  assert.deepEqual(dropped, ['second'])
  assert.ok(lines.some(line => line.includes('broken')))
})

test('a cache tag too long for a notification is refused', async () => {
  const changes = watch(here)
  const touching = here.transaction(tx => changes.touch(tx, 'é'.repeat(4_000)))
  await assert.rejects(touching, /A cache tag has at most 7900 bytes, this one 8000/)
})

test('after a lost connection everything is dropped', { skip: !testServerUrl }, async () => {
  const changes = watch(here, 'a', 'b')
  await changes.start()
  changes.dropped.length = 0
  const listening = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query ilike 'listen%' or query = 'select 1')`
  await there.query(listening)
  await until(() => changes.dropped.length >= 2)
  assert.deepEqual(changes.dropped, ['a', 'b'])
  await until(() => changes.isCurrent())
  await changes.stop()
})
