import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { createComparison } from '../../../plugins/posts/publication/comparison.ts'
import { createNearDuplicateRail } from '../../../plugins/tasks/rails/near-duplicate.ts'
import { bootPlugins, commandsOf, loadConfigured } from '../../helpers/kernel.ts'

const kernel = bootPlugins((await loadConfigured()).filter(({ name }) => name !== 'search'))
let app: FastifyInstance
before(async () => {
  app = await kernel.createApp()
})
after(() => app.close())

test('without the plugin its routes and its command are gone, and the others stay', async () => {
  for (const url of ['/api/posts/search?q=x', '/api/posts/suggest?q=x'])
    assert.equal((await app.inject({ method: 'GET', url })).statusCode, 404, url)
  const urls = ['/api/posts/:slug', '/api/posts/search', '/api/posts/:slug/related']
  assert.deepEqual(
    urls.map(url => app.hasRoute({ method: 'GET', url })),
    [true, false, false]
  )
  const group = await commandsOf(kernel, 'posts')
  assert.ok('list' in group && !('search' in group))
})

test('without it no post is like another, and the near-duplicate rail says that nothing was compared', async () => {
  const post = { post_id: 'a', slug: 'a', title: 'A', content: 'one and the same text' }
  const comparison = createComparison()
  assert.equal(await comparison.nearestTitle('A'), null)
  assert.equal(comparison.nearestOf(post.content, [post]), null)
  assert.equal((await comparison.findDuplicates([post], [post], () => true)).size, 0)
  const finding = await createNearDuplicateRail(undefined).check({} as never, {} as never, {} as never)
  assert.deepEqual(finding, { score: 100, note: 'Not compared: the plugin search is left out.' })
})
