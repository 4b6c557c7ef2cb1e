import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ExportService } from '../../../plugins/export/index.ts'
import { type ObjectStorage, startObjectStorage } from '../../helpers/object-storage.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { truncate } from '../../helpers/truncate.ts'
import { until } from '../../helpers/until.ts'

let storage: ObjectStorage
let service: TestService
/** The slug of a post that a surface cannot make. */
let broken = ''
before(async () => {
  storage = await startObjectStorage()
  service = await startService()
  service.service(ExportService)?.register({
    name: 'fragile',
    listPaths: () => [],
    key: () => '',
    postPaths: slug => [`posts/${slug}/fragile.txt`],
    postFiles: async (_, posts) => {
      if (posts.some(({ slug }) => slug === broken)) throw new Error('The surface fragile cannot make a post.')
      return posts.map(({ slug }) => ({
        files: [{ path: `posts/${slug}/fragile.txt`, content: slug, type: 'text/plain' }]
      }))
    },
    listFiles: () => []
  })
  const set = service.kernel.settings.set
  await set('storage_endpoint', storage.url)
  await set('storage_access_key', 'AKIA')
  await set('storage_secret_key', 'secret')
})
after(async () => {
  await service.close()
  await storage.close()
})
let targets = 0
beforeEach(async () => {
  broken = ''
  storage.reset()
  await truncate(service.db, 'posts, categories')
  await service.kernel.settings.set('export_target', `s3://site/${++targets}`)
})

const bodyOf = (path: string) => storage.objects.get(`${targets}/${path}`)?.body.toString()
const refresh = () => service.service(ExportService)?.refresh(new AbortController().signal)
const failure = async () =>
  (await service.db.query<{ failure: string | null }>('select failure from export_state'))[0]?.failure ?? ''
const lists = ['index.html', 'feed.xml', 'posts/index.json', 'sitemaps/0.xml', 'categories/secrets/index.html']
const namedBy = (slug: string) => lists.filter(path => bodyOf(path)?.includes(slug))

test('lists do not show a withdrawn post, though the bucket denies to delete its files', async () => {
  await makePublicPost(service, { title: 'Tides' })
  const { post_id } = await makePublicPost(service, { title: 'Gone', category: 'secrets' })
  await until(() => namedBy('gone').length === lists.length)
  storage.misbehaveWith(({ method }) => (method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : null))
  await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
  // The page of its category cannot be removed either.
  await until(() => namedBy('gone').join() === 'categories/secrets/index.html')
  assert.ok(bodyOf('posts/gone.json'))
  await until(async () => /s3:DeleteObject/.test(await failure()))
  await assert.rejects(async () => refresh(), { message: /s3:DeleteObject/ })
  const paths = (await service.run('export', 'verify', '--json')).out
  for (const path of ['posts/gone.json', 'posts/gone/index.html', 'categories/secrets/index.html'])
    assert.ok(paths.includes(path), path)
  storage.misbehaveWith(() => null)
  await refresh()
  assert.deepEqual(
    [...storage.objects.keys()].filter(key => /gone|secrets/.test(key)),
    []
  )
  assert.match((await service.run('export', 'verify')).out, /all as they should be/)
})

test('lists do not show a withdrawn post, though another post cannot be made', async () => {
  await makePublicPost(service, { title: 'Tides' })
  const { post_id } = await makePublicPost(service, { title: 'Gone', category: 'secrets' })
  await until(() => namedBy('gone').length === lists.length)
  broken = 'broken'
  await makePublicPost(service, { title: 'Broken' })
  await until(async () => /fragile/.test(await failure()))
  await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
  await until(() => namedBy('gone').length === 0)
  await until(() => bodyOf('posts/gone.json') === undefined)
  assert.equal(bodyOf('posts/broken.json'), undefined)
  broken = ''
  await refresh()
  assert.deepEqual(namedBy('broken'), ['index.html', 'feed.xml', 'posts/index.json', 'sitemaps/0.xml'])
  assert.match((await service.run('export', 'verify')).out, /all as they should be/)
})
