import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { purgeTag } from '../../../plugins/posts/index.ts'
import { maxSlugLength } from '../../../plugins/posts/slug.ts'
import type { CdnDriver } from '../../../plugins/revalidation/cdn/cdn.ts'
import { createFastly } from '../../../plugins/revalidation/cdn/fastly.ts'
import { createVarnish } from '../../../plugins/revalidation/cdn/varnish.ts'
import { RevalidationService } from '../../../plugins/revalidation/index.ts'
import { sendRequest } from '../../../plugins/revalidation/request.ts'
import { cdnSettings } from '../../../plugins/revalidation/settings.ts'
import { findingOf } from '../../helpers/finding.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { type ReceivedRequest, startTargetServer, status, type TargetAnswer } from './target-server.ts'

let service: TestService
let cdn: Awaited<ReturnType<typeof startTargetServer>>
before(async () => {
  cdn = await startTargetServer()
  service = await startService()
})
after(async () => {
  await service.close()
  await cdn.close()
})
const set = async (values: Record<string, string>) => {
  for (const [key, value] of Object.entries(values)) await service.kernel.settings.set(key, value)
}
const statusOf = async (name: string) =>
  (await service.service(RevalidationService)?.statuses())?.find(({ target }) => target === name)
const everything = async () => (await service.bearer('POST', '/revalidate-cache')).body.revalidated
const look = async () => (await findingOf(service.kernel, 'revalidation')).found

interface Driver {
  settings(url: string): Record<string, string>
  /** The settings that turn it off. */
  off: Record<string, string>
  header: string
  /** Its answer to a purge. Absent: the usual one of the server. */
  answer?: TargetAnswer
  /** What it answers 403 for. */
  refusal: RegExp
  /** What it is asked to purge, as its documentation has it. */
  request: { method: string; path: string; headers: Record<string, string>; body: string }
}
const drivers: Record<string, Driver> = {
  fastly: {
    settings: url => ({ fastly_service_id: 'SU1Z0isxPaozGVKXdv0eY', fastly_api_url: url, fastly_api_token: 'f-token' }),
    off: { fastly_service_id: '' },
    header: 'Surrogate-Key',
    refusal: /its secret is another one/,
    request: {
      method: 'POST',
      path: '/service/SU1Z0isxPaozGVKXdv0eY/purge',
      headers: { 'fastly-key': 'f-token', 'surrogate-key': 'posts settings' },
      body: ''
    }
  },
  cloudflare: {
    settings: url => ({
      cloudflare_zone_id: '023e105f4ecef8ad9ca31a8372d0c353',
      cloudflare_api_url: `${url}/`,
      cloudflare_api_token: 'c-token'
    }),
    off: { cloudflare_zone_id: '' },
    header: 'Cache-Tag',
    refusal: /its secret is another one/,
    request: {
      method: 'POST',
      path: '/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/purge_cache',
      headers: { authorization: 'Bearer c-token', 'content-type': 'application/json' },
      body: '{"tags":["posts","settings"]}'
    }
  },
  varnish: {
    settings: url => ({ varnish_url: url }),
    off: { varnish_url: '' },
    header: 'xkey',
    answer: response => void response.writeHead(200, 'Invalidated 3 objects').end(),
    refusal: /its VCL does not let this address purge/,
    request: { method: 'PURGE', path: '/', headers: { 'xkey-purge': 'posts settings' }, body: '' }
  }
}

for (const [name, driver] of Object.entries(drivers))
  describe(`the CDN ${name}`, () => {
    before(() => set(driver.settings(cdn.url)))
    after(() => {
      cdn.answerWith(undefined)
      return set({ ...driver.off, cache_tag_header: 'none' })
    })
    beforeEach(async () => {
      cdn.answerWith(driver.answer)
      cdn.received.length = 0
      await service.db.script('delete from revalidation_waiting; delete from revalidation_targets')
    })

    test('is purged as it wants to be asked', async () => {
      assert.equal(await everything(), true)
      const { method, path, headers, body } = cdn.received[0] as ReceivedRequest
      const named = Object.keys(driver.request.headers)
      assert.deepEqual(
        { method, path, headers: Object.fromEntries(named.map(header => [header, headers[header]])), body },
        driver.request
      )
    })

    test('is purged after a change of posts, and when a path is asked for', async () => {
      await makePublicPost(service, { title: `Purged by ${name}` })
      await until(() => cdn.received.length > 0)
      assert.doesNotMatch(JSON.stringify(cdn.received[0]), /settings/)
      await until(async () => (await statusOf(name))?.waiting === 0)
      cdn.received.length = 0
      assert.deepEqual((await service.bearer('POST', '/api/revalidate', { path: '/' })).body, { revalidated: true })
      assert.equal(cdn.received.length, 1)
    })

    test('is purged of every page of the site when a static page is approved or deleted', async () => {
      await service.db.query(
        `insert into site_pages (slug, title, content, content_html, updated_by) values ('imprint', 'Imprint', '', '', '')`
      )
      for (const argv of [['approve'], ['remove', '--yes']]) {
        cdn.received.length = 0
        await service.run('pages', ...argv, 'imprint')
        await until(() => cdn.received.length > 0)
        assert.match(JSON.stringify(cdn.received[0]), /site\.pages/)
        await until(async () => (await statusOf(name))?.waiting === 0)
      }
    })

    const faults: Record<string, [TargetAnswer, RegExp]> = {
      'asks to wait': [status(429, { 'retry-after': '120' }), /answered 429\./],
      'is broken': [status(503), /answered 503\./],
      redirects: [status(302, { location: 'http://127.0.0.1:1/' }), /answered 302: no redirect is followed/],
      'refuses the token': [status(403), new RegExp(`answered 403: ${driver.refusal.source}`)],
      'answers with a page of something else': [
        response => void response.end('<!doctype html><title>200 Purged</title>'),
        /answered 200, but not that it purged/
      ]
    }
    for (const [what, [answer, error]] of Object.entries(faults))
      test(`${what}: it is asked again`, async () => {
        // A retry in the background, a second later, is answered so, too.
        cdn.answerWith(answer)
        assert.equal(await everything(), false)
        assert.match((await statusOf(name))?.last_error ?? '', error)
        const [row] = await service.db.query<{ seconds: number }>(
          'select extract(epoch from not_before - now())::float8 as seconds from revalidation_targets'
        )
        const isLong = (row?.seconds ?? 0) > 100
        assert.equal(isLong, what === 'asks to wait')
        cdn.answerWith(driver.answer)
        const refused = cdn.received.length
        await service.run('revalidation', 'retry')
        await until(async () => (await statusOf(name))?.waiting === 0)
        assert.equal(cdn.received.length, refused + 1)
      })

    test(`needs the header ${driver.header}, which public reads have by setting`, async () => {
      assert.match(await look(), new RegExp(`${name} purges by the header ${driver.header}`))
      await set({ cache_tag_header: driver.header })
      assert.doesNotMatch(await look(), /purges by the header/)
      const tags = driver.header === 'Cache-Tag' ? 'posts,settings' : 'posts settings'
      for (const target of ['/api/posts', '/feed.xml', '/feed.xml'])
        assert.equal((await service.anonymous('GET', target)).headers.get(driver.header), tags, target)
      assert.equal((await service.anonymous('GET', '/health')).headers.get(driver.header), null)
      assert.equal((await service.bearer('GET', '/api/posts')).headers.get(driver.header), null)
    })
  })

test('one edit purges what shows the post, and nothing else', async () => {
  await set({ cache_tag_header: 'Cache-Tag' })
  for (const [title, category, tag] of [
    ['Ebb', 'sea', 'Moon'],
    ['Flow', 'sea', 'Salt'],
    ['Bees', 'land', 'Wax'],
    ['Wasps', 'land', 'Wax']
  ] as const)
    await makePublicPost(service, { title, content: `About ${title}.`, category, tags: [tag] })
  await service.db.query(
    `update posts set published_at = case slug when 'ebb' then '2026-01-01T00:00:00Z'::timestamptz when 'flow' then '2026-01-02T00:00:00Z'
       when 'bees' then '2026-01-03T00:00:00Z' when 'wasps' then '2026-01-04T00:00:00Z' else published_at end`
  )
  const { post_id } = (await service.anonymous('GET', '/api/posts/ebb')).body
  // Tells the cached answers of the new times.
  await service.bearer('PATCH', `/api/posts/${post_id}`, { author: 'Ada' })
  const paths = ['/', '/archive', '/feed.xml', '/api/posts', '/api/posts/ebb', '/api/posts/wasps', '/sitemap.xml']
  for (const slug of ['ebb', 'flow', 'bees', 'wasps']) paths.push(`/posts/${slug}`)
  for (const list of ['categories/sea', 'categories/land', 'tags/moon', 'tags/wax'])
    paths.push(`/${list}`, `/${list}/atom.xml`)
  paths.push('/api/categories/sea', '/api/categories/land')
  const tagsOf = new Map<string, string[]>()
  for (const place of paths) {
    const { status, headers } = await service.anonymous('GET', place)
    assert.equal(status, 200, place)
    tagsOf.set(place, headers.get('cache-tag')?.split(',') ?? [])
  }
  const purgedBy = async (act: () => Promise<unknown>) => {
    await until(async () => ((await statusOf('cloudflare'))?.waiting ?? 0) === 0)
    cdn.received.length = 0
    await act()
    const tags = () => cdn.received.flatMap(({ body }): string[] => JSON.parse(body).tags)
    await until(() => tags().includes('posts'))
    await until(async () => (await statusOf('cloudflare'))?.waiting === 0)
    const purged = tags()
    return paths.filter(place => tagsOf.get(place)?.some(tag => purged.includes(tag)))
  }
  await set(drivers.cloudflare?.settings(cdn.url) ?? {})
  const lists = ['/', '/archive', '/feed.xml', '/api/posts', '/sitemap.xml']
  const ofEbb = ['/posts/ebb', '/posts/flow', '/api/posts/ebb', '/categories/sea', '/categories/sea/atom.xml']
  const also = ['/tags/moon', '/tags/moon/atom.xml', '/api/categories/sea']
  const edited = await purgedBy(() => service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'Ebb tide' }))
  for (const place of [...lists, ...ofEbb, ...also]) assert.ok(edited.includes(place), place)
  for (const place of ['/posts/wasps', '/api/posts/wasps', '/categories/land', '/tags/wax', '/tags/wax/atom.xml'])
    assert.ok(!edited.includes(place), place)
  // A new post leads from the newest one to it, though nothing there named it before.
  const published = await purgedBy(() => makePublicPost(service, { title: 'Hornets', category: 'land' }))
  assert.ok(!published.includes('/posts/ebb') && !published.includes('/categories/sea'))
  assert.ok(published.includes('/categories/land'))
  const before = await service.anonymous('GET', '/posts/hornets')
  assert.match(before.headers.get('cache-tag') ?? '', /post:hornets/)
  await set({ cloudflare_zone_id: '', cache_tag_header: 'none' })
})

test('as many tags as go in one request fit its header, however long they are', () => {
  const settings: Parameters<typeof createFastly>[0] & Parameters<typeof createVarnish>[0] = {
    get: key => cdnSettings[key].default as never,
    secretFor: () => ({ value: 'a-token', fault: null })
  }
  const limits: [driver: CdnDriver, bytes: number][] = [
    // Node's own for all headers together, and Varnish's http_req_hdr_len.
    [createFastly(settings), 16_000],
    [createVarnish(settings), 8192]
  ]
  for (const [driver, bytes] of limits) {
    const tags = Array.from({ length: driver.maxTags }, () => purgeTag.categoryName('x'.repeat(maxSlugLength)))
    const headers = Object.entries(driver.requestFor(tags).headers ?? {}).map(header => header.join(': '))
    assert.ok(headers.join('\r\n').length < bytes, driver.name)
  }
})

test('Fastly’s 200 without a list of purges is none', async () => {
  await set(drivers.fastly?.settings(cdn.url) ?? {})
  for (const answer of ['<html>Sign in</html>', '', '{"posts":']) {
    cdn.answerWith(response => void response.end(answer))
    assert.equal(await everything(), false)
    assert.match((await statusOf('fastly'))?.last_error ?? '', /answered 200, but not that it purged/)
  }
  cdn.answerWith(undefined)
  await set(drivers.fastly?.off ?? {})
})

test('Cloudflare’s 200 without success is none', async () => {
  await set(drivers.cloudflare?.settings(cdn.url) ?? {})
  for (const answer of ['{"success":false,"errors":[{"code":1234}]}', '<html>', '', 'null']) {
    cdn.answerWith(response => void response.end(answer))
    assert.equal(await everything(), false)
    assert.match((await statusOf('cloudflare'))?.last_error ?? '', /answered 200, but not that it purged/)
  }
  cdn.answerWith(undefined)
  await set({ cloudflare_zone_id: '' })
})

test('a CDN may answer by itself for a while, and show what is outdated, by setting', async () => {
  const cacheControl = async (target: string) => (await service.anonymous('GET', target)).headers.get('cache-control')
  assert.equal(await cacheControl('/api/posts'), 'public, max-age=0, must-revalidate')
  await set({ shared_cache_seconds: '600' })
  assert.equal(await cacheControl('/api/posts'), 'public, max-age=0, s-maxage=600, must-revalidate')
  await set({ stale_while_revalidate_seconds: '30' })
  assert.equal(await cacheControl('/api/posts'), 'public, max-age=0, s-maxage=600, stale-while-revalidate=30')
  assert.equal(await cacheControl('/feed.xml'), 'public, max-age=0, s-maxage=600, stale-while-revalidate=30')
  assert.match((await cacheControl('/health')) ?? '', /no-store/)
  await set({ shared_cache_seconds: '0', stale_while_revalidate_seconds: '0' })
})

test('a WebSub hub is notified of the feeds that changed', async () => {
  const hub = await startTargetServer(status(204))
  after(() => hub.close())
  await set({ websub_hub_url: `${hub.url}/hub`, public_url: 'https://news.example' })
  await makePublicPost(service, { title: 'Swallows', category: 'birds', tags: ['Spring'] })
  const topics = () => hub.received.flatMap(({ body }) => new URLSearchParams(body).getAll('hub.url'))
  await until(() => topics().length === 9)
  const [first] = hub.received
  assert.equal(first?.headers['content-type'], 'application/x-www-form-urlencoded')
  assert.equal(new URLSearchParams(first?.body).get('hub.mode'), 'publish')
  const files = ['feed.xml', 'atom.xml', 'feed.json']
  const folders = ['', '/categories/birds', '/tags/spring']
  assert.deepEqual(
    topics().sort(),
    folders.flatMap(folder => files.map(file => `https://news.example${folder}/${file}`)).sort()
  )
  assert.match((await service.anonymous('GET', '/tags/spring/atom.xml')).body, new RegExp(`href="${hub.url}/hub"`))
  hub.answerWith(status(401))
  await makePublicPost(service, { title: 'Swifts', category: 'birds' })
  await until(async () =>
    /answered 401: it takes no feeds of this site/.test((await statusOf('websub'))?.last_error ?? '')
  )
  await assert.rejects(set({ websub_hub_url: 'http://[' }), /websub_hub_url must be an address with a valid host/)
  await set({ websub_hub_url: '', public_url: '' })
  assert.doesNotMatch((await service.anonymous('GET', '/atom.xml')).body, /rel="hub"/)
})

describe('a request', () => {
  const request = { who: 'It', addressSetting: 'the_url', headers: {}, now: new Date(), timeoutMs: 200 }
  const send = (url: string) => sendRequest({ ...request, url }, new AbortController().signal)

  test('does not wait for an answer that never comes', async () => {
    cdn.script(() => {})
    await assert.rejects(send(cdn.url), { name: 'TargetError', message: 'It did not answer in time.' })
  })

  test('does not read an answer without end', async () => {
    cdn.script(response => {
      response.writeHead(200)
      const more = setInterval(() => response.write('x'.repeat(100_000)), 1)
      response.on('close', () => clearInterval(more))
    })
    assert.equal((await send(cdn.url)).text.length, 16_384)
  })

  test('goes to no address with a user or a password', async () => {
    for (const url of ['http://user:secret@127.0.0.1/', 'file:///etc/passwd', 'nonsense'])
      await assert.rejects(send(url), { name: 'TargetError', message: /^the_url is not an address that can be asked/ })
  })
})
