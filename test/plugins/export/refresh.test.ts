import assert from 'node:assert/strict'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRefreshRequest, requestMissedRefresh } from '../../../plugins/export/refresh.ts'
import { type ObjectRequest, type ObjectStorage, startObjectStorage } from '../../helpers/object-storage.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { truncate } from '../../helpers/truncate.ts'
import { until } from '../../helpers/until.ts'
import { exportOf } from './exported.ts'

let service: TestService
let files: ReturnType<typeof exportOf>
let folders = 0
before(async () => {
  service = await startService()
})
after(() => service.close())
// A folder for each test: a refresh of the test before may still be under way.
beforeEach(async () => {
  await truncate(service.db, 'posts, categories')
  const folder = `export-${++folders}`
  files = exportOf(service, folder)
  await service.kernel.settings.set('export_target', `file:${files.at('')}`)
})

describe('a change of posts', () => {
  /** No refresh waits or runs, nor what asks for one: one that began earlier may still be writing. */
  const untilIdle = () =>
    until(async () => {
      const jobs = await service.kernel.jobs.stats()
      return jobs.every(({ queue, ready, active }) => !/^export\.|\/export$/.test(queue) || ready + active === 0)
    })

  test('is followed: published, edited, moved, unpublished, archived', async () => {
    const tides = await makePublicPost(service, { title: 'Tides' })
    const bees = await makePublicPost(service, { title: 'Honey bees' })
    await files.holds('tides', 'honey-bees')
    await service.bearer('PATCH', `/api/posts/${tides.post_id}`, { title: 'High tides', slug: 'high-tides' })
    await files.holds('high-tides', 'honey-bees')
    assert.equal(files.json('posts/high-tides.json').title, 'High tides')
    await service.bearer('POST', `/api/posts/${tides.post_id}/unpublish`)
    await files.holds('honey-bees')
    await untilIdle()
    assert.deepEqual([files.postFiles(), files.slugs()], [['honey-bees.json', 'index.json'], ['honey-bees']])
    assert.doesNotMatch(files.text('feed.xml') + files.text('feed.json') + files.text('sitemap.xml'), /tides/)
    await service.bearer('DELETE', `/api/posts/${bees.post_id}`)
    await files.holds()
    await untilIdle()
    assert.deepEqual(files.postFiles(), ['index.json'])
  })

  test('writes only the posts that changed', async () => {
    await makePublicPost(service, { title: 'Tides' })
    await makePublicPost(service, { title: 'Honey bees' })
    await files.holds('tides', 'honey-bees')
    await untilIdle()
    const inode = statSync(files.at('posts/tides.json')).ino
    await makePublicPost(service, { title: 'Vaccines' })
    await files.holds('tides', 'honey-bees', 'vaccines')
    await untilIdle()
    assert.equal(statSync(files.at('posts/tides.json')).ino, inode)
  })

  test('writes the pages that show the name of a category when it changes', async () => {
    await makePublicPost(service, { title: 'Honey bees', category: 'land' })
    await makePublicPost(service, { title: 'Tides', category: 'sea' })
    await files.holds('honey-bees', 'tides')
    await untilIdle()
    await service.bearer('PUT', '/api/categories/sea', { name: 'The deep' })
    await until(() => files.text('posts/tides/index.html').includes('>The deep<'))
    await untilIdle()
    assert.match((await service.run('export', 'verify')).out, /all as they should be/)
  })

  test('shows a changed setting without waiting for a change of posts', async () => {
    await makePublicPost(service, { title: 'Tides' })
    await files.holds('tides')
    await untilIdle()
    await service.kernel.settings.set('site_title', 'Sea & Shore')
    await until(() => files.text('posts/tides/index.html').includes('Sea &amp; Shore'), 'the name of the site')
    await service.kernel.settings.unset('site_title')
    await until(() => !files.text('posts/tides/index.html').includes('Sea &amp; Shore'), 'the former name')
  })

  for (const manifest of ['{"format":1', 'null', '{"format":2,"posts":[]}']) {
    test(`survives a manifest that reads ${manifest}`, async () => {
      await makePublicPost(service, { title: 'Honey bees' })
      await files.holds('honey-bees')
      await untilIdle()
      writeFileSync(files.at('manifest.json'), manifest)
      await makePublicPost(service, { title: 'Tides' })
      await until(() => files.text('manifest.json') !== manifest)
      await files.holds('honey-bees', 'tides')
    })
  }

  test('shows the post that took over the slug of another with as many revisions', async () => {
    const first = await makePublicPost(service, { title: 'Tides' })
    await files.holds('tides')
    await service.db.query('delete from posts where post_id = $1', [first.post_id])
    const second = await makePublicPost(service, { title: 'Tides' })
    await until(
      () => existsSync(files.at('posts/tides.json')) && files.json('posts/tides.json').post_id === second.post_id
    )
  })
})

describe('a withdrawal while a bucket is written', () => {
  let storage: ObjectStorage
  before(async () => {
    storage = await startObjectStorage()
    await service.kernel.settings.set('storage_endpoint', storage.url)
    await service.kernel.settings.set('storage_access_key', 'AKIA')
    await service.kernel.settings.set('storage_secret_key', 'secret')
  })
  after(() => storage.close())

  const run = async (name: string, ...flags: string[]) => {
    const { out, err } = await runCommand(service.kernel, 'export', name, '--json', ...flags)
    assert.notEqual(out, '', err)
    return JSON.parse(out)
  }
  const untilNoJobs = () =>
    until(async () => (await service.kernel.jobs.stats()).every(({ ready, active }) => ready + active === 0))
  const insertPosts = () =>
    service.db.query(
      `insert into posts (slug, title, content, content_html, status, published_at)
       select 'page-' || n, 'Page ' || n, 'text', '<p>text</p>', 'published', now() - interval '1 hour' * n from generate_series(1, 200) n`
    )

  for (const kind of ['first', 'rebuild'])
    test(`is gone from everything before a run of many posts goes on: ${kind}`, async () => {
      await insertPosts()
      await service.kernel.settings.set('export_target', `s3://site/${kind}`)
      if (kind === 'rebuild') await run('rebuild')
      const reached = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const isLate = ({ method, key }: ObjectRequest) =>
        method === 'PUT' && Number(/posts\/page-(\d+)\.json$/.exec(key)?.[1]) > 40
      storage.holdWith(request => {
        if (!isLate(request)) return null
        reached.resolve()
        return released.promise
      })
      const running = run('rebuild')
      await reached.promise
      const [gone] = await service.db.query<{ post_id: string }>(`select post_id from posts where slug = 'page-10'`)
      await service.bearer('POST', `/api/posts/${gone?.post_id}/unpublish`)
      const has = (file: string) => storage.objects.has(`${kind}/${file}`)
      await until(() => !has('posts/page-10.json') && !has('posts/page-10/index.html'), 'its files removed')
      const already = storage.requests.length
      released.resolve()
      await running
      const puts = storage.requests.slice(already).filter(({ method }) => method === 'PUT')
      const at = (file: string) => puts.findIndex(({ key }) => key === `${kind}/${file}`)
      // Its related posts may be others by now: then it is written twice.
      const goesOn = puts.findLastIndex(isLate)
      const lists = kind === 'first' ? [] : ['index.html', 'feed.xml', 'posts/index.json']
      const naming = ['posts/page-9/index.html', 'posts/page-11/index.html', ...lists]
      for (const file of naming) assert.ok(at(file) >= 0 && at(file) < goesOn, file)
      for (const [key, { body }] of storage.objects) assert.doesNotMatch(body.toString(), /page-10\b(?!\d)/, key)
      // Related posts are found by a job, and may be others only now.
      await untilNoJobs()
      assert.deepEqual((await run('verify')).items, [])
    })

  test('an edit while a bucket is verified is no fault', async () => {
    storage.reset()
    await insertPosts()
    await service.kernel.settings.set('export_target', 's3://site/edited')
    // The index of the search follows meanwhile, and with it the related posts.
    await untilNoJobs()
    await run('rebuild')
    await untilNoJobs()
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    storage.holdWith(({ method, key }) => {
      if (method !== 'GET' || key !== 'edited/manifest.json') return null
      reached.resolve()
      return released.promise
    })
    const looking = run('verify')
    await reached.promise
    const [page] = await service.db.query<{ post_id: string }>(`select post_id from posts where slug = 'page-10'`)
    const edited = await service.bearer('PATCH', `/api/posts/${page?.post_id}`, { title: 'Ebb' })
    assert.equal(edited.status, 200)
    released.resolve()
    assert.deepEqual((await looking).items, [])
    assert.match(storage.objects.get('edited/posts/page-10.json')?.body.toString() ?? '', /"title":"Ebb"/)
  })

  const isList = ({ method, key }: ObjectRequest) => method === 'GET' && key === ''
  const isStranger = ({ method, key }: ObjectRequest) => method === 'GET' && key.includes('posts/stranger-')
  for (const [where, isReached] of [
    ['lists the bucket', isList],
    ['reads files that it does not know', isStranger]
  ] as const)
    test(`is shown before a look at a bucket goes on that ${where}`, async () => {
      storage.reset()
      await insertPosts()
      await service.kernel.settings.set('export_target', `s3://site/${isReached.name}`)
      await run('rebuild')
      for (let stranger = 0; stranger < 40; stranger++)
        storage.objects.set(`${isReached.name}/posts/stranger-${stranger}.json`, {
          body: Buffer.from('{}'),
          headers: {}
        })
      const reached = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      storage.holdWith(request => {
        if (!isReached(request)) return null
        reached.resolve()
        return released.promise
      })
      const looking = run('verify')
      await reached.promise
      const [gone] = await service.db.query<{ post_id: string }>(`select post_id from posts where slug = 'page-10'`)
      await service.bearer('POST', `/api/posts/${gone?.post_id}/unpublish`)
      await until(() => !storage.objects.has(`${isReached.name}/posts/page-10.json`), 'its files removed')
      // It asks the database four times a second at most.
      await sleep(300)
      const already = storage.requests.length
      released.resolve()
      assert.equal((await looking).findings, 0)
      const after = storage.requests.slice(already)
      const shown = after.findIndex(({ method, key }) => method === 'PUT' && key.endsWith('/posts/index.json'))
      assert.ok(shown >= 0 && shown < after.findLastIndex(isList))
      // The look was given up, and begun anew.
      const unknownRead = after.slice(0, shown).filter(({ key }) => key.includes('/posts/stranger-')).length
      assert.ok(unknownRead < 40, `${unknownRead} files were read first`)
    })
})

test('many changes wait as one refresh', async () => {
  const idle = await startService({ worker: false })
  try {
    const follow = createRefreshRequest({ db: idle.db, enqueue: idle.kernel.jobs.enqueue })
    for (let n = 0; n < 5; n++) await follow()
    const queue = (await idle.kernel.jobs.stats()).find(({ queue }) => queue === 'export.refresh')
    assert.equal(queue?.ready, 1)
  } finally {
    await idle.close()
  }
})

test('what changed while the plugin was left out is followed when a service starts with it', async () => {
  // Without a worker nothing follows a withdrawal, as without the plugin.
  const idle = await startService({ worker: false })
  let requests = 0
  const start = () =>
    requestMissedRefresh(idle.db, async () => {
      requests += 1
    })
  try {
    const { post_id } = await makePublicPost(idle, { title: 'Tides' })
    await start()
    assert.equal(requests, 0, 'nothing was exported yet')
    await runCommand(idle.kernel, 'export', 'rebuild')
    await start()
    assert.equal(requests, 0)
    await idle.bearer('POST', `/api/posts/${post_id}/unpublish`)
    await start()
    assert.equal(requests, 1)
  } finally {
    await idle.close()
  }
})
