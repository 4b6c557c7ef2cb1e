import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'

const browser = { accept: 'text/html,*/*;q=0.8' }

let service: TestService
let folder: string
before(async () => {
  service = await startService({ worker: false })
  folder = mkdtempSync(path.join(tmpdir(), 'galley-pages-'))
})
after(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

const pages = (...argv: string[]) => runCommand(service.kernel, 'pages', ...argv)

/** Writes a page from a file of its own. */
function set(slug: string, text: string, ...flags: string[]) {
  const file = path.join(folder, `${slug}.md`)
  writeFileSync(file, text)
  return pages('set', slug, '--file', file, ...flags)
}

async function show(slug: string) {
  return JSON.parse((await pages('show', slug, '--json')).out)
}

async function read(place: string): Promise<{ status: number; text: string }> {
  const { status, body } = await service.anonymous('GET', place, undefined, browser)
  return { status, text: String(body) }
}

describe('a static page', () => {
  test('is public only as it was approved', async () => {
    const { status, out } = await set('imprint', '# Imprint\n\nThe first version.\n')
    assert.equal(status, 0)
    assert.match(out, /The page imprint waits:.*galley pages approve imprint/)
    assert.equal((await read('/pages/imprint')).status, 404)
    assert.doesNotMatch((await read('/')).text, /imprint/)

    assert.match((await pages('approve', 'imprint')).out, /is public: http.*\/pages\/imprint$/)
    const shown = await read('/pages/imprint')
    assert.equal(shown.status, 200)
    assert.match(shown.text, /<h1>Imprint<\/h1>[\s\S]*<p>The first version\.<\/p>/)
    assert.match((await read('/')).text, /<footer[\s\S]*<a href="\/pages\/imprint"><bdi>Imprint<\/bdi><\/a>/)
    assert.match((await read('/sitemap.xml')).text, /\/pages\/imprint<\/loc><lastmod>/)

    await set('imprint', 'The second version.\n', '--title', 'Who we are')
    assert.match((await read('/pages/imprint')).text, /The first version/)
    assert.match((await read('/')).text, />Imprint<\/bdi><\/a>/)
    const { state, content, approved_by } = await show('imprint')
    assert.deepEqual([state, content, approved_by], ['changed', 'The second version.\n', 'operator'])

    await pages('approve', 'imprint')
    assert.match((await read('/pages/imprint')).text, /<h1>Who we are<\/h1>[\s\S]*The second version/)
    assert.match((await read('/')).text, />Who we are<\/bdi><\/a>/)
    assert.match((await pages('list')).out, /imprint +public +Who we are +operator/)
  })

  test('that reads again as it was approved is public as it is', async () => {
    const { approved_at } = await show('imprint')
    await set('imprint', 'A third version.\n', '--title', 'Who we are')
    assert.match((await set('imprint', 'The second version.\n', '--title', 'Who we are')).out, /is public as it is/)
    await pages('approve', 'imprint')
    assert.equal((await show('imprint')).approved_at, approved_at)
  })

  test('is approved only as it was shown', async () => {
    const { content_hash } = await show('imprint')
    await set('imprint', 'Slipped in.\n', '--title', 'Who we are')
    const { status, err } = await pages('approve', 'imprint', '--content-hash', content_hash)
    assert.equal(status, 1)
    assert.match(err, /has changed since it was shown/)
    assert.doesNotMatch((await read('/pages/imprint')).text, /Slipped in/)
  })

  test('is gone with its entry in the footer, in the same moment', async () => {
    assert.equal((await read('/pages/imprint')).status, 200)
    assert.match((await pages('remove', 'imprint', '--yes')).out, /Deleted the page imprint/)
    assert.equal((await read('/pages/imprint')).status, 404)
    for (const place of ['/', '/archive', '/nowhere', '/sitemap.xml'])
      assert.doesNotMatch((await read(place)).text, /imprint/, place)
    const { status, err } = await pages('show', 'imprint')
    assert.deepEqual([status, /There is no page imprint: "galley pages list"/.test(err)], [1, true])
  })

  test('brings nothing that a browser runs, and has a language of its own', async () => {
    const title = `</title><script>alert(1)</script>`
    await set(
      'privacy',
      '<script>alert(2)</script><img src=x onerror=alert(3)>\n\nText\n',
      '--title',
      title,
      '--language',
      'ar'
    )
    await pages('approve', 'privacy')
    const { text } = await read('/pages/privacy')
    assert.doesNotMatch(text, /<script|onerror/)
    assert.match(text, /<html lang="ar" dir="rtl">/)
    assert.doesNotMatch((await read('/')).text, /<script>alert/)
  })
})

test('each decision is in the audit log, with the version it was about', async () => {
  const { body } = await service.bearer('GET', '/api/audit?event_type=site.page_approved')
  assert.deepEqual(
    body.items.map((row: { actor: string; details: { slug: string } }) => [row.actor, row.details.slug]),
    [
      ['operator', 'privacy'],
      ['operator', 'imprint'],
      ['operator', 'imprint']
    ]
  )
  assert.match(body.items[0].details.content_hash, /^[0-9a-f]{64}$/)
})

test('what cannot be a page is refused with what to do', async () => {
  for (const [slug, text, flags, said] of [
    ['Imprint!', '# A', [], /slug>? is not a slug/],
    ['about', 'Nothing but text', [], /title is needed/],
    ['about', '# Only a title', [], /no text that readers would see/],
    ['about', '# A\n\nText', ['--language', 'not a tag'], /language is not a BCP 47/],
    ['about', `# A\n\n${'x'.repeat(262_144)}`, [], /at most 262144/]
  ] as const) {
    const { status, err } = await set(slug, text, ...flags)
    assert.equal(status, 2, err)
    assert.match(err, said)
  }
  assert.equal((await pages('approve', 'about')).status, 1)
})

test('there are only so many', async () => {
  await service.db.query(
    `insert into site_pages (slug, title, content, content_html, updated_by)
     select 'page-' || n, 'Page', 'Text', 'Text', 'operator' from generate_series(1, 49) n`
  )
  const { status, err } = await set('one-more', '# One more\n\nText')
  assert.deepEqual([status, /There are 50 pages/.test(err)], [1, true])
})

test('two that are written at once do not pass the limit', async () => {
  const maxPages = 50
  await service.db.query('delete from site_pages')
  await service.db.query(
    `insert into site_pages (slug, title, content, content_html, updated_by)
     select 'filler-' || n, 'Filler', '', '', '' from generate_series(1, $1 - 1) n`,
    [maxPages]
  )
  const written = await Promise.all(['one', 'two', 'three'].map(slug => set(slug, `# ${slug}\n\nText.\n`)))
  assert.deepEqual(written.map(({ status }) => status).sort(), [0, 1, 1])
  const [row] = await service.db.query<{ pages: number }>('select count(*)::int as pages from site_pages')
  assert.equal(row?.pages, maxPages)
})
