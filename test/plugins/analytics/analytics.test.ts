import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { jobType } from '#core'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0'
}
let service: TestService
before(async () => {
  service = await startService({ settings: { rate_limit_per_minute: '0' } })
})
after(() => service.close())
beforeEach(() => service.db.script('truncate analytics_days, analytics_posts, analytics_facets'))

let posts = 0
const aPost = () => makePublicPost(service, { title: `Read number ${++posts}` })
const view = (body: object, headers: Record<string, string> = {}) =>
  service.anonymous('POST', '/api/analytics/view', body, { ...browser, ...headers })
const report = async (days = 30) => (await service.bearer('GET', `/api/analytics/views?days=${days}`)).body
/** Every view that was asked for is stored. */
const counted = async () => {
  const { slug, post_id } = await aPost()
  await view({ slug }, { 'user-agent': `${browser['user-agent']} ${slug}` })
  await until(async () => {
    const [row] = await service.db.query('delete from analytics_posts where post_id = $1 returning post_id', [post_id])
    return row !== undefined
  })
  await service.db.query('update analytics_days set views = views - 1')
}

test('a view counts for its post, its day and the host of its referrer, and stores nothing of who it was', async () => {
  const { slug, post_id } = await aPost()
  const other = await aPost()
  for (const referrer of ['https://www.news.example/today?user=7', 'http://news.example', 'https://second.example/'])
    assert.equal((await view({ slug, referrer })).status, 204)
  await view({ slug: other.slug })
  await counted()
  const { days, daily, posts, referrers, geo } = await report(3)
  assert.deepEqual([days, daily.length, geo], [3, 3, []])
  assert.deepEqual([daily.at(-1).views, daily.at(-1).machines], [4, 0])
  assert.deepEqual(posts.at(0), {
    post_id,
    slug,
    title: slug.replace('read-n', 'Read n').replaceAll('-', ' '),
    views: 3,
    machines: 0
  })
  assert.equal(posts.at(1)?.views, 1)
  assert.deepEqual(referrers, [
    { host: 'news.example', views: 2 },
    { host: 'second.example', views: 1 }
  ])
})

test('the pages of the own website are no referrers, wherever they are read', async () => {
  await service.kernel.settings.set('post_url', 'https://www.front.example/{slug}/')
  const { slug } = await aPost()
  for (const referrer of ['https://www.front.example/', 'https://front.example/a/', 'https://news.example/'])
    await view({ slug, referrer })
  await counted()
  assert.deepEqual((await report()).referrers, [{ host: 'news.example', views: 1 }])
  await service.kernel.settings.set('post_url', '')
})

test('machines count apart: crawlers, assistants, programs, and browsers that fetch ahead', async () => {
  const kinds = [
    [{ 'user-agent': 'Mozilla/5.0; compatible; GPTBot/1.2; +https://openai.example/gptbot' }, 'GPTBot'],
    [{ 'user-agent': 'Mozilla/5.0 (compatible; claude-user/1.0)' }, 'Claude-User'],
    [{ 'user-agent': 'curl/8.9.0' }, 'other'],
    [{ 'user-agent': '' }, 'other'],
    [{ ...browser, 'sec-purpose': 'prefetch;prerender' }, 'prefetch']
  ] as const
  const { slug } = await aPost()
  for (const [headers] of kinds) await view({ slug, referrer: 'https://news.example' }, headers)
  await counted()
  const { daily, posts, referrers } = await report()
  assert.deepEqual([daily.at(-1).views, daily.at(-1).machines], [0, 5])
  assert.deepEqual([posts[0].views, posts[0].machines, referrers], [0, 5, []])
  const { body } = await service.bearer('GET', '/api/analytics/machines')
  const names = ['other', 'Claude-User', 'GPTBot', 'prefetch']
  assert.deepEqual(body.machines.map(({ name }: { name: string }) => name).sort(), [...names].sort())
  assert.deepEqual(body.machines[0], { name: 'other', views: 2 })
})

test('who opens a page oftener than a person counts as a machine, but not the readers behind an undeclared proxy', async () => {
  const { slug } = await aPost()
  const behind = await aPost()
  for (let time = 0; time < 8; time++) {
    await view({ slug })
    await view({ slug: behind.slug }, { 'x-forwarded-for': `198.51.100.${time}` })
  }
  await counted()
  const found = new Map((await report()).posts.map((post: { slug: string }) => [post.slug, post]))
  const counts = [slug, behind.slug].map(each => found.get(each) as { views: number; machines: number })
  assert.deepEqual(
    counts.map(({ views, machines }) => [views, machines]),
    [
      [5, 3],
      [8, 0]
    ]
  )
})

test('an image counts a view where no script runs', async () => {
  const { slug } = await aPost()
  const answer = await service.anonymous('GET', `/api/analytics/view.gif?slug=${slug}`, undefined, browser)
  assert.deepEqual(
    [answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')],
    [200, 'image/gif', 'no-store']
  )
  await service.anonymous('HEAD', `/api/analytics/view.gif?slug=${slug}`, undefined, browser)
  await counted()
  assert.equal((await report()).posts[0].views, 1)
})

test('pages of the site send their views, unless a setting says otherwise', async () => {
  const { slug } = await aPost()
  const read = async () => service.anonymous('GET', `/posts/${slug}`, undefined, { ...browser, accept: 'text/html' })
  const { headers, body } = await read()
  const [, script = '', image = ''] =
    /<script defer src="([^"]+)" data-slug="[^"]+"><\/script>\n<noscript><img src="([^"]+)"/.exec(String(body)) ?? []
  assert.match(String(headers.get('content-security-policy')), /script-src 'self'; connect-src 'self'/)
  assert.match(
    String((await service.anonymous('GET', new URL(script, service.url).pathname)).body),
    /fetch\(new URL\('view'/
  )
  assert.equal(new URL(image, service.url).search, `?slug=${slug}`)
  await service.kernel.settings.set('analytics_site', 'false')
  assert.doesNotMatch(String((await read()).body), /analytics/)
  await service.kernel.settings.set('analytics_site', 'true')
})

test('what is no public post is not counted, and a former slug is its post', async () => {
  const { slug, post_id } = await aPost()
  await service.bearer('PATCH', `/api/posts/${post_id}`, { slug: `${slug}-renamed` })
  const gone = await aPost()
  await service.bearer('POST', `/api/posts/${gone.post_id}/unpublish`)
  for (const each of ['no-such-post', gone.slug, slug, `${slug}-renamed`])
    assert.equal((await view({ slug: each })).status, 204)
  await counted()
  const { posts, daily } = await report()
  assert.deepEqual(
    posts.map(({ slug, views }: { slug: string; views: number }) => [slug, views]),
    [[`${slug}-renamed`, 2]]
  )
  assert.equal(daily.at(-1).views, 2)
})

test('a post that was withdrawn keeps its views', async () => {
  const { slug, post_id } = await aPost()
  await view({ slug })
  await counted()
  await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
  assert.equal((await report()).posts[0].post_id, post_id)
})

test('countries are counted where the setting names the header', async () => {
  const { slug } = await aPost()
  await service.kernel.settings.set('analytics_country_header', 'cf-ipcountry')
  for (const country of ['se', 'SE', 'xxx', '<b>']) await view({ slug }, { 'cf-ipcountry': country })
  await service.kernel.settings.set('analytics_country_header', '')
  await view({ slug }, { 'cf-ipcountry': 'NO' })
  await counted()
  assert.deepEqual((await report()).geo, [{ country: 'SE', views: 2 }])
})

test('while the database is away views wait in memory', async () => {
  const { slug } = await aPost()
  await service.db.script('alter table analytics_posts rename to analytics_away')
  await view({ slug })
  await until(async () => (await service.bearer('GET', '/api/health')).status === 200)
  await view({ slug })
  await service.db.script('alter table analytics_away rename to analytics_posts')
  await counted()
  assert.equal((await report()).posts[0].views, 2)
})

test('hosts that are made up share a count beyond a limit', async () => {
  const { slug } = await aPost()
  for (let made = 0; made < 120; made++)
    await view({ slug, referrer: `https://host-${made}.example` }, { 'x-forwarded-for': `203.0.113.${made}` })
  await counted()
  const { referrers, posts } = await report()
  assert.equal(posts[0].views, 120)
  assert.equal(referrers.length, 100)
})

describe('refused are', () => {
  const bodies = [
    ['no slug', {}, 'slug'],
    ['a slug that is a path', { slug: '../settings' }, 'slug'],
    ['a field nobody knows', { slug: 'a', ip: '192.0.2.1' }, 'ip'],
    ['an endless referrer', { slug: 'a', referrer: 'x'.repeat(2_001) }, 'referrer']
  ] as const
  for (const [what, body, field] of bodies)
    test(what, async () => {
      const { status, body: answer } = await view(body)
      assert.deepEqual([status, Object.keys(answer.errors)], [400, [field]])
    })

  test('days beyond a year, and reports without a token', async () => {
    assert.equal((await service.bearer('GET', '/api/analytics/views?days=0')).status, 400)
    assert.equal((await service.bearer('GET', '/api/analytics/views?days=367')).status, 400)
    assert.equal((await service.anonymous('GET', '/api/analytics/views')).status, 401)
  })
})

test('pages of other sites may count', async () => {
  const { status, headers } = await service.anonymous('OPTIONS', '/api/analytics/view', undefined, {
    origin: 'https://front.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type'
  })
  assert.deepEqual([status, headers.get('access-control-allow-origin')], [204, '*'])
})

test('commands and GraphQL show the same', async () => {
  const { slug } = await aPost()
  await view({ slug, referrer: 'https://news.example/' })
  await view({ slug }, { 'user-agent': 'CCBot/2.0' })
  await counted()
  assert.match((await service.run('analytics', 'views', '--days', '2')).out, /1 view by readers in 2 days\./)
  assert.match((await service.run('analytics', 'top')).out, new RegExp(`${slug} +1 +1`))
  assert.match((await service.run('analytics', 'referrers')).out, /news\.example +1/)
  assert.match((await service.run('analytics', 'machines')).out, /CCBot +1/)
  const query = '{ views(days: 1) { daily { views machines } posts { slug } } machineViews { name views } }'
  const { body } = await service.bearer('POST', '/graphql', { query })
  assert.deepEqual(body.data, {
    views: { daily: [{ views: 1, machines: 1 }], posts: [{ slug }] },
    machineViews: [{ name: 'CCBot', views: 1 }]
  })
  const refused = await service.bearer('POST', '/graphql', { query: '{ views(days: 0) { days } }' })
  assert.match(JSON.stringify(refused.body), /must be 1 to 366/)
})

test('counts are deleted when their time is over', async () => {
  const { post_id } = await aPost()
  await service.db.query("insert into analytics_posts values ('2001-01-01', $1, 5, 0)", [post_id])
  await service.db.script("insert into analytics_days values ('2001-01-01', 5, 0)")
  await service.db.transaction(tx => service.kernel.jobs.enqueue(tx, jobType<object>('analytics.clean'), {}))
  await until(async () => {
    const rows = await service.db.query("select day from analytics_posts where day = '2001-01-01'")
    return rows.length === 0
  })
})
