import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { touchEverything } from '../../../../core/changes.ts'
import { restoreCacheTag } from '../../../../plugins/search/cache-tags.ts'
import { createComponents } from '../../../../plugins/search/components.ts'
import { createDeadline } from '../../../../plugins/search/deadline.ts'
import searchPlugin from '../../../../plugins/search/plugin.ts'
import { until } from '../../../helpers/until.ts'
import { type Harness, makePublic, openPosts } from '../../posts/harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
  await makePublic(harness, { title: 'Ferries', body: 'The ferry crosses the fjord.' })
})
after(() => harness.close())

/** Statements that begin to read what the index says of all posts. */
const readAll = () => harness.statements.filter(sql => /from search_posts where post_no > \$1 order by/.test(sql))

test('a search that comes before the index was read is answered in time, and says that posts are missing', async () => {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const { components, contextOf, db, posts } = harness
  const { query } = db
  const slow: typeof query = async (...asked) => {
    if (/from search_posts/.test(asked[0])) await released
    return query(...asked)
  }
  const context = contextOf(searchPlugin.settings, { posts, published: components.published })
  const { search } = createComponents({ ...context, db: { ...db, query: slow } } as never)
  const find = (ms: number) => search.find('fjord', { limit: 10, offset: 0 }, { deadline: createDeadline(ms) })
  const early = await find(20)
  assert.deepEqual([early.total, early.isDegraded], [0, true])
  release()
  const later = await find(10_000)
  assert.deepEqual([later.total, later.isDegraded], [1, false])
})

test('a restore while the index is first read is not missed', async () => {
  const { components, contextOf, db, posts } = harness
  const { query } = db
  const context = contextOf(searchPlugin.settings, { posts, published: components.published })
  const seen = new Promise<void>(resolve => context.changes.on(restoreCacheTag, resolve))
  const begun: string[] = []
  const restored = async <Row extends object>(...asked: Parameters<typeof query>) => {
    const rows = await query<Row>(...asked)
    if (!/from search_posts/.test(asked[0])) return rows
    if (begun.push(asked[0]) > 1) return rows
    await db.transaction(touchEverything)
    await seen
    return rows
  }
  const { search } = createComponents({ ...context, db: { ...db, query: restored } } as never)
  const find = () => search.find('fjord', { limit: 10, offset: 0 }, { deadline: createDeadline(10_000) })
  await find()
  begun.length = 0
  assert.equal((await find()).total, 1)
  assert.match(begun[0] ?? '', /where post_no > \$1 order by/)
})

test('a service that listens reads what its first search needs, once, and again when all may have changed', async () => {
  await harness.app.ready()
  const before = readAll().length
  await harness.app.listen({ host: '127.0.0.1', port: 0 })
  await until(() => readAll().length > before)
  const read = readAll().length
  const { body } = await harness.app.inject('/api/posts/search?q=fjord')
  assert.equal(JSON.parse(body).total, 1)
  const pages = readAll().length
  await harness.app.inject('/api/posts/search?q=ferry')
  assert.equal(readAll().length, pages)
  await harness.db.transaction(touchEverything)
  await until(() => readAll().length >= pages + read - before)
})
