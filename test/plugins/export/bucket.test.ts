import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { findingOf } from '../../helpers/finding.ts'
import { commandsOf } from '../../helpers/kernel.ts'
import { type ObjectRequest, type ObjectStorage, startObjectStorage } from '../../helpers/object-storage.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { recordSession } from '../../helpers/session.ts'

let storage: ObjectStorage
let service: TestService
before(async () => {
  storage = await startObjectStorage()
  service = await startService({ worker: false })
  const set = service.kernel.settings.set
  await set('storage_endpoint', storage.url)
  await set('storage_access_key', 'AKIA')
  await set('storage_secret_key', 'secret')
  await set('export_target', 's3://site/blog')
})
after(async () => {
  await service.close()
  await storage.close()
})
beforeEach(async () => {
  storage.reset()
  await service.db.script('truncate posts, categories cascade; delete from export_state')
})

const { terminal } = recordSession()
const unread = { print: () => {}, closed: new AbortController().signal }
/** As `galley export <name>` does. */
async function run(name: string, args = {}) {
  const command = (await commandsOf(service.kernel, 'export'))[name]
  assert.ok(command !== undefined)
  const result = await command.run({ args, isJson: true, terminal, actor: 'operator', output: unread })
  return { ...result, exit: command.exitStatus?.(result, {}) ?? 0 }
}
const rebuild = () => run('rebuild')
const keys = () => [...storage.objects.keys()].map(key => key.replace('blog/', '')).sort()
const json = (key: string) => JSON.parse(storage.objects.get(`blog/${key}`)?.body.toString() ?? 'null')
const puts = () => storage.requests.filter(({ method }) => method === 'PUT').map(({ key }) => key)
const withdraw = (post_id: string) => service.bearer('POST', `/api/posts/${post_id}/unpublish`)
const itemsOf = (result: { items: { path: string; fault: string }[] }) =>
  result.items.map(({ path, fault }) => `${fault}: ${plain(path)}`).sort()

/** A path without what depends on the day and on hashes. */
const plain = (key: string) =>
  key
    .replace(/^archive\/[\d-]+/, 'archive/M')
    .replace(/groups\/\d+/, 'groups/N')
    .replace(/-[0-9a-f]{12}\./, '-H.')

test('an export to a bucket has the same files as one to a folder, each with its type, the manifest last', async () => {
  await makePublicPost(service, { title: 'Tides' })
  const { files } = await rebuild()
  assert.deepEqual(keys().map(plain), [
    '.galley-export',
    '404.html',
    'archive/M/index.html',
    'archive/index.html',
    'categories.json',
    'feed.json',
    'feed.xml',
    'index.html',
    'llms.txt',
    'manifest.json',
    'manifest/0.json',
    'manifest/groups/N.json',
    'posts/index.json',
    'posts/index/0.json',
    'posts/tides.json',
    'posts/tides/index.html',
    'robots.txt',
    'site/icon-H.svg',
    'site/script-H.js',
    'site/style-H.css',
    'sitemap-pages.xml',
    'sitemap.xml',
    'sitemaps/0.xml',
    'tags.json'
  ])
  assert.equal(files, keys().length - 1)
  assert.equal(
    puts()
      .filter(key => key !== 'blog/.galley-export')
      .at(-1),
    'blog/manifest.json'
  )
  assert.equal(storage.objects.get('blog/feed.xml')?.headers['content-type'], 'application/rss+xml')
  assert.equal((await run('verify')).findings, 0)
})

test('a refresh writes what differs and nothing else, and removes first', async () => {
  const gone = await makePublicPost(service, { title: 'Gone' })
  await makePublicPost(service, { title: 'Tides' })
  await rebuild()
  await withdraw(gone.post_id)
  storage.requests.length = 0
  await refresh()
  const changes = storage.requests.filter(({ method }) => method === 'PUT' || method === 'DELETE')
  const at = (method: string, key: string) =>
    changes.findIndex(each => each.method === method && each.key === `blog/${key}`)
  assert.ok(at('DELETE', 'posts/gone.json') < at('PUT', 'posts/index.json'))
  assert.ok(!puts().includes('blog/posts/tides.json'))
  storage.requests.length = 0
  await refresh()
  assert.deepEqual(puts(), [])
})

const refresh = () => run('refresh')

test('the site of over a thousand posts comes in parts, and one change writes one of them', async () => {
  await service.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     select 'page-' || n, 'Page ' || n, 'text', '<p>text</p>', 'published', now() - interval '1 hour' * n from generate_series(1, 1005) n`
  )
  await rebuild()
  const index = json('posts/index.json')
  assert.deepEqual([index.items.length, index.total, index.limit], [1000, 1005, 1000])
  const listed = index.parts.flatMap(({ path }: { path: string }) => json(path).items)
  assert.equal(new Set(listed.map(({ slug }: { slug: string }) => slug)).size, 1005)
  assert.match(
    storage.objects.get('blog/sitemap.xml')?.body.toString() ?? '',
    /<sitemapindex .*<loc>.*sitemaps\/\d+\.xml/s
  )
  assert.equal((await run('verify')).findings, 0)
  storage.requests.length = 0
  await service.db.query(`update posts set title = 'New', revision = revision + 1 where slug = 'page-1005'`)
  await refresh()
  const written = puts().map(key => `blog/${plain(key.slice(5)).replace(/\d+(?=\.(json|xml)$|\/index\.html$)/, 'N')}`)
  assert.deepEqual(
    [...new Set(written)].sort(),
    [
      'blog/.galley-export',
      'blog/archive/M/index.html',
      'blog/manifest.json',
      'blog/manifest/N.json',
      'blog/manifest/groups/N.json',
      'blog/posts/index/N.json',
      'blog/posts/page-N.json',
      'blog/posts/page-N/index.html',
      'blog/sitemaps/N.xml'
    ].filter(key => written.includes(key))
  )
  assert.ok(written.length <= 14 && written.includes('blog/posts/page-N.json'), written.join())
})

test('an object of others at the path of a new post stays, however often the run is tried, killed or not', async () => {
  const mine = { body: Buffer.from('mine'), headers: {} }
  await rebuild()
  storage.objects.set('blog/posts/tides.json', mine)
  await makePublicPost(service, { title: 'Tides' })
  await assert.rejects(rebuild(), /posts\/tides\.json that no export wrote/)
  // As a run leaves it that is killed between its claim and its first write.
  storage.objects.set('blog/.galley-export', { body: Buffer.from('writing\nposts/tides.json\n'), headers: {} })
  await assert.rejects(rebuild(), /posts\/tides\.json that no export wrote/)
  await assert.rejects(rebuild(), /posts\/tides\.json that no export wrote/)
  assert.equal(storage.objects.get('blog/posts/tides.json'), mine)
  storage.objects.delete('blog/posts/tides.json')
  await rebuild()
  assert.equal(json('posts/tides.json').title, 'Tides')
})

test('a bucket with many other objects is listed by no run, and none of them is touched', async () => {
  const gone = await makePublicPost(service, { title: 'Gone' })
  await makePublicPost(service, { title: 'Tides' })
  const mine = { body: Buffer.from('mine'), headers: {} }
  for (let n = 0; n < 200; n++) storage.objects.set(`blog/posts/photo-${n}.json`, mine)
  await rebuild()
  await withdraw(gone.post_id)
  await refresh()
  const listed = storage.requests.filter(({ query }) => query.has('list-type')).map(({ query }) => query.get('prefix'))
  assert.deepEqual(
    listed.filter(prefix => !prefix?.startsWith('blog/manifest/')),
    []
  )
  // A look at everything does, page by page.
  assert.equal((await run('verify')).findings, 0)
  assert.equal([...storage.objects.values()].filter(object => object === mine).length, 200)
})

describe('verify', () => {
  test('names what is missing, altered, left over and still there though withdrawn, and repairs it', async () => {
    // One after the other: the page of the second links the third as the next.
    const tides = await makePublicPost(service, { title: 'Tides' })
    const bees = await makePublicPost(service, { title: 'Honey bees' })
    const gone = await makePublicPost(service, { title: 'Gone' })
    await rebuild()
    const bodyOf = (key: string) => storage.objects.get(`blog/${key}`)?.body ?? Buffer.alloc(0)
    const body = bodyOf('posts/gone.json')
    const page = bodyOf('posts/gone/index.html')
    await withdraw(gone.post_id)
    storage.objects.delete('blog/posts/tides.json')
    storage.objects.set('blog/posts/honey-bees.json', { body: Buffer.from('{}'), headers: {} })
    storage.objects.set('blog/feed.xml', { body: Buffer.from('<rss/>'), headers: {} })
    storage.objects.set('blog/posts/mine.json', { body: Buffer.from('{}'), headers: {} })
    storage.objects.set('blog/notes.txt', { body: Buffer.from('mine'), headers: {} })
    const found = await run('verify')
    assert.deepEqual(itemsOf(found), [
      'altered: feed.xml',
      'altered: posts/honey-bees.json',
      'missing: posts/tides.json',
      'outdated: archive/M/index.html',
      'outdated: archive/index.html',
      'outdated: posts/honey-bees/index.html',
      'withdrawn: posts/gone.json',
      'withdrawn: posts/gone/index.html'
    ])
    assert.deepEqual([found.exit, found.findings, found.has_waiting], [1, 8, true])
    const fixed = await run('verify', { fix: true })
    assert.deepEqual([fixed.exit, fixed.findings, fixed.repaired], [0, 0, 8])
    assert.deepEqual(
      [json('posts/tides.json').post_id, json('posts/honey-bees.json').post_id],
      [tides.post_id, bees.post_id]
    )
    assert.ok(!storage.objects.has('blog/posts/gone.json') && storage.objects.has('blog/posts/mine.json'))
    const left = {
      'posts/gone.json': body,
      'posts/gone/index.html': page,
      'posts/mine/index.html': Buffer.from('mine')
    }
    for (const [key, body] of Object.entries(left)) storage.objects.set(`blog/${key}`, { body, headers: {} })
    assert.deepEqual(itemsOf(await run('verify')), ['withdrawn: posts/gone.json', 'withdrawn: posts/gone/index.html'])
    assert.equal((await run('verify', { fix: true })).findings, 0)
    assert.deepEqual(
      Object.keys(left).filter(key => storage.objects.has(`blog/${key}`)),
      ['posts/mine/index.html']
    )
  })

  test('finds what was written before an edit and with other settings, and repairs it', async () => {
    const { post_id } = await makePublicPost(service, { title: 'Tides' })
    await rebuild()
    await service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'High tides' })
    assert.deepEqual(itemsOf(await run('verify')), [
      'outdated: archive/M/index.html',
      'outdated: archive/index.html',
      'outdated: posts/tides.json',
      'outdated: posts/tides/index.html'
    ])
    assert.equal((await run('verify', { fix: true })).findings, 0)
    await service.kernel.settings.set('site_title', 'Sea & Shore')
    const found = await run('verify')
    assert.deepEqual([itemsOf(found), found.exit, found.has_waiting], [['outdated: manifest.json'], 1, false])
    assert.equal((await run('verify', { fix: true })).findings, 0)
    assert.match(storage.objects.get('blog/posts/tides/index.html')?.body.toString() ?? '', /Sea &amp; Shore/)
    await service.kernel.settings.unset('site_title')
  })

  test('found before changes were written says so each time, and counts no more once they are', async () => {
    const { post_id } = await makePublicPost(service, { title: 'Tides' })
    await rebuild()
    await service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'High tides' })
    const found = [await run('verify'), await run('verify')]
    assert.deepEqual(
      found.map(({ findings, has_waiting }) => [findings, has_waiting]),
      [
        [4, true],
        [4, true]
      ]
    )
    const doctor = async () => (await findingOf(service.kernel, 'static export')).found
    assert.match(await doctor(), /at fault: 4, some of which may be changes that wait to be written/)
    await refresh()
    assert.match(await doctor(), /public_url is empty/)
    assert.equal((await run('status')).findings, 0)
    // What no refresh mends still counts.
    storage.objects.delete('blog/posts/tides.json')
    await makePublicPost(service, { title: 'Bees' })
    const { findings, has_waiting } = await run('verify')
    assert.deepEqual([findings > 1, has_waiting], [true, true])
    await refresh()
    assert.match(await doctor(), /at fault: 1$/)
    assert.deepEqual(itemsOf(await run('verify', { fix: true })), [])
  })

  test('says for a second target, too, that changes wait', async () => {
    await makePublicPost(service, { title: 'Tides' })
    await rebuild()
    await service.kernel.settings.set('export_target', 's3://site/second')
    await rebuild()
    await makePublicPost(service, { title: 'Bees' })
    assert.equal((await run('verify')).has_waiting, true)
    await service.kernel.settings.set('export_target', 's3://site/blog')
    assert.equal((await run('verify')).has_waiting, true)
  })

  test('is of one target', async () => {
    await makePublicPost(service, { title: 'Tides' })
    await rebuild()
    storage.objects.delete('blog/posts/tides.json')
    assert.deepEqual([(await run('verify')).findings, (await run('status')).findings], [1, 1])
    await service.kernel.settings.set('export_target', 's3://site/other')
    const { findings, verified_at } = await run('status')
    await service.kernel.settings.set('export_target', 's3://site/blog')
    assert.deepEqual([findings, verified_at, (await run('status')).findings], [null, null, 1])
  })

  test('and the report are of one target: nothing was written to a new one', async () => {
    await makePublicPost(service, { title: 'Tides' })
    await rebuild()
    const doctor = async () => (await findingOf(service.kernel, 'static export')).found
    const standing = async () => {
      const { last_run_at, last_report } = await run('status')
      return [last_run_at !== null, last_report?.posts]
    }
    assert.deepEqual(await standing(), [true, 1])
    await service.kernel.settings.set('export_target', 's3://site/new')
    assert.deepEqual(await standing(), [false, undefined])
    assert.match(await doctor(), /^Nothing was written to s3:\/\/site\/new\/ yet$/)
    await refresh()
    assert.deepEqual(await standing(), [true, 1])
    await service.kernel.settings.set('export_target', 's3://site/blog')
    assert.match(await doctor(), /^Nothing was written to/)
    await refresh()
    assert.doesNotMatch(await doctor(), /Nothing was written/)
  })

  test('finds the page of a list that came back after its last post was withdrawn', async () => {
    await makePublicPost(service, { title: 'Tides' })
    const gone = await makePublicPost(service, { title: 'Gone', tags: ['Secret'] })
    await rebuild()
    const page = storage.objects.get('blog/tags/secret/index.html')
    assert.ok(page)
    await withdraw(gone.post_id)
    await refresh()
    assert.ok(!storage.objects.has('blog/tags/secret/index.html'))
    const mine = { body: Buffer.from('<h1>mine</h1>'), headers: {} }
    storage.objects.set('blog/tags/secret/index.html', page)
    storage.objects.set('blog/tags/mine/index.html', mine)
    assert.deepEqual(itemsOf(await run('verify')), ['left over: tags/secret/index.html'])
    assert.equal((await run('verify', { fix: true })).findings, 0)
    assert.ok(!storage.objects.has('blog/tags/secret/index.html') && storage.objects.has('blog/tags/mine/index.html'))
  })

  test('refuses a manifest that names files of others, and removes none of them', async () => {
    await makePublicPost(service, { title: 'Tides' })
    await rebuild()
    const mine = { body: Buffer.from('mine'), headers: {} }
    const find = (pattern: RegExp) => [...storage.objects.keys()].find(key => pattern.test(key))
    const groups = find(/\/manifest\/groups\//)
    const file = { path: 'notes.txt', bytes: 4, sha256: '' }
    const entry = { post_id: '00000000-0000-4000-8000-000000000000', slug: 'gone', revision: 1, files: [file] }
    const group = { name: 'gone', fingerprint: '', files: [file] }
    for (const [key = '', added] of [[find(/\/manifest\/\d+\.json$/), entry] as const, [groups, group] as const]) {
      const before = storage.objects.get(key)
      const content = JSON.parse(before?.body.toString() ?? '')
      const more = key === groups ? { groups: [...content.groups, added] } : { posts: [...content.posts, added] }
      storage.objects.set(key, { body: Buffer.from(JSON.stringify({ ...content, ...more })), headers: {} })
      storage.objects.set('blog/notes.txt', mine)
      await assert.rejects(run('verify', { fix: true }), /names "notes\.txt", which no export writes/)
      assert.equal(storage.objects.get('blog/notes.txt'), mine)
      if (before !== undefined) storage.objects.set(key, before)
    }
    assert.equal((await run('verify')).findings, 0)
  })

  test('repairs a target whose manifest or part is lost', async () => {
    await makePublicPost(service, { title: 'Tides' })
    await rebuild()
    const groups = [...storage.objects.keys()].filter(key => key.startsWith('blog/manifest/groups/'))
    for (const lost of ['blog/manifest/0.json', 'blog/manifest.json', 'blog/.galley-export', ...groups]) {
      storage.objects.delete(lost)
      await run('verify', { fix: true })
      await rebuild()
      assert.equal((await run('verify')).findings, 0, lost)
    }
  })
})

test('a run that is killed at any step is gone on from', async () => {
  await makePublicPost(service, { title: 'Tides' })
  const gone = await makePublicPost(service, { title: 'Gone' })
  await rebuild()
  await service.db.query(`update posts set status = 'archived' where post_id = $1`, [gone.post_id])
  await service.bearer('PATCH', `/api/posts/${(await makePublicPost(service, { title: 'Bees' })).post_id}`, {
    slug: 'bee'
  })
  const before = new Map(storage.objects)
  for (let step = 0; ; step++) {
    storage.objects.clear()
    for (const [key, object] of before) storage.objects.set(key, object)
    let left = step
    // From some change on nothing arrives any more, as with a process that is gone.
    const isLost = ({ method }: ObjectRequest) => (method === 'PUT' || method === 'DELETE') && left-- <= 0
    storage.misbehaveWith(request => (isLost(request) ? { status: 403, code: 'AccessDenied' } : null))
    const died = await rebuild().then(
      () => false,
      () => true
    )
    storage.misbehaveWith(() => null)
    if (!died) break
    await rebuild()
    assert.ok(!storage.objects.has('blog/posts/gone.json'), `gone at ${step}`)
    assert.deepEqual(
      [
        json('posts/index.json')
          .items.map(({ slug }: { slug: string }) => slug)
          .sort(),
        (await run('verify')).findings
      ],
      [['bee', 'tides'], 0],
      `after ${step} changes`
    )
    assert.ok(step < 200)
  }
})

test('a first run that is killed at any step leaves nothing of posts that are withdrawn before the next', async () => {
  await service.db.query(
    `insert into posts (post_no, slug, title, content, content_html, status, published_at)
     select 500000 + n * 1000, 'post-' || n, 'Post ' || n, 'text', '<p>text</p>', 'published', now() - interval '1 hour' * n
     from generate_series(1, 2) n`
  )
  const become = (status: string) =>
    service.db.query(`update posts set status = $1, revision = revision + 1 where slug like 'post-%'`, [status])
  for (let step = 0; ; step++) {
    storage.objects.clear()
    await become('published')
    let left = step
    storage.misbehaveWith(({ method }) =>
      (method === 'PUT' || method === 'DELETE') && left-- <= 0 ? { status: 403, code: 'AccessDenied' } : null
    )
    const died = await rebuild().then(
      () => false,
      () => true
    )
    storage.misbehaveWith(() => null)
    if (!died) break
    await become('archived')
    await rebuild()
    assert.deepEqual(
      [...storage.objects.keys()].filter(key => key.startsWith('blog/posts/post-')),
      [],
      `after ${step} changes`
    )
    assert.ok(step < 200)
  }
})

test('a bucket that denies deletion fails the run, and status says so', async () => {
  const gone = await makePublicPost(service, { title: 'Gone' })
  await rebuild()
  await withdraw(gone.post_id)
  storage.misbehaveWith(({ method }) => (method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : null))
  await assert.rejects(rebuild(), { message: /may not do this in the bucket site: allow it .*s3:DeleteObject/ })
  const status = await run('status')
  assert.match(status.failure, /s3:DeleteObject/)
})

test('nobody’s file is replaced in a bucket that knows no conditions, be it one of few or of many', async () => {
  // Another key is another client, which probes again.
  await service.kernel.settings.set('storage_access_key', 'OTHER')
  storage.misbehaveWith(() => 'unconditional')
  await service.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     select 'post-' || n, 'Post ' || n, 'text', '<p>text</p>', 'published', now() - interval '1 hour' * n
     from generate_series(1, 80) n`
  )
  const mine = { body: Buffer.from('mine'), headers: {} }
  for (const key of ['blog/posts/post-1.json', 'blog/posts/post-80.json']) {
    storage.objects.clear()
    storage.objects.set(key, mine)
    await assert.rejects(rebuild(), { message: /that no export wrote/ })
    assert.equal(storage.objects.get(key), mine)
  }
  storage.objects.clear()
  await rebuild()
  assert.equal((await run('verify')).findings, 0)
  await makePublicPost(service, { title: 'Tides' })
  // Somebody else's export comes first.
  let isFirst = true
  storage.misbehaveWith(({ method, key }) => {
    if (method === 'PUT' && key === 'blog/posts/index.json' && isFirst) {
      isFirst = false
      storage.objects.set('blog/manifest.json', mine)
    }
    return 'unconditional'
  })
  await assert.rejects(refresh(), { message: /manifest.json in s3:.* was changed by another program/ })
  await service.kernel.settings.set('storage_access_key', 'AKIA')
})

test('a region, a key or a secret with which the bucket cannot be used is refused as it is set', async () => {
  const set = service.kernel.settings.set
  storage.misbehaveWith(({ headers: { authorization = '' } }) => {
    if (authorization.includes('/moon-1/'))
      return { status: 400, code: 'AuthorizationHeaderMalformed', extra: '<Region>us-east-1</Region>' }
    return authorization.includes('Credential=NOKEY/') ? { status: 403, code: 'InvalidAccessKeyId' } : null
  })
  await assert.rejects(set('storage_region', 'moon-1'), {
    message:
      'storage_region cannot be used: The bucket site is in the region us-east-1: galley settings set storage_region us-east-1.'
  })
  await assert.rejects(set('storage_access_key', 'NOKEY'), { message: /does not know the key NOKEY: set storage_acc/ })
  // Of a key and its secret the first comes before the second.
  storage.misbehaveWith(() => ({ status: 403, code: 'SignatureDoesNotMatch' }))
  await set('storage_access_key', 'NEXT')
  await assert.rejects(set('storage_secret_key', 'wrong-secret'), ({ message }: Error) => {
    assert.match(message, /storage_secret_key is not that of the key NEXT\.$/)
    return !message.includes('wrong-secret')
  })
  // Nothing is certain.
  storage.misbehaveWith(() => ({ status: 503, code: 'SlowDown' }))
  await set('storage_region', 'moon-1')
  storage.misbehaveWith(() => null)
  await set('storage_region', 'us-east-1')
  await set('storage_access_key', 'AKIA')
})

test('a setting that was changed while a run writes ends it', async () => {
  await makePublicPost(service, { title: 'Tides' })
  let changed: Promise<unknown> | undefined
  storage.misbehaveWith(() => {
    changed ??= service.kernel.settings.set('export_target', '')
    return null
  })
  try {
    await assert.rejects(rebuild(), { code: 'CONFLICT', message: /export_target was changed/ })
    // The operator did that: it is no failure to be told.
    const [{ failure } = { failure: 'none' }] = await service.db.query('select failure from export_state')
    assert.equal(failure, null)
  } finally {
    await changed
    await service.kernel.settings.set('export_target', 's3://site/blog')
  }
})
