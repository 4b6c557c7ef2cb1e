import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { FileStore } from '../../../../plugins/storage/index.ts'
import { createS3Driver } from '../../../../plugins/storage/s3/s3-driver.ts'
import { type Misbehaviour, type ObjectStorage, startObjectStorage } from '../../../helpers/object-storage.ts'
import { storeSettings } from './settings.ts'

let server: ObjectStorage
let store: FileStore
/** Time enough on a busy machine; what never answers has little. */
const idleMs = 10_000
const shortIdleMs = 100
const driverWith = (own = {}, idle = idleMs) => {
  const given = { storage_endpoint: server.url, storage_access_key: 'AKIA', storage_secret_key: 'secret' }
  return createS3Driver(storeSettings({ ...given, ...own }), { idleMs: idle, tries: 2 })
}
before(async () => {
  server = await startObjectStorage()
})
after(() => server.close())
beforeEach(() => {
  server.reset()
  store = driverWith().open('s3://site/blog', { setting: 'export_target' })
})
const bytes = Buffer.from('abcdefghij')
const refusal = (status: number, code: string, more = {}): Misbehaviour => ({ status, code, ...more })

describe('an object', () => {
  test('has its type, its lifetime and its hash', async () => {
    await store.put('posts/tides.json', bytes, { type: 'application/json', cacheControl: 'no-cache' })
    const { headers } = server.objects.get('blog/posts/tides.json') ?? {}
    assert.deepEqual([headers?.['content-type'], headers?.['cache-control']], ['application/json', 'no-cache'])
    assert.equal(headers?.['x-amz-meta-sha256'], createHash('sha256').update(bytes).digest('hex'))
    assert.equal(headers?.['content-md5'], createHash('md5').update(bytes).digest('base64'))
  })

  test('is addressed by path, and by host where that is asked for', async () => {
    await store.put('a.json', bytes)
    assert.equal(server.requests.at(-1)?.bucket, 'site')
    const byHost = driverWith({ storage_endpoint: 'http://localhost:1', storage_bucket_style: 'host' })
    await assert.rejects(
      byHost.open('s3://no-such-host', { setting: 'export_target' }).stat('a.json'),
      ({ cause }: Error) => /no-such-host\.localhost|ECONNREFUSED/.test(String(cause))
    )
  })
})

describe('a service that fails now and then is asked again', () => {
  const transient: [name: string, wrong: Misbehaviour][] = [
    ['503', refusal(503, 'SlowDown')],
    ['429', refusal(429, 'TooManyRequests')],
    ['500', refusal(500, 'InternalError')],
    ['a dropped connection', 'drop'],
    ['no answer', 'silence']
  ]
  for (const [name, wrong] of transient) {
    test(name, async () => {
      let left = 1
      server.misbehaveWith(({ method }) => (method === 'PUT' && left-- > 0 ? wrong : null))
      const asked = driverWith({}, wrong === 'silence' ? shortIdleMs : idleMs)
      await asked.open('s3://site/blog', { setting: 'export_target' }).put('a.json', bytes)
      assert.equal(server.objects.get('blog/a.json')?.body.toString(), 'abcdefghij')
    })
  }

  for (const minutes of [20, -20])
    test(`a clock that is ${minutes} minutes off is told once, and then corrected`, async () => {
      server.setClock(minutes * 60_000)
      await store.put('a.json', bytes)
      assert.equal(server.requests.length, 2)
      await store.put('b.json', bytes)
      assert.equal((await store.stat('b.json'))?.bytes, 10)
      assert.equal(server.requests.length, 4)
      await store.delete('a.json')
      assert.deepEqual([...server.objects.keys()], ['blog/b.json'])
    })

  test('and given up when it goes on', async () => {
    server.misbehaveWith(() => refusal(503, 'SlowDown'))
    await assert.rejects(store.put('a.json', bytes), {
      code: 'SERVICE_UNAVAILABLE',
      message: `The bucket site cannot be used: ${server.url} answered 503 SlowDown while storing a.json, at the last of several tries.`
    })
    assert.equal(server.requests.length, 2)
  })
})

describe('an object is read whole', () => {
  const once = (wrong: Misbehaviour) => {
    let left = 1
    server.misbehaveWith(({ method }) => (method === 'GET' && left-- > 0 ? wrong : null))
  }
  const readWhole = async () => {
    const file = await store.get('a.json', { isWhole: true })
    return (await file?.readRange({ start: 0, end: file.bytes - 1 }))?.toString()
  }

  test('though the connection is lost in the middle of it', async () => {
    await store.put('a.json', bytes)
    once('break')
    assert.equal(await readWhole(), 'abcdefghij')
    once('break')
    const file = await store.get('a.json')
    assert.equal((await file?.readRange({ start: 2, end: 9 }))?.toString(), 'cdefghij')
  })

  test('though an answer has half of it, and never half of it', async () => {
    await store.put('a.json', bytes)
    once('half')
    assert.equal(await readWhole(), 'abcdefghij')
    server.misbehaveWith(({ method }) => (method === 'GET' ? 'half' : null))
    const message = /^blog\/a\.json comes from the bucket site with other bytes than its ETag says/
    await assert.rejects(readWhole(), { code: 'SERVICE_UNAVAILABLE', message })
  })

  test('and never from its beginning where the rest of it is asked for', async () => {
    await store.put('a.json', bytes)
    let answers = 0
    server.misbehaveWith(({ method }) => (method === 'GET' ? (answers++ === 0 ? 'break' : 'rangeless') : null))
    const message = /site answers requests for a part of blog\/a\.json with something else/
    const read = async () => (await store.get('a.json'))?.readRange({ start: 2, end: 9 })
    await assert.rejects(read(), { code: 'SERVICE_UNAVAILABLE', message })
  })

  test('and no further than was asked for by a service that knows no ranges', async () => {
    await store.put('a.mp3', Buffer.alloc(70_000, 'abcdefghij'))
    server.misbehaveWith(({ method }) => (method === 'GET' ? 'rangeless' : null))
    const file = await store.get('a.mp3')
    assert.equal((await file?.readRange({ start: 0, end: 2 }))?.toString(), 'abc')
  })

  test('though it is empty', async () => {
    await store.put('a.json', Buffer.alloc(0))
    assert.equal((await store.get('a.json', { isWhole: true }))?.bytes, 0)
  })
})

describe('what no retry helps is said in a line', () => {
  const certain: [name: string, wrong: Misbehaviour, says: RegExp][] = [
    [
      'no bucket',
      refusal(404, 'NoSuchBucket'),
      /^There is no bucket site at http.*: create it, or set export_target\.$/
    ],
    ['another key', refusal(403, 'InvalidAccessKeyId'), /does not know the key AKIA: set storage_access_key/],
    ['another secret', refusal(403, 'SignatureDoesNotMatch'), /storage_secret_key is not that of the key AKIA/],
    ['a right is missing', refusal(403, 'AccessDenied'), /^The key AKIA may not do this in the bucket site: allow it/],
    [
      'another region',
      refusal(400, 'AuthorizationHeaderMalformed', { extra: '<Region>eu-west-1</Region>' }),
      /galley settings set storage_region eu-west-1\.$/
    ],
    [
      'another region, by a redirect',
      refusal(301, 'PermanentRedirect', { headers: { 'x-amz-bucket-region': 'eu-west-1' } }),
      /is in the region eu-west-1/
    ],
    ['a wrong clock', refusal(403, 'RequestTimeTooSkewed'), /whose clock is wrong: set it/]
  ]
  for (const [name, wrong, says] of certain) {
    test(name, async () => {
      server.misbehaveWith(() => wrong)
      await assert.rejects(store.put('a.json', bytes), { code: 'SERVICE_UNAVAILABLE', message: says })
      assert.match((await driverWith().probe?.('s3://site/blog')) ?? '', /^cannot be used: /)
    })
  }

  test('nobody listens', async () => {
    const unreachable = driverWith({ storage_endpoint: 'http://127.0.0.1:1' })
    const message = /127\.0\.0\.1:1 could not be reached \(ECONNREFUSED\) while storing a\.json: check storage_endpoint/
    await assert.rejects(unreachable.open('s3://site', { setting: 'export_target' }).put('a.json', bytes), { message })
    assert.equal(await unreachable.probe?.('s3://site'), null)
  })

  test('what answers is a website', async () => {
    const page = '<!doctype html><html><body><p>It works</p></body></html>'
    const website = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page))
    website.listen(0, '127.0.0.1')
    await once(website, 'listening')
    const { port } = website.address() as AddressInfo
    const driver = driverWith({ storage_endpoint: `http://127.0.0.1:${port}` })
    const store = driver.open('s3://site/blog', { setting: 'export_target' })
    const message = /^http.* answers, but not as an object storage does: set storage_endpoint\.$/
    try {
      const listed = async () => {
        for await (const _ of store.list('')) assert.fail('a file is listed')
      }
      const get = () => store.get('a.json', { isWhole: true })
      const ways = [() => store.put('a.json', bytes), () => store.stat('a.json'), get, listed]
      for (const way of ways) await assert.rejects(way, { code: 'SERVICE_UNAVAILABLE', message })
      assert.match((await driver.probe?.('s3://site/blog')) ?? '', /^cannot be used: .* set storage_endpoint$/)
    } finally {
      website.closeAllConnections()
      website.close()
    }
  })

  test('a key is missing, or the address is none', () => {
    assert.match(
      driverWith({ storage_access_key: '' }).faultOf('s3://site') ?? '',
      /set storage_access_key and storage_secret_key/
    )
    assert.match(driverWith({ storage_secret_key: '' }).faultOf('s3://site') ?? '', /set storage_secret_key first/)
    for (const address of [
      's3:',
      's3://',
      's3://Site',
      's3://site/../x',
      's3://site//x',
      's3://site/a?b',
      's3://site/%2e'
    ])
      assert.match(driverWith().faultOf(address) ?? '', /^must be s3:\/\/bucket/, address)
  })
})

test('a deletion that is denied is an error, and one that did not happen, too', async () => {
  await store.put('a.json', bytes)
  server.misbehaveWith(({ method }) => (method === 'DELETE' ? refusal(403, 'AccessDenied') : null))
  await assert.rejects(store.delete('a.json'), { message: /may not do this .* s3:DeleteObject/ })
  server.misbehaveWith(({ method }) => (method === 'DELETE' ? 'lie' : null))
  await assert.rejects(store.delete('a.json'), { message: /still has blog\/a\.json, after it answered/ })
})

test('a look that is denied names the rights: its answer has no word for it', async () => {
  server.misbehaveWith(({ method }) => (method === 'HEAD' ? refusal(403, 'AccessDenied') : null))
  const message = /may not do this in the bucket site: allow it s3:ListBucket/
  // A key without s3:ListBucket learns so of what is not there, as after its deletion.
  for (const ask of [() => store.stat('a.json'), () => store.delete('a.json')])
    await assert.rejects(ask, { code: 'SERVICE_UNAVAILABLE', message })
})

test('a list is read page by page, and only below the prefix', async () => {
  // On a slow machine a page may be asked for twice.
  const pages = () => new Set(server.requests.map(({ query }) => query.get('continuation-token'))).size
  for (let n = 0; n < 2500; n++) server.objects.set(`blog/posts/${n}.json`, { body: bytes, headers: {} })
  for (let n = 0; n < 2500; n++) server.objects.set(`other/${n}.json`, { body: bytes, headers: {} })
  let count = 0
  for await (const { key } of store.list('posts/')) {
    assert.match(key, /^posts\/\d+\.json$/)
    count++
    if (count === 1) assert.equal(pages(), 1)
  }
  assert.deepEqual([count, pages()], [2500, 3])
})

describe('a list that never ends, or ends too early, is a fault', () => {
  let pages = 0
  const read = async () => {
    for await (const { key } of store.list('posts/')) assert.match(key, /^posts/)
  }
  const pageOf = (keys: readonly string[], token: string): Misbehaviour => {
    const contents = keys.map(key => `<Contents><Key>blog/posts/${key}.json</Key><Size>1</Size></Contents>`).join('')
    const next = token === '' ? '' : `<NextContinuationToken>${token}</NextContinuationToken>`
    const result = `<Name>site</Name><IsTruncated>true</IsTruncated>${contents}${next}`
    return { xml: `<ListBucketResult>${result}</ListBucketResult>` }
  }
  const endless: Record<string, () => Misbehaviour> = {
    'begins anew': () => 'endless',
    'begins anew each time with another token': () => pageOf(['a', 'b'], `token-${++pages}`),
    'goes to and fro': () => (++pages % 2 === 0 ? pageOf(['a'], 'odd') : pageOf(['b'], 'even')),
    'has a page that leads to one before it': () => pageOf([`page-${++pages}`], `token-${pages % 3}`),
    'has empty pages': () => pageOf([], `token-${++pages}`)
  }
  for (const [name, page] of Object.entries(endless))
    test(name, { timeout: 30_000 }, async () => {
      for (let n = 0; n < 3; n++) server.objects.set(`blog/posts/${n}.json`, { body: bytes, headers: {} })
      server.misbehaveWith(page)
      await assert.rejects(read(), { code: 'SERVICE_UNAVAILABLE', message: /lists the same objects again and again/ })
    })

  test('goes on nobody knows where', async () => {
    server.misbehaveWith(() => pageOf(['a'], ''))
    const message = /lists only the first objects of the bucket site.* knows ListObjectsV2\.$/
    await assert.rejects(read(), { code: 'SERVICE_UNAVAILABLE', message })
    assert.match((await driverWith().probe?.('s3://site/blog')) ?? '', /^cannot be used: .* knows ListObjectsV2$/)
  })

  test('a few empty pages are none', async () => {
    server.misbehaveWith(() => (++pages % 10 === 0 ? null : pageOf([], `token-${pages}`)))
    await read()
  })
})

test('a condition is kept, and a first try whose answer was lost is no conflict', async () => {
  const first = await store.put('manifest.json', bytes, { ifMatch: null })
  await assert.rejects(store.put('manifest.json', Buffer.from('other'), { ifMatch: null }), { code: 'CONFLICT' })
  await assert.rejects(store.put('manifest.json', Buffer.from('other'), { ifMatch: '"0"' }), { code: 'CONFLICT' })
  await store.put('manifest.json', Buffer.from('new'), { ifMatch: first.etag })
  await store.put('manifest.json', Buffer.from('new'), { ifMatch: first.etag })
  server.misbehaveWith(({ headers }) => (headers['if-match'] === undefined ? null : refusal(501, 'NotImplemented')))
  await store.put('manifest.json', bytes, { ifMatch: '"0"' })
  assert.equal(server.objects.get('blog/manifest.json')?.body.toString(), 'abcdefghij')
})

test('whether conditions are kept is found out once, and nothing of that is left', async () => {
  assert.equal(await store.supportsConditions(), true)
  const asked = server.requests.length
  assert.equal(await store.supportsConditions(), true)
  assert.equal(server.requests.length, asked)
  for (const wrong of ['unconditional', refusal(501, 'NotImplemented')] as const) {
    server.misbehaveWith(({ method }) => (method === 'PUT' ? wrong : null))
    assert.equal(await driverWith().open('s3://site/blog', { setting: 'a' }).supportsConditions(), false)
  }
  assert.deepEqual([...server.objects.keys()], [])
  const denied = driverWith().open('s3://site/blog', { setting: 'export_target' })
  server.misbehaveWith(({ method }) => (method === 'PUT' ? refusal(403, 'AccessDenied') : null))
  await assert.rejects(denied.supportsConditions(), { message: /s3:PutObject/ })
  server.misbehaveWith(() => null)
  assert.equal(await denied.supportsConditions(), true)
})

test('other bytes than were sent are noticed', async () => {
  server.misbehaveWith(() => 'cut')
  await assert.rejects(store.put('a.json', bytes), { message: /with other bytes than were sent/ })
})
