import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Harness, makePublic, openPosts } from '../posts/harness.ts'
import { findsByWords, postsOfSuite, suggests } from './conformance.ts'
import { withEngine } from './with-engine.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
  // Half of them stand in a segment, half are analyzed by the search.
  for (const [at, [title, body]] of Object.entries(postsOfSuite).entries()) {
    await makePublic(harness, { title, body })
    if (at === 5) await harness.index()
  }
  await harness.deliver()
})
after(() => harness.close())

describe('the index in the database', () => {
  findsByWords({ harness: () => harness, sync: async () => {} })
  suggests({ harness: () => harness, sync: async () => {} })

  test('while changes could be missed, nothing kept is used', async () => {
    assert.equal(await total('tulip'), 1)
    await harness.db.query("update posts set status = 'draft' where title = 'Gardening'")
    harness.setCurrent(false)
    assert.equal(await total('tulip'), 0)
    harness.setCurrent(true)
    await harness.db.query("update posts set status = 'published' where title = 'Gardening'")
  })
})

describe('a search engine beside it', () => {
  withEngine(() => harness)

  findsByWords({ harness: () => harness, sync: () => harness.index() })
  suggests({ harness: () => harness, sync: () => harness.index() })
})

const total = async (q: string) =>
  (await harness.app.inject({ method: 'GET', url: `/api/posts/search?q=${encodeURIComponent(q)}` })).json().total
