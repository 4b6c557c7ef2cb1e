import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Parser } from 'htmlparser2'
import { SettingsStoreService } from '../../../core/settings/types.ts'
import { PublishedPostsService } from '../../../plugins/posts/index.ts'
import { createSite } from '../../../plugins/site/reads/site.ts'
import { createSitemap } from '../../../plugins/site/reads/sitemap.ts'
import { siteSettings } from '../../../plugins/site/settings.ts'
import { script } from '../../../plugins/site/theme/script.ts'
import { stylesheet } from '../../../plugins/site/theme/stylesheet.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'

const hostileTitle = `</title></script><script>alert(1)</script>"'><img src=x onerror=alert(2)>`
const browser = { accept: 'text/html,*/*;q=0.8' }

let service: TestService
before(async () => {
  service = await startService({
    worker: false,
    settings: {
      analytics_site: 'false',
      site_title: 'Tide & Stone',
      site_posts_per_page: '2',
      operator_timezone: 'Asia/Tokyo'
    }
  })
  await makePublicPost(service, { title: 'Bees', content: 'Bees dance.', category: 'land', tags: ['Insects'] })
  await makePublicPost(service, {
    title: 'Tides',
    excerpt: 'Why the sea rises.',
    content: 'The moon pulls [1].\n\n```sql\nselect 1\n```\n\n## Sources\n\n1. A book\n',
    category: 'sea',
    tags: ['Moon', 'Salt & water']
  })
  const { post_id } = await makePublicPost(service, {
    title: hostileTitle,
    excerpt: hostileTitle,
    content: 'Text.',
    tags: [hostileTitle]
  })
  await service.bearer('PATCH', `/api/posts/${post_id}`, { slug: 'hostile', author: hostileTitle, language: 'ar' })
  await service.db.query(
    `update posts set published_at = case slug when 'bees' then '2026-01-31T20:00:00Z'::timestamptz when 'tides' then '2026-02-02T10:00:00Z' else '2026-02-03T10:00:00Z' end`
  )
})
after(() => service.close())

/** The elements of a page with their attributes, and its texts. */
function parsed(text: string) {
  const elements: { name: string; attributes: Record<string, string> }[] = []
  const parser = new Parser({ onopentag: (name, attributes) => elements.push({ name, attributes }) })
  parser.end(text)
  const all = (name: string) => elements.filter(each => each.name === name).map(({ attributes }) => attributes)
  const content = (key: string) => all('meta').find(({ name, property }) => name === key || property === key)?.content
  return { all, content, links: all('a').map(({ href }) => href) }
}

async function page(path: string) {
  const { status, headers, body } = await service.anonymous('GET', path, undefined, browser)
  return { status, headers, text: String(body), ...parsed(String(body)) }
}

describe('the page of a post', () => {
  test('shows its text with sources and coloured code, and its neighbours', async () => {
    const { status, headers, text, links, all, content } = await page('/posts/tides')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; style-src 'self';/)
    assert.ok(headers.get('etag') !== null)
    assert.match(text, /<h1>Tides<\/h1>/)
    assert.match(text, /<span class="hljs-keyword">select<\/span>/)
    assert.match(text, /<p class="lead">Why the sea rises\.<\/p>/)
    assert.match(text, /<time datetime="2026-02-02T10:00:00.000Z">February 2, 2026<\/time>/)
    for (const link of [
      '#source-1',
      '/posts/bees',
      '/posts/hostile',
      '/categories/sea',
      '/tags/moon',
      '/tags/salt-and-water'
    ])
      assert.ok(links.includes(link), link)
    assert.equal(content('og:title'), 'Tides')
    assert.equal(content('description'), 'Why the sea rises.')
    assert.deepEqual(all('html'), [{ lang: 'en', dir: 'ltr' }])
    assert.deepEqual(
      all('link')
        .filter(({ rel }) => rel === 'canonical')
        .map(({ href }) => href),
      [`${service.url}/posts/tides`]
    )
    const data = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) =>
      JSON.parse(json)
    )
    assert.deepEqual(
      data.map(each => each['@type']),
      ['BlogPosting', 'BreadcrumbList']
    )
    assert.equal(data[0].datePublished, '2026-02-02T10:00:00.000Z')
    assert.equal(data[1].itemListElement.length, 3)
  })

  test('leads from a former slug to the present one', async () => {
    await service.bearer('PATCH', `/api/posts/${(await service.anonymous('GET', '/api/posts/bees')).body.post_id}`, {
      slug: 'honey-bees'
    })
    const moved = await fetch(`${service.url}/posts/bees?utm_source=x`, { redirect: 'manual' })
    assert.deepEqual([moved.status, moved.headers.get('location')], [301, '/posts/honey-bees'])
  })

  test('is gone with the post, in the same moment', async () => {
    const { post_id } = await makePublicPost(service, { title: 'Fleeting' })
    assert.equal((await page('/posts/fleeting')).status, 200)
    assert.ok((await page('/')).links.includes('/posts/fleeting'))
    await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
    assert.equal((await page('/posts/fleeting')).status, 404)
    for (const path of ['/', '/archive', '/sitemap.xml', '/llms.txt'])
      assert.doesNotMatch((await page(path)).text, /fleeting/)
  })
})

async function upload(width: number, height: number): Promise<string> {
  const { default: sharp } = await import('sharp')
  const picture = await sharp({ create: { width, height, channels: 3, background: '#17588f' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }))
  const uploaded = await fetch(`${service.url}/api/images`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${service.token}` }
  })
  const { url } = (await uploaded.json()) as { url: string }
  return url
}

test('wide stored pictures offer narrower forms, in texts and as covers', async () => {
  const inText = await upload(1300, 650)
  const cover = await upload(1000, 500)
  const post = { title: 'Wide', content: `![A](${inText}) and ![B](/images/generated/${inText.split('/').at(-1)})\n` }
  const { post_id } = await makePublicPost(service, post)
  await service.bearer('PATCH', `/api/posts/${post_id}`, { featured_image_url: cover })
  const form = (url: string, width: number) => url.replace('.png', `-png-${width}.webp`)
  const path = (url: string) => url.slice(service.url.length)
  const forms = (url: string, width: number) => `${form(url, 480)} 480w, ${form(url, 960)} 960w, ${url} ${width}w`
  const shown = (await page('/posts/wide')).all('img')
  assert.deepEqual(
    shown.map(({ srcset, width, height }) => [srcset, width, height]),
    [
      [forms(path(cover), 1000), '1000', '500'],
      [forms(inText, 1300), '1300', '650'],
      [forms(path(inText), 1300), '1300', '650']
    ]
  )
  for (const { sizes } of shown) assert.match(sizes ?? '', /, 100vw$/)
  for (const path of ['/', '/search?q=wide']) {
    const [first] = (await page(path)).all('img')
    assert.equal(first?.srcset, shown[0]?.srcset)
  }
  for (const [address = ''] of (shown[0]?.srcset ?? '').matchAll(/\/\S+/g))
    assert.equal((await fetch(new URL(address, service.url))).status, 200, address)
  await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
})

test('stored pictures in a text have their size, and are loaded when they are near', async () => {
  const url = await upload(320, 180)
  const content = `![A](${url})\n\n![B](https://elsewhere.example/b.png)\n\n![C](${service.url}/images/generated/gone.png)\n`
  await makePublicPost(service, { title: 'Pictures', content })
  const { all } = await page('/posts/pictures')
  assert.deepEqual(
    all('img').map(({ width, height, loading }) => [width, height, loading]),
    [
      ['320', '180', 'lazy'],
      [undefined, undefined, 'lazy'],
      [undefined, undefined, 'lazy']
    ]
  )
  assert.deepEqual([...new Set(all('img').map(({ srcset }) => srcset))], [undefined])
  await service.bearer(
    'POST',
    `/api/posts/${(await service.anonymous('GET', '/api/posts/pictures')).body.post_id}/unpublish`
  )
})

describe('a hostile title', () => {
  for (const path of [
    '/',
    '/archive',
    '/posts/hostile',
    '/posts/tides',
    '/search?q=alert',
    `/search?q=${encodeURIComponent(hostileTitle)}`
  ])
    test(`brings no element and no attribute into ${path.slice(0, 20)}`, async () => {
      const { text, all } = await page(path)
      assert.match(text, /&lt;script&gt;|search/)
      assert.deepEqual(
        all('script').filter(
          ({ type, src = '' }) => type !== 'application/ld+json' && !/^\/site\/script\.js\?v=\w+$/.test(src)
        ),
        []
      )
      assert.deepEqual(all('img'), [])
      assert.doesNotMatch(text.replace(/&lt;.*?&gt;/g, '').replace(/\\u003c.*?\\u003e/g, ''), /<[^>]*\sonerror=/)
    })
  test('reads back from the head of its page, which is written from right to left', async () => {
    const { text, all, content } = await page('/posts/hostile')
    assert.equal(content('og:title'), hostileTitle)
    assert.equal(content('author'), hostileTitle)
    assert.deepEqual(all('html'), [{ lang: 'ar', dir: 'rtl' }])
    const [json = ''] = /(?<=<script type="application\/ld\+json">).*?(?=<\/script>)/.exec(text) ?? []
    assert.equal(JSON.parse(json).headline, hostileTitle)
  })
})

describe('lists', () => {
  test('come in pages that lead to each other', async () => {
    const first = await page('/?fbclid=1')
    assert.deepEqual([first.links.includes('/?page=2'), first.all('article').length], [true, 2])
    const second = await page('/?page=2')
    assert.deepEqual([second.links.includes('/'), second.all('article').length], [true, 1])
    assert.equal((await page('/?page=3')).status, 404)
    assert.equal((await page('/?page=0')).status, 400)
  })

  test('of a category and of a tag have its posts under its name', async () => {
    const category = await page('/categories/sea')
    assert.match(category.text, /<h1><bdi>Sea<\/bdi><\/h1>/)
    assert.deepEqual(category.all('article').length, 1)
    const feeds = category.all('link').filter(({ rel }) => rel === 'alternate')
    for (const { href } of feeds) assert.equal((await fetch(service.url + href)).status, 200, href)
    assert.ok(feeds.some(({ href }) => href === '/categories/sea/atom.xml'))
    assert.match((await page('/tags/salt-and-water')).text, /<h1><bdi>Salt &amp; water<\/bdi><\/h1>/)
    for (const path of ['/categories/none', '/tags/none']) assert.equal((await page(path)).status, 404)
  })

  test('by month read dates in the time zone of the operator', async () => {
    const { text } = await page('/archive')
    assert.deepEqual(
      [...text.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, month]) => month),
      ['February 2026']
    )
    assert.match(text, /February 1, 2026<\/time> <a href="\/posts\/honey-bees"/)
  })
})

test('the search shows a form, and what it finds, with the words marked', async () => {
  const empty = await page('/search')
  assert.deepEqual(
    empty.all('form').map(({ action, method }) => [action, method]),
    [['/search', 'get']]
  )
  assert.equal(empty.content('robots'), 'noindex')
  const found = await page('/search?q=moon&utm_source=mail')
  assert.match(found.text, /The <mark>moon<\/mark> pulls/)
  assert.match((await page('/search?q=nosuchword')).text, /Nothing was found/)
  assert.equal((await page(`/search?q=${'x'.repeat(501)}`)).status, 400)
})

test('the podcast is there once a post has audio', async () => {
  assert.ok(!(await page('/')).links.includes('/podcast'))
  await service.db.query(`update posts set media = '{podcast}' where slug = 'tides'`)
  const { post_id } = (await service.anonymous('GET', '/api/posts/tides')).body
  await service.bearer('PATCH', `/api/posts/${post_id}`, { author: 'Ada' })
  const { links, all } = await page('/podcast')
  const [audio] = all('audio')
  assert.match(audio?.src ?? '', /^\/episodes\/[0-9a-f-]+\.mp3$/)
  assert.ok(links.includes('/podcast'))
  assert.equal((await page('/posts/tides')).all('audio')[0]?.src, audio?.src)
})

describe('a failure', () => {
  test('is a page for a browser and JSON for anybody else', async () => {
    const shown = await page('/nowhere')
    assert.deepEqual([shown.status, shown.content('robots')], [404, 'noindex'])
    assert.match(shown.text, /<h1>There is nothing here<\/h1>/)
    assert.equal((await service.anonymous('GET', '/nowhere')).body.error_code, 'NOT_FOUND')
    assert.equal((await page('/posts/none')).status, 404)
  })
})

describe('for machines', () => {
  test('robots.txt leads to the site map, which has every page', async () => {
    const robots = (await page('/robots.txt')).text
    assert.match(robots, /Disallow: \/search\n/)
    assert.ok(robots.includes(`Sitemap: ${service.url}/sitemap.xml\n`))
    const locations = [...(await page('/sitemap.xml')).text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => url)
    for (const url of locations) assert.equal((await fetch(url)).status, 200, url)
    assert.ok(locations.includes(`${service.url}/posts/honey-bees`))
  })

  test('a site map of too many addresses comes in parts', async () => {
    const published = service.service(PublishedPostsService)
    const store = service.service(SettingsStoreService)
    assert.ok(published !== undefined && store !== undefined)
    const installation = { baseUrl: () => 'https://example.org/blog' }
    const settings = service.kernel.settings.reader(siteSettings)
    const staticPages = { all: async () => [], known: () => [] }
    const look = { version: '', files: { stylesheet: '', icon: '', script: null }, texts: {} }
    const site = createSite({
      published,
      store,
      settings,
      staticPages,
      installation,
      themes: { look: async () => look, cachedLook: () => look },
      addedTexts: [],
      hasSearch: true,
      hasMedia: false
    })
    const sitemap = createSitemap({ db: service.db, published, site, staticPages, maxPerFile: 2 })
    const { view } = await site.read()
    assert.deepEqual(
      ['https://example.org/blog/a.png', '/a.png', 'https://example.com/a.png'].map(url =>
        view.absolute(view.link(url))
      ),
      ['https://example.org/blog/a.png', 'https://example.org/blog/a.png', 'https://example.com/a.png']
    )
    assert.match(
      await sitemap.whole(),
      /<sitemapindex[\s\S]*<loc>https:\/\/example\.org\/blog\/sitemaps\/2\.xml<\/loc>/
    )
    assert.match((await sitemap.part(0)) ?? '', /<loc>https:\/\/example\.org\/blog\/<\/loc>/)
    assert.match((await sitemap.part(2)) ?? '', /honey-bees/)
    assert.equal(await sitemap.part(3), undefined)
  })

  test('llms.txt names the newest posts', async () =>
    assert.match(
      (await page('/llms.txt')).text,
      /^# Tide & Stone\n[\s\S]*- \[Tides\]\(http.*\/posts\/tides\): Why the sea rises\.\n/
    ))

  test('llms.txt has one link for each post, whatever its title and address have', async () => {
    const { settings } = service.kernel
    await settings.set('post_url', 'https://press.example/(blog)/{slug}?a=(b')
    const title = 'Ebb \\] [and](/other) `flow <b a=`'
    const { post_id } = await makePublicPost(service, { title, excerpt: 'A `word` [of](/other) <i>.' })
    const line = (await page('/llms.txt')).text.split('\n').find(each => each.includes('Ebb')) ?? ''
    const { Marked } = await import('marked')
    const links: string[][] = []
    const html = await new Marked({
      walkTokens: each => void (each.type === 'link' && links.push([each.text, each.href]))
    }).parse(line)
    const { slug } = (await service.bearer('GET', '/api/posts?limit=100')).body.items.find(
      (each: { post_id: string }) => each.post_id === post_id
    )
    await settings.unset('post_url')
    await service.bearer('DELETE', `/api/posts/${post_id}`)
    assert.deepEqual(
      links.map(([, href]) => href),
      [`https://press.example/%28blog%29/${slug}?a=%28b`]
    )
    assert.match(html, /\] \[and\]\(\/other\) `flow &lt;b a=`<\/a>: A `word` \[of\]\(\/other\) &lt;i/)
  })

  test('a menu and a logo are settings', async () => {
    const { settings } = service.kernel
    await assert.rejects(settings.set('site_navigation', 'Bad=javascript:alert(1)'))
    await assert.rejects(settings.set('site_logo_url', 'javascript:alert(1)'))
    for (const address of ['//evil.example/x', '/\\evil.example/x']) {
      await assert.rejects(settings.set('site_navigation', `Home=/, Bad=${address}`))
      await assert.rejects(settings.set('site_logo_url', address))
    }
    await settings.set('site_navigation', 'Home=/')
    await settings.set('site_navigation', 'About & "us"=/posts/tides, Shop=https://shop.example/?a=b')
    await settings.set('site_logo_url', '/images/generated/logo.png')
    const { text, links, all } = await page('/archive')
    assert.deepEqual(links.slice(2, 4), ['/posts/tides', 'https://shop.example/?a=b'])
    assert.match(text, />About &amp; &quot;us&quot;<\/bdi><\/a>/)
    assert.deepEqual(all('img')[0], { src: '/images/generated/logo.png', alt: '', height: '32' })
    await settings.set('site_navigation', 'All posts=/archive')
    const ofMenu = (await page('/')).text.split('</header>')[0] ?? ''
    assert.equal(ofMenu.split('href="/archive"').length - 1, 1, 'what was chosen stands for its own')
    for (const key of ['site_navigation', 'site_logo_url']) await settings.set(key, '')
  })

  test('a site that is not to be listed says so everywhere', async () => {
    await service.kernel.settings.set('site_indexed', 'false')
    assert.equal((await page('/posts/tides')).content('robots'), 'noindex')
    assert.equal((await page('/robots.txt')).text, 'User-agent: *\nDisallow: /\n')
    await service.kernel.settings.set('site_indexed', 'true')
  })
})

test('the one script is small, and no page may run another', async () => {
  assert.ok(gzipSync(script).length <= 2_048, `${gzipSync(script).length} bytes`)
  const search = await page('/search')
  assert.equal(search.all('input').find(({ type }) => type === 'search')?.dir, 'auto')
  const [linked] = search.all('script')
  assert.equal((await page(linked?.src ?? '')).text, script)
  assert.match(search.headers.get('content-security-policy') ?? '', / script-src 'self';/)
  const other = await page('/archive')
  assert.deepEqual(other.all('script'), [])
  assert.doesNotMatch(other.headers.get('content-security-policy') ?? '', /script-src|connect-src/)
})

test('the stylesheet is small, and browsers keep it', async () => {
  assert.ok(gzipSync(stylesheet).length <= 10_240, `${gzipSync(stylesheet).length} bytes`)
  const [sheet] = (await page('/')).all('link').filter(({ rel }) => rel === 'stylesheet')
  const { headers, text } = await page(sheet?.href ?? '')
  assert.equal(headers.get('content-type'), 'text/css; charset=utf-8')
  assert.match(headers.get('cache-control') ?? '', /immutable/)
  assert.equal(text, stylesheet)
})

test('the feed of a category names its page, and the website as its author', async () => {
  const page = `${service.url}/categories/sea`
  const read = async (file: string) => (await service.anonymous('GET', `/categories/sea/${file}`)).body
  assert.ok((await read('feed.xml')).includes(`<link>${page}</link>`))
  assert.ok((await read('atom.xml')).includes(`<link href="${page}" rel="alternate"`))
  assert.match(await read('atom.xml'), /<author>\s*<name>(?!.*:)/)
  assert.equal((await read('feed.json')).home_page_url, page)
  await service.kernel.settings.set('post_url', 'https://front.example/{slug}')
  assert.ok((await read('feed.xml')).includes(`<link>${service.url}/</link>`))
  await service.kernel.settings.set('post_url', '')
})

test('with an empty post_url, feeds and the export name the pages', async () => {
  assert.match(
    (await service.anonymous('GET', '/feed.xml')).body,
    new RegExp(`<link>${service.url}/posts/tides</link>`)
  )
})

describe('without the plugin', () => {
  test('posts are read at their address in the API, and failures are JSON', async () => {
    const withoutSite = await startService({ worker: false, db: service.db, leftOut: ['site'] })
    const { body } = await withoutSite.anonymous('GET', '/feed.xml')
    assert.match(body, new RegExp(`<link>${withoutSite.url}/api/posts/tides</link>`))
    assert.equal((await withoutSite.anonymous('GET', '/', undefined, browser)).body.error_code, 'NOT_FOUND')
    await withoutSite.close()
  })
})
