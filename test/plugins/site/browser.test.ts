// Not on a server: a browser shows pages. pages.test.ts reads them on both databases.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

// Every page in a browser, as a reader sees it and as axe does: one browser, one page at a time.
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(file =>
  existsSync(file)
)

const content = `The sea rises [1], twice a day[^a]. See \`now()\` and [a page](https://example.org/${'long/'.repeat(30)}).

## Why

> It waits for nobody.

\`\`\`sql
select slug, title from public_posts where published_at <= now() order by published_at desc -- newest first, always
\`\`\`

| Port | Range in metres | Period | Notes |
|---|--:|---|---|
| Saint-Malo | 12 | 12 h 25 min | amongthelargestineuropewithoutanybreakatall |

|  | Head |
|---|---|
| One | 2 |

[![](/images/generated/none.png)](https://example.org/a_picture.jpg)

### How

1. One
2. Two
   - three

## Sources

1. [A book](https://example.org/book)

[^a]: Nearly.
`
const pages: [name: string, path: string][] = [
  ['home', '/'],
  ['post', '/posts/tides'],
  ['post from right to left', '/posts/madd'],
  ['category', '/categories/sea'],
  ['tag', '/tags/moon'],
  ['archive', '/archive'],
  ['search', '/search?q=sea'],
  ['podcast', '/podcast'],
  ['static page', '/pages/imprint'],
  ['failure', '/nowhere']
]

const settings = {
  site_description: 'Notes on the sea.',
  site_posts_per_page: '2',
  // With a mail server there is a form to subscribe.
  smtp_url: 'smtp://127.0.0.1:9',
  mail_from: 'Tides <tides@example.com>'
}
let service: TestService
let browser: Browser
before(async () => {
  if (executablePath === undefined) return
  const started = await Promise.all([
    startService({ worker: false, settings }),
    chromium.launch({ executablePath, args: ['--no-sandbox'] })
  ])
  service = started[0]
  browser = started[1]
  for (const title of [
    'Herring',
    'Taumatawhakatangihangakoauauotamateaturipukakapikimaungahoronukupokaiwhenuakitanatahu',
    'Madd'
  ])
    await makePublicPost(service, { title, excerpt: 'About the sea.', category: 'sea' })
  const { post_id } = await makePublicPost(service, {
    title: 'Tides',
    content,
    category: 'sea',
    tags: ['Moon', 'Moon'.repeat(10)]
  })
  await service.db.query(
    `update posts set media = case slug when 'tides' then '{podcast}'::text[] else media end,
       language = case slug when 'madd' then 'ar' end`
  )
  await service.db.query(
    `insert into site_pages (slug, title, content, content_html, updated_by)
     values ('imprint', 'Imprint', '', '<h2>Who</h2><p>Ada, <a href="/">home</a>.</p>', 'operator')`
  )
  await service.run('pages', 'approve', 'imprint')
  // Tells the cache, too.
  await service.bearer('PATCH', `/api/posts/${post_id}`, {
    author: `Ada ${'_x'.repeat(80)}`,
    featured_image_url: '/images/generated/none.png'
  })
})
after(async () => {
  await browser?.close()
  await service?.close()
})

const skip = executablePath === undefined && 'there is no Chromium'
/** What the colours decide; all else is the same in light and dark. */
const ofColours = '{ runOnly: ["color-contrast", "link-in-text-block"] }'
const listFaults = (options: string) =>
  `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]))`

describe('in a browser', { skip }, () => {
  for (const [name, path] of pages)
    test(`${name}: it fits at 360 and 1440 pixels, light and dark, and axe finds nothing`, async () => {
      const page = await browser.newPage()
      const blocked: string[] = []
      page.on('console', message => {
        if (/Content Security Policy/.test(message.text())) blocked.push(message.text())
      })
      const missing: string[] = []
      page.on('response', response => {
        if (response.status() === 404) missing.push(new URL(response.url()).pathname)
      })
      await page.goto(service.url + path)
      // The picture that the post names is not there, so that the page is seen without it.
      assert.deepEqual(
        missing.filter(each => each !== path && !each.endsWith('/none.png')),
        []
      )
      // Put in by the debugger: the page's policy would refuse a script.
      await page.evaluate(axe)
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 800 })
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.ok(Number(overflow) <= 0, `${overflow} pixels too wide at ${width}`)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const found = await page.evaluate(listFaults(colorScheme === 'dark' ? ofColours : '{}'))
          assert.deepEqual(found, [], `${colorScheme}, ${width} pixels`)
        }
      }
      assert.deepEqual(blocked, [])
      await page.close()
    })
})

test('a name that begins with Latin letters reads from the left on a page that reads from the right', {
  skip
}, async t => {
  const set = async (values: Record<string, string>) => {
    for (const [key, value] of Object.entries(values)) await service.kernel.settings.set(key, value)
  }
  const { post_id } = await makePublicPost(service, { title: 'גאות', category: 'c-sharp', tags: ['C++'] })
  await service.run('categories', 'describe', 'c-sharp', '--name', 'C#++')
  await service.bearer('PATCH', `/api/posts/${post_id}`, { author: 'Ada (2)', language: 'he' })
  const { slug } = (await service.bearer('GET', `/api/posts/${post_id}`)).body
  await set({ site_language: 'he', site_title: 'Tides++', site_navigation: 'C++=/archive' })
  t.after(() => set({ site_language: 'en', site_title: 'Tides', site_navigation: '' }))
  const page = await browser.newPage()
  // Whether each character stands to the right of the one before it.
  const readsFromLeft = (selector: string) =>
    page.evaluate(`(() => {
      const nodes = document.createTreeWalker(document.querySelector(${JSON.stringify(selector)}), NodeFilter.SHOW_TEXT)
      const rights = []
      for (let node; (node = nodes.nextNode()); )
        for (let at = 0; at < node.length; at++) {
          const range = new Range()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          if (node.data[at].trim()) rights.push(range.getBoundingClientRect().right)
        }
      return rights.length > 2 && rights.every((right, at) => at === 0 || right > rights[at - 1])
    })()`)
  for (const [path, ...selectors] of [
    ['/', 'h1', '.brand', '.intro .labels li:last-child a'],
    ['/tags/c-plus-plus', 'h1', '.top li a', '.bottom p bdi'],
    ['/categories/c-sharp', 'h1'],
    [`/posts/${slug}`, '.post .kind a', '.post .facts span', '.post .labels a']
  ] as const) {
    await page.goto(service.url + path)
    assert.equal(await page.evaluate('document.documentElement.dir'), 'rtl')
    for (const selector of selectors) assert.equal(await readsFromLeft(selector), true, `${path} ${selector}`)
  }
  await page.close()
})

test('a post is printed dark on white, also from a dark screen', { skip }, async () => {
  const page = await browser.newPage()
  await page.goto(`${service.url}/posts/tides`)
  await page.evaluate(axe)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)')
  assert.deepEqual(await page.evaluate(listFaults(ofColours)), [])
  await page.close()
})

test('what is found shows while it is typed', { skip }, async () => {
  const page = await browser.newPage()
  await page.goto(`${service.url}/search`)
  await page.locator('#q').pressSequentially('herring')
  await page.locator('#found h2', { hasText: 'Herring' }).waitFor()
  assert.match(page.url(), /\/search\?q=herring$/)
  await page.locator('#q').fill('herr')
  await page.locator('#titles option[value^="Herring"]').waitFor({ state: 'attached' })
  await page.locator('#q').fill('nosuchword')
  await page.locator('#found [role=status]', { hasText: 'Nothing was found' }).waitFor()
  const empty = async () => {
    await page.waitForURL(`${service.url}/search`)
    assert.equal(await page.locator('#found').innerText(), '')
    assert.match(await page.title(), /^Search · /)
  }
  await page.locator('#q').fill('')
  await empty()
  // What was asked for and is answered late comes to nothing.
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/q=herring/, async route => {
    ask()
    await released
    await route.continue().catch(() => {})
  })
  const ended = page.waitForEvent('requestfailed', request => /q=herring/.test(request.url()))
  await page.locator('#q').fill('herring')
  await asked
  await page.locator('#q').fill('')
  await ended
  release()
  await empty()
  await page.close()
})

test('the spoken sentence is highlighted while an episode plays', { skip }, async () => {
  const page = await browser.newPage()
  const segments = [
    { startTime: 0, endTime: 5, body: 'The sea rises, twice a day.' },
    { startTime: 5, endTime: 9, body: 'It waits for nobody.' }
  ]
  await page.route('**/episodes/*.json', route => route.fulfill({ json: { version: '1.0.0', segments } }))
  await page.goto(`${service.url}/posts/tides`)
  const spoken = async (seconds: number) =>
    page.evaluate(
      `(async () => {
        const audio = document.querySelector('audio')
        Object.defineProperty(audio, 'currentTime', { value: ${seconds}, configurable: true })
        audio.dispatchEvent(new Event('play'))
        for (let tries = 0; tries < 200; tries++) {
          audio.dispatchEvent(new Event('timeupdate'))
          const [range] = CSS.highlights.get('spoken') ?? []
          if (range) return range.toString()
          await new Promise(resolve => setTimeout(resolve, 20))
        }
      })()`
    )
  assert.match(String(await spoken(1)), /^The sea rises[\s\S]*twice a day$/)
  assert.equal(await spoken(6), 'It waits for nobody')
  await page.close()
})

test('a reader subscribes from the page of a post with two clicks', { skip }, async () => {
  const page = await browser.newPage()
  await page.goto(`${service.url}/posts/herring`)
  await page.getByLabel('Your e-mail address').fill('ada@example.com')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
  const signups = await service.db.query('select email, source from newsletter_signups')
  assert.deepEqual(signups, [{ email: 'ada@example.com', source: 'form' }])
  await page.close()
})

for (const [how, javaScriptEnabled] of [
  ['by its script', true],
  ['by an image where none runs', false]
] as const)
  test(`a post that is read is counted ${how}`, { skip }, async () => {
    const read = () => service.db.query<{ views: number }>('select views from analytics_days where views > 0')
    await service.db.script('truncate analytics_days')
    // The one of a browser without a window counts as a machine.
    const userAgent = `Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.${Number(javaScriptEnabled)}`
    const page = await browser.newPage({ javaScriptEnabled, userAgent })
    await page.goto(`${service.url}/posts/herring`)
    await until(async () => (await read()).length > 0)
    assert.deepEqual(await read(), [{ views: 1 }])
    await page.close()
  })

test('every way through a page is open to the keyboard', { skip }, async () => {
  const page = await browser.newPage()
  await page.goto(`${service.url}/posts/tides`)
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
  await page.keyboard.press('Enter')
  assert.match(page.url(), /#content$/)
  await page.goto(`${service.url}/search`)
  await page.locator('#q').fill('sea')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/search\?q=sea$/)
  await page.close()
})
