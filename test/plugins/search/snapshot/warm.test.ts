import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../../helpers/until.ts'
import { type Harness, makePublic, openPosts } from '../../posts/harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
})
after(() => harness.close())

/** Statements that read what the index says of all posts. */
const readAll = () => harness.statements.filter(sql => /from search_posts where post_no > \$1 order by/.test(sql))

test('a service that listens reads what its first search needs, once', async () => {
  await makePublic(harness, { title: 'Ferries', body: 'The ferry crosses the fjord.' })
  await harness.app.ready()
  assert.deepEqual(readAll(), [])
  await harness.app.listen({ host: '127.0.0.1', port: 0 })
  await until(() => readAll().length > 0)
  await harness.search.warm()
  const before = readAll().length
  const { body } = await harness.app.inject('/api/posts/search?q=fjord')
  assert.equal(JSON.parse(body).total, 1)
  assert.equal(readAll().length, before)
})
