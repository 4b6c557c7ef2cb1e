import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { SettingsStoreService } from '#core'
import { startObjectStorage } from '../../helpers/object-storage.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const audio = 'abcdefghij'
let service: TestService
let post_id: string
let draft: string
before(async () => {
  service = await startService({ worker: false, settings: { podcast_image_url: 'https://example.org/art.jpg' } })
  const folder = path.join(service.home, 'media')
  for (const name of ['images', 'episodes']) mkdirSync(path.join(folder, name), { recursive: true })
  post_id = (await makePublicPost(service, { title: 'Tides', excerpt: 'Why' })).post_id
  draft = (await makePublicPost(service, { title: 'Withdrawn' })).post_id
  await service.bearer('POST', `/api/posts/${draft}/unpublish`)
  const files = {
    [`episodes/${post_id}.mp3`]: audio,
    [`episodes/${draft}.mp3`]: audio,
    'episodes/notes.mp3': audio,
    'images/cover-1.png': 'picture',
    'images/empty.gif': '',
    'images/page.svg': '<svg/>',
    'images/.hidden.png': 'x',
    'secret.png': 'x'
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  symlinkSync(path.join(folder, 'secret.png'), path.join(folder, 'images/link.png'))
  mkdirSync(path.join(folder, 'images/folder.png'))
  assert.equal((await service.run('media', 'refresh')).status, 0)
})
after(() => service.close())

const get = (target: string, headers?: Record<string, string>) => service.anonymous('GET', target, undefined, headers)
const episode = (headers?: Record<string, string>) => get(`/episodes/${post_id}.mp3`, headers)
const tagOf = async (target: string) => (await get(target)).headers.get('etag') ?? ''

describe('GET /images/generated/{filename}', () => {
  test('sends the picture, to be kept for good', async () => {
    const { status, headers, body } = await get('/images/generated/cover-1.png')
    assert.deepEqual([status, body], [200, 'picture'])
    assert.equal(headers.get('content-type'), 'image/png')
    assert.equal(headers.get('content-length'), '7')
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(headers.get('etag') ?? '', /^"[^"]+"$/)
  })

  test('answers 304 to who has it', async () => {
    const etag = await tagOf('/images/generated/cover-1.png')
    for (const tags of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const answer = await get('/images/generated/cover-1.png', { 'if-none-match': tags })
      assert.deepEqual([answer.status, answer.body, answer.headers.get('etag')], [304, '', etag])
    }
    assert.equal((await get('/images/generated/cover-1.png', { 'if-none-match': '"other"' })).status, 200)
  })

  test('sends an empty file as empty', async () => {
    const { status, headers, body } = await get('/images/generated/empty.gif')
    assert.deepEqual([status, headers.get('content-length'), body], [200, '0', ''])
  })

  const refused = [
    'nothing.png',
    'page.svg',
    '.hidden.png',
    'link.png',
    'folder.png',
    '..%2fsecret.png',
    '%2e%2e%2fsecret.png',
    '..%5csecret.png',
    'cover-1.png%00.png',
    `${'x'.repeat(180)}.png`
  ]
  for (const name of refused) {
    test(`has nothing at ${name.slice(0, 40)}`, async () => {
      const { status, body } = await get(`/images/generated/${name}`)
      assert.ok([400, 404].includes(status), String(status))
      assert.ok(body.error_code !== undefined)
    })
  }
})

test('the media can lie in another folder', async () => {
  const folder = path.join(service.home, 'elsewhere')
  mkdirSync(path.join(folder, 'images'), { recursive: true })
  writeFileSync(path.join(folder, 'images/cover-9.png'), 'elsewhere')
  assert.equal((await get('/images/generated/cover-9.png')).status, 404)
  const settings = service.service(SettingsStoreService)
  await settings?.set('media_store', `file:${folder}`)
  assert.equal((await get('/images/generated/cover-9.png')).body, 'elsewhere')
  await assert.rejects(async () => settings?.set('media_store', 'file:relative'), { code: 'VALIDATION_ERROR' })
  await settings?.set('media_store', 'file:')
  assert.equal((await get('/images/generated/cover-9.png')).status, 404)
})

test('the media can lie in a bucket, once what it needs is set and the service agrees', async () => {
  const storage = await startObjectStorage()
  const set = (key: string, value: string) => service.kernel.settings.set(key, value)
  const bucket = () => set('media_store', 's3://site/media')
  try {
    await assert.rejects(bucket(), { message: /set storage_access_key and storage_secret_key first/ })
    await set('storage_endpoint', storage.url)
    await set('storage_access_key', 'AKIA')
    await set('storage_secret_key', 'secret')
    storage.misbehaveWith(() => ({ status: 403, code: 'InvalidAccessKeyId' }))
    await assert.rejects(bucket(), { message: /media_store cannot be used: http.* does not know the key AKIA/ })
    storage.misbehaveWith(() => null)
    storage.objects.set('media/images/cover-8.png', { body: Buffer.from('far away'), headers: {} })
    await bucket()
    assert.equal((await get('/images/generated/cover-8.png')).body, 'far away')
    const part = await get('/images/generated/cover-8.png', { range: 'bytes=0-2' })
    assert.deepEqual([part.status, part.body], [206, 'far'])
    // What the service says names the bucket and the key.
    storage.misbehaveWith(() => ({ status: 403, code: 'AccessDenied' }))
    for (const address of ['/images/generated/cover-7.png', `/episodes/${post_id}.mp3`]) {
      const { status, body } = await get(address)
      assert.deepEqual([status, body.message], [503, 'The file cannot be read now: try again later.'], address)
    }
    storage.misbehaveWith(() => null)
  } finally {
    await set('media_store', 'file:')
    await storage.close()
  }
})

describe('GET /episodes', () => {
  test('lists the public posts that have a file', async () => {
    const { body } = await get('/episodes')
    const [item] = body.items
    assert.deepEqual({ ...body, items: [] }, { items: [], total: 1, limit: 20, offset: 0, next_cursor: null })
    assert.deepEqual(
      { ...item, published_at: null },
      {
        ...{ post_id, slug: 'tides', title: 'Tides', excerpt: 'Why', published_at: null },
        ...{ podcast_url: `${service.url}/episodes/${post_id}.mp3`, video_url: null }
      }
    )
  })

  test('counts past the end, and refuses a bad page', async () => {
    assert.deepEqual((await get('/episodes?offset=5')).body, {
      items: [],
      total: 1,
      limit: 20,
      offset: 5,
      next_cursor: null
    })
    for (const query of ['limit=0', 'limit=101', 'offset=-1', 'cursor=x', 'what=1']) {
      assert.equal((await get(`/episodes?${query}`)).status, 400, query)
    }
  })
})

describe('GET /episodes/{post_id}.mp3', () => {
  test('sends the whole file with its tag and type', async () => {
    const { status, headers, body } = await episode()
    assert.deepEqual([status, body], [200, audio])
    assert.equal(headers.get('content-type'), 'audio/mpeg')
    assert.equal(headers.get('accept-ranges'), 'bytes')
    assert.equal(headers.get('cache-control'), 'public, max-age=0, must-revalidate')
  })

  for (const [range, part, contentRange] of [
    ['bytes=2-4', 'cde', 'bytes 2-4/10'],
    ['bytes=7-', 'hij', 'bytes 7-9/10'],
    ['bytes=-2', 'ij', 'bytes 8-9/10']
  ] as const) {
    test(`sends ${range}`, async () => {
      const { status, headers, body } = await episode({ range })
      assert.deepEqual([status, body, headers.get('content-range')], [206, part, contentRange])
      assert.equal(headers.get('content-length'), String(part.length))
    })
  }

  test('refuses a range outside of the file', async () => {
    const { status, headers, body } = await episode({ range: 'bytes=10-' })
    assert.deepEqual([status, body.error_code], [416, 'RANGE_NOT_SATISFIABLE'])
    assert.equal(headers.get('content-range'), 'bytes */10')
  })

  test('sends a range only of the state that If-Range names', async () => {
    const etag = await tagOf(`/episodes/${post_id}.mp3`)
    assert.equal((await episode({ range: 'bytes=0-1', 'if-range': etag })).status, 206)
    for (const condition of ['"other"', `W/${etag}`, 'Sat, 21 Nov 2026 02:15:15 GMT']) {
      const { status, body } = await episode({ range: 'bytes=0-1', 'if-range': condition })
      assert.deepEqual([status, body], [200, audio], condition)
    }
  })

  test('sends a range of the state that If-Range dates, unless it may have changed since within that second', async () => {
    const file = path.join(service.home, `media/episodes/${post_id}.mp3`)
    const date = 'Sat, 21 Nov 2020 02:15:15 GMT'
    const at = (headers: Record<string, string>) => episode({ range: 'bytes=0-1', ...headers })
    utimesSync(file, new Date(date), new Date(date))
    await until(async () => (await episode()).headers.get('last-modified') === date)
    assert.equal((await at({ 'if-range': date })).status, 206)
    assert.equal((await at({ 'if-range': 'Sat, 21 Nov 2020 02:15:16 GMT' })).status, 200)
    const soon = new Date(Date.now() + 60_000)
    utimesSync(file, soon, soon)
    await until(async () => (await episode()).headers.get('last-modified') === soon.toUTCString())
    assert.equal((await at({ 'if-range': soon.toUTCString() })).status, 200)
  })

  test('sends ranges of the old file or of the new one while it is replaced, and never of the old one to who has the new', async () => {
    const bytes = 300_000
    const other = (await makePublicPost(service, { title: 'Replaced' })).post_id
    const file = path.join(service.home, `media/episodes/${other}.mp3`)
    const put = (letter: string) => {
      writeFileSync(`${file}.part`, letter.repeat(bytes))
      renameSync(`${file}.part`, file)
    }
    const part = (headers = {}) => get(`/episodes/${other}.mp3`, { range: 'bytes=100000-299999', ...headers })
    put('a')
    const letters = new Map<string | null, Set<string>>()
    for (let round = 0; round < 12; round += 1) {
      // From the fourth on the first file lies in memory.
      const asked = Array.from({ length: 4 }, () => part())
      if (round === 6) put('b')
      for (const { status, headers, body } of await Promise.all(asked)) {
        assert.deepEqual([status, body.length, new Set(body).size], [206, 200_000, 1])
        const etag = headers.get('etag')
        letters.set(etag, (letters.get(etag) ?? new Set()).add(body[0]))
      }
    }
    await until(async () => (await part()).body.startsWith('b'))
    assert.deepEqual(
      [...letters.values()].map(found => found.size),
      [...letters.values()].map(() => 1)
    )
    const [old] = letters.keys()
    const { status, body } = await part({ 'if-range': old ?? '' })
    assert.deepEqual([status, body], [200, 'b'.repeat(bytes)])
  })

  test('answers 304 before it looks at the range', async () => {
    const etag = await tagOf(`/episodes/${post_id}.mp3`)
    assert.equal((await episode({ range: 'bytes=99-', 'if-none-match': etag })).status, 304)
  })

  test('answers HEAD with the headers of the whole file: only GET has ranges', async () => {
    const full = await episode()
    for (const headers of [{}, { range: 'bytes=2-4' }, { range: 'bytes=99-' }] as Record<string, string>[]) {
      const head = await service.anonymous('HEAD', `/episodes/${post_id}.mp3`, undefined, headers)
      assert.deepEqual([head.status, head.body], [200, ''])
      for (const name of ['content-length', 'content-range', 'content-type', 'etag', 'accept-ranges']) {
        assert.equal(head.headers.get(name), full.headers.get(name), name)
      }
    }
  })

  test('refuses what a condition forbids, and no cache may store that', async () => {
    const conditions: Record<string, string>[] = [
      { 'if-match': '"other"' },
      { 'if-unmodified-since': 'Sat, 21 Nov 2009 02:15:15 GMT' }
    ]
    for (const condition of conditions) {
      const { status, body, headers: own } = await episode(condition)
      assert.deepEqual([status, body.error_code], [412, 'PRECONDITION_FAILED'])
      assert.deepEqual([own.get('cache-control'), own.get('etag')], ['no-store', null])
    }
    const { headers } = await get('/images/generated/cover-1.png', { range: 'bytes=99-' })
    assert.deepEqual([headers.get('cache-control'), headers.get('content-range')], ['no-store', 'bytes */7'])
  })

  test('is saved under the slug of the post, the present one', async () => {
    const name = async (id: string) => (await get(`/episodes/${id}.mp3`)).headers.get('content-disposition')
    assert.equal(await name(post_id), 'inline; filename="tides.mp3"')
    const other = (await makePublicPost(service, { title: 'Named' })).post_id
    writeFileSync(path.join(service.home, `media/episodes/${other}.mp3`), audio)
    assert.equal(await name(other), 'inline; filename="named.mp3"')
    await service.bearer('PATCH', `/api/posts/${other}`, { slug: 'renamed' })
    assert.equal(await name(other), 'inline; filename="renamed.mp3"')
    await service.bearer('POST', `/api/posts/${other}/unpublish`)
  })

  test('can be read by pages of every site, with ranges and whatever cors_origins says', async () => {
    const targets = [`/episodes/${post_id}.mp3`, '/images/generated/cover-1.png', '/podcast.xml']
    const origin = 'https://player.example'
    for (const origins of ['', 'https://own.example', '*']) {
      await service.kernel.settings.set('cors_origins', origins)
      for (const target of targets)
        for (const headers of [{}, { origin }, { origin, 'if-none-match': await tagOf(target) }]) {
          const answer = await get(target, headers as Record<string, string>)
          const found = [answer.headers.get('access-control-allow-origin'), answer.headers.get('vary')]
          // The feed is compressed.
          assert.deepEqual([found[0], found[1] ?? 'Accept-Encoding'], ['*', 'Accept-Encoding'], `${origins} ${target}`)
          assert.match(answer.headers.get('access-control-expose-headers') ?? '', /Content-Range/)
        }
      const preflight = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'range' }
      for (const target of targets) {
        const { status, headers } = await service.anonymous('OPTIONS', target, undefined, preflight)
        assert.deepEqual([status, headers.get('access-control-allow-origin')], [204, '*'], target)
        assert.match(headers.get('access-control-allow-headers') ?? '', /\bRange\b/)
      }
      const missing = await get(`/episodes/${draft}.mp3`, { origin })
      assert.deepEqual([missing.status, missing.headers.get('access-control-allow-origin')], [404, '*'])
    }
    await service.kernel.settings.set('cors_origins', '')
    const { headers } = await get('/api/posts', { origin })
    assert.equal(headers.get('access-control-allow-origin'), null)
    const other = await service.anonymous('OPTIONS', '/api/posts', undefined, { origin })
    assert.equal(other.status, 405)
  })

  test('changes its tag with the file', async () => {
    const file = path.join(service.home, 'media/images/cover-2.png')
    writeFileSync(file, 'first')
    const etag = await tagOf('/images/generated/cover-2.png')
    const { atime, mtimeMs } = statSync(file)
    writeFileSync(file, 'other')
    // The clock of a file system may stand still between two writes.
    utimesSync(file, atime, new Date(mtimeMs + 10))
    assert.notEqual(await tagOf('/images/generated/cover-2.png'), etag)
  })

  test('answers the same from memory as through the whole service', async () => {
    const file = path.join(service.home, `media/episodes/${post_id}.mp3`)
    const date = 'Sat, 21 Nov 2020 02:15:15 GMT'
    utimesSync(file, new Date(date), new Date(date))
    await until(async () => (await episode()).headers.get('last-modified') === date)
    const etag = await tagOf(`/episodes/${post_id}.mp3`)
    const asked: Record<string, string>[] = [
      {},
      { range: 'bytes=2-4' },
      { range: 'bytes=7-' },
      { range: 'bytes=-2' },
      { range: 'bytes=10-' },
      { range: 'bytes=0-1,3-4' },
      { range: 'bytes=0-1', 'if-range': etag },
      { range: 'bytes=0-1', 'if-range': '"other"' },
      { range: 'bytes=0-1', 'if-range': date },
      { range: 'bytes=0-1', 'if-none-match': etag },
      { 'if-none-match': '"other"' },
      { 'if-modified-since': date },
      { 'if-unmodified-since': date, range: 'bytes=1-' },
      { 'if-match': '"other"' },
      { 'if-match': etag, origin: 'https://player.example' }
    ]
    for (const method of ['GET', 'HEAD'])
      for (const headers of asked) {
        const target = `/episodes/${post_id}.mp3`
        const fast = await service.anonymous(method, target, undefined, headers)
        // A public route does not look at the token. With one, no fast path is taken.
        const slow = await service.anonymous(method, target, undefined, { ...headers, authorization: 'Bearer x' })
        const of = ({ status, body, headers: own }: typeof fast) => ({
          status,
          body: typeof body === 'string' ? body : body.error_code,
          headers: [...own].filter(([name]) => !['date', 'x-request-id'].includes(name)).sort()
        })
        assert.deepEqual(of(fast), of(slow), `${method} ${JSON.stringify(headers)}`)
      }
  })

  test('has nothing any more, from memory neither, as soon as its post is withdrawn', async () => {
    const other = (await makePublicPost(service, { title: 'Withdrawn while it is heard' })).post_id
    writeFileSync(path.join(service.home, `media/episodes/${other}.mp3`), audio)
    const status = async () => (await get(`/episodes/${other}.mp3`, { range: 'bytes=0-1' })).status
    for (let n = 0; n < 20; n += 1) assert.equal(await status(), 206)
    await service.bearer('POST', `/api/posts/${other}/unpublish`)
    assert.equal(await status(), 404)
  })

  test('is refused in JSON, whatever a player says that it takes', async () => {
    const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'
    for (const [address, status] of [
      [`/episodes/${randomUUID()}.mp3`, 404],
      [`/episodes/${randomUUID()}.vtt`, 404],
      [`/episodes/${post_id}.wav`, 404],
      [`/episodes/${post_id}.MP3`, 404],
      ['/episodes/nope', 404],
      ['/episodes/nope/', 404],
      ['/episodes/a/b?c=d', 404],
      ['/episodes?limit=0', 400]
    ] as const) {
      const answer = await fetch(`${service.url}${address}`, { headers: { accept } })
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [status, 'application/json; charset=utf-8'])
      assert.ok('error_code' in (await answer.json()))
    }
  })

  test('is where a browser is led that asks with a slash at the end; others hear its address', async () => {
    const address = `/episodes/${post_id}.mp3`
    const browser = await get(`${address}/?a=b`, { accept: 'text/html' })
    assert.deepEqual([browser.status, browser.headers.get('location')], [301, `${address}?a=b`])
    for (const [target, advised] of [
      [`${address}/`, address],
      ['/episodes/', '/episodes']
    ] as const) {
      const { status, body } = await get(target, { accept: '*/*' })
      assert.deepEqual([status, body.message], [404, `There is nothing at ${target}: the address is ${advised}.`])
    }
    for (const target of ['/episodes/', '/episodes//']) {
      const list = await get(target, { accept: 'text/html' })
      assert.deepEqual([list.status, list.headers.get('location')], [301, '/episodes'])
    }
    for (const method of ['POST', 'DELETE', 'OPTIONS', 'PUT'])
      for (const target of ['/episodes/nope', '/episodes/', '/episodes/a/b'])
        assert.equal((await service.anonymous(method, target)).status, 404, `${method} ${target}`)
  })

  test('has nothing for a post that is not public, has no file, or is none', async () => {
    const targets = [
      `${draft}.mp3`,
      `${post_id}.mp4`,
      'notes.mp3',
      `${post_id.slice(0, 8)}.mp3`,
      `${post_id}.wav`,
      '..%2fsecret.mp3'
    ]
    for (const name of targets) assert.equal((await get(`/episodes/${name}`)).status, 404, name)
  })
})
