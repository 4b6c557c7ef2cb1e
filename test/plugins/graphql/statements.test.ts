import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Db } from '../../../core/contract/database.ts'
import { openTestDatabase } from '../../helpers/database.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'

let statements: string[] = []
/** The same database, which tells what it is asked. */
const counting = (db: Db): Db =>
  new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name === 'listen') {
        // Nothing changes elsewhere, however late the server proves it: what is kept in memory stays in use.
        return async (...args: Parameters<Db['listen']>) => ({
          ...(await target.listen(...args)),
          isCurrent: () => true
        })
      }
      if (name === 'query') {
        return (...args: Parameters<Db['query']>) => {
          statements.push(args[0])
          return target.query(...args)
        }
      }
      return typeof value === 'function' ? value.bind(target) : value
    }
  })

let db: Db
let service: TestService
before(async () => {
  db = await openTestDatabase()
  service = await startService({ worker: false, db: counting(db) })
  for (let n = 1; n <= 12; n++)
    await makePublicPost(service, {
      title: `Tide ${n}`,
      category: `Harbour ${n}`,
      tags: [`Sea ${n}`, `Moon ${n}`, 'Water']
    })
  for (let n = 1; n <= 6; n++)
    await service.bearer('POST', '/api/tasks', { topic: `Something about a tide of kind ${n}` })
})
after(async () => {
  await service.close()
  await db.close()
})

const everything = `node {
  slug content contentHtml media { podcastUrl videoUrl state error } categoryDetails { name description postCount } tagDetails { slug name postCount }
}`
const queries: Readonly<Record<string, (first: number) => string>> = {
  'a list of posts with all that needs a statement': first =>
    `{ posts(first: ${first}) { totalCount edges { ${everything} } } }`,
  'a search with the same': first => `{ search(q: "tide", first: ${first}) { totalCount edges { ${everything} } } }`,
  'related posts with the same': first =>
    `{ related(slug: "tide-1", limit: ${first}) { items { score ${everything} } } }`,
  'labels with their counts': first =>
    `{ categories(first: ${first}) { name postCount } tags(first: ${first}) { name postCount } }`,
  'tasks with their texts': first =>
    `{ tasks(first: ${Math.min(first, 6)}) { edges { node { topic content previewUrl } } } }`
}
for (const [title, query] of Object.entries(queries)) {
  test(`${title} takes as many statements for twelve items as for one or two`, async () => {
    const counts = []
    for (const first of [12, 1, 2, 6, 12]) {
      statements = []
      const { status, body } = await service.bearer('POST', '/graphql', { query: query(first) })
      assert.equal(status, 200)
      assert.equal(body.errors, undefined)
      counts.push(statements.length)
    }
    // The first fills what is kept in memory.
    const [, one, ...others] = counts
    assert.deepEqual(
      others,
      others.map(() => one)
    )
    assert.ok((one ?? 0) <= 10, statements.join('\n'))
  })
}
