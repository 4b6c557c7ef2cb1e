// Not on a server: a theme makes pages in a thread of its own. pages.test.ts reads pages on both databases.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { packageRoot } from '../../../core/paths.ts'
import { checkTheme, defaultTheme, html, SitePagesService } from '../../../plugins/site/index.ts'
import { packHtml, unpackHtml } from '../../../plugins/site/themes/html-transfer.ts'
import { findingOf } from '../../helpers/finding.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { importsOf, sourcesIn } from '../../suite/import-graph.ts'

const browser = { accept: 'text/html,*/*;q=0.8' }
const example = path.join(packageRoot, 'examples/theme')

let service: TestService
let folder: string
let clock = () => new Date()
before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'galley-themes-'))
  service = await startService({
    worker: false,
    settings: { site_title: 'Tide & Stone' },
    now: () => clock()
  })
  await makePublicPost(service, { title: 'Tides <b>', content: 'Twice a day.', category: 'sea', tags: ['Moon'] })
})
after(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

const setTheme = (theme: string) => service.kernel.settings.set('site_theme', theme)

async function page(place: string) {
  const { status, headers, body } = await service.anonymous('GET', place, undefined, browser)
  return { status, headers, text: String(body) }
}

const examine = () => findingOf(service.kernel, 'site theme')

/** A theme of one file, from what stands in its object. */
function writeTheme(name: string, members: string, before = ''): string {
  const file = path.join(folder, `${name}.mjs`)
  const lines = [
    "import { defaultTheme, html } from 'galley/plugins/site'",
    before,
    `export default { ...defaultTheme, ${members} }`
  ]
  writeFileSync(file, lines.join('\n'))
  return file
}

describe('a theme that was just created', () => {
  test('is a package that makes every page, and the site shows it at once', async () => {
    const target = path.join(folder, 'My Theme')
    const { status, out } = await runCommand(service.kernel, 'site', 'theme', 'create', target)
    assert.equal(status, 0)
    assert.match(out, /theme\.js[\s\S]*galley settings set site_theme/)
    assert.ok(out.endsWith(` '${target}'`), out)
    const manifest = (folder: string) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    assert.deepEqual(manifest(target), { ...manifest(example), name: 'my-theme' })
    assert.match((await runCommand(service.kernel, 'site', 'theme', 'check', target)).out, /makes every kind of page/)
    const before = await page('/')
    await setTheme(target)
    const { text } = await page('/')
    assert.notEqual(text, before.text)
    assert.match(text, /<ul class="column"><li>\s*<a href="\/posts\/tides-b"[^>]*>Tides &lt;b&gt;<\/a>/)
    assert.match(text, /Newest first/)
    // Its own templates and galley's link the same stylesheet.
    const [sheet = ''] = /\/site\/style\.css\?v=\w+/.exec(text) ?? []
    assert.ok((await page('/archive')).text.includes(sheet))
    const { headers, text: styles } = await page(sheet)
    assert.match(headers.get('cache-control') ?? '', /immutable/)
    assert.match(styles, /\.column a/)
    assert.equal((await examine())?.status, 'ok')
    assert.match((await page('/nowhere')).text, new RegExp(sheet.replace('?', '\\?')))
  })

  test('says its own texts in the language of the site', async () => {
    await setTheme(example)
    await service.kernel.settings.set('site_language', 'de-AT')
    assert.match((await page('/')).text, /<html lang="de-AT" dir="ltr">[\s\S]*Neueste zuerst/)
    await service.kernel.settings.set('site_language', 'en')
  })

  test('is followed by the exported pages, also where only its templates change', async () => {
    const shownWith = async (theme: string) => {
      await setTheme(theme)
      assert.equal((await runCommand(service.kernel, 'export', 'refresh')).status, 0)
      return readFileSync(path.join(service.home, 'export/posts/tides-b/index.html'), 'utf8')
    }
    // The stylesheet and all else that pages link is galley's own.
    const template = (text: string) => `post: () => html\`<!doctype html><html lang="en"><p>${text}</p></html>\``
    assert.match(await shownWith(writeTheme('exported', template('ebb'))), /<p>ebb</)
    assert.match(await shownWith(writeTheme('exported-again', template('flow'))), /<p>flow</)
    assert.doesNotMatch(await shownWith(''), /<p>(ebb|flow)</)
  })

  test('that hangs for a while leaves no exported page unfinished for ever', async () => {
    const flag = path.join(folder, 'busy')
    const hanging = (name: string) =>
      `${name}() { while (fs.existsSync(${JSON.stringify(flag)})); return html\`<!doctype html><html lang="en"><p>mine</p></html>\` }`
    await setTheme(writeTheme('busy', ['post', 'label'].map(hanging).join(), "import fs from 'node:fs'"))
    const run = async (...argv: string[]) => {
      const { status, out } = await runCommand(service.kernel, 'export', ...argv, '--json')
      return { status, ...JSON.parse(out) }
    }
    const read = (file: string) => readFileSync(path.join(service.home, 'export', file), 'utf8')
    const year = new Date().getUTCFullYear()
    const lists = ['categories/sea', 'tags/moon'].flatMap(list => [`${list}/index.html`, `${list}/${year}/index.html`])
    const pages = ['posts/tides-b/index.html', ...lists]
    const stillUnfinished = async (...argv: string[]) => {
      const { status, items } = await run('verify', ...argv)
      assert.equal(status, 1)
      return items.flatMap(({ path, fault }: { path: string; fault: string }) => (fault === 'unfinished' ? [path] : []))
    }
    try {
      writeFileSync(flag, '')
      assert.ok((await run('refresh')).unfinished >= pages.length)
      for (const page of pages) assert.doesNotMatch(read(page), /mine/)
      const found = await stillUnfinished()
      assert.deepEqual(
        pages.filter(page => !found.includes(page)),
        []
      )
      rmSync(flag)
      clock = () => new Date(Date.now() + 31_000)
      assert.equal((await run('refresh')).unfinished, 0)
      for (const page of pages) assert.match(read(page), /mine/)
      assert.equal((await run('verify')).status, 0)
      writeFileSync(flag, '')
      const hangsAt = Date.now() + 62_000
      clock = () => new Date(hangsAt)
      await run('rebuild')
      // However many runs a busy site has, time is what counts.
      const entriesOf = () => JSON.parse(read('manifest.json')).parts.concat(JSON.parse(read('manifest.json')).groups)
      const first = entriesOf()
      for (let runs = 0; runs < 3; runs++) assert.ok((await run('refresh')).unfinished >= pages.length)
      assert.deepEqual(entriesOf(), first)
      const firstAgain = entriesOf().map(({ again_at }: { again_at?: string }) => again_at)
      clock = () => new Date(hangsAt + 1500)
      await run('refresh')
      for (const [at, { again_at }] of entriesOf().entries())
        if (again_at !== undefined) assert.ok(again_at > firstAgain[at])
      assert.ok((await stillUnfinished('--fix')).length >= pages.length)
      rmSync(flag)
      clock = () => new Date(hangsAt + 93_000)
      assert.equal((await run('verify', '--fix')).status, 0)
      for (const page of pages) assert.match(read(page), /mine/)
    } finally {
      rmSync(flag, { force: true })
      clock = () => new Date()
    }
  })

  test('is not written over what is there', async () => {
    writeFileSync(path.join(folder, 'file'), '')
    for (const target of [example, path.join(folder, 'file')]) {
      const { status, err } = await runCommand(service.kernel, 'site', 'theme', 'create', target)
      assert.deepEqual([status, /is not empty|is a file/.test(err)], [2, true], err)
    }
    assert.ok(existsSync(path.join(example, 'theme.js')))
  })
})

describe('a faulty theme', () => {
  const faults: [name: string, place: string, template: string, said: RegExp][] = [
    ['throws', '/posts/tides-b', `post() { throw new Error('no moon') }`, /post that threw: no moon/],
    [
      'gives a text',
      '/categories/sea',
      "label: () => '<!doctype html></html>'",
      /label that gave something that is not/
    ],
    [
      'gives a promise',
      '/archive',
      'archive: async () => html`x`',
      /archive that gave something that is not made with/
    ],
    ['gives half a page', '/search', 'search: () => html`<p>Hello`', /search that gave no whole document/],
    ['gives too much', '/podcast', "podcast: () => html(['', ''], 'x'.repeat(5e6))", /podcast that gave more than/],
    ['has no template', '/nowhere', 'failure: undefined', /has a template failure that is missing/]
  ]
  before(() =>
    setTheme(writeTheme('faulty', ["stylesheet: 'body { color: red }'", ...faults.map(each => each[2])].join(', ')))
  )
  const sheetOf = async (place: string) => {
    const { text } = await page(place)
    return (await page(/\/site\/style\.css\?v=\w+/.exec(text)?.[0] ?? '')).text
  }

  test('has its styles where it makes the page', async () => assert.equal(await sheetOf('/'), 'body { color: red }'))
  for (const [name, place] of faults)
    test(`that ${name} leaves ${place} to galley’s own, with its styles`, async () =>
      assert.equal(await sheetOf(place), defaultTheme.stylesheet))
  test('is what doctor says', async () => {
    const finding = await examine()
    assert.equal(finding?.status, 'degraded')
    for (const [, , , said] of faults) assert.match(finding?.found ?? '', said)
  })

  test('that hangs is ended, and other pages do not wait for it', async () => {
    await setTheme(
      // Not for sample pages, which doctor tries, too.
      writeTheme(
        'hangs',
        `post(site, view) { while (view.post.slug === 'tides-b') {} return defaultTheme.post(site, view) },
         home: site => html\`<!doctype html><html lang="en">\${site.assets.stylesheet} x</html>\``
      )
    )
    assert.match((await page('/')).text, / x</)
    // The second one waits for the first, and is not what doctor says.
    const [post, other] = await Promise.all([page('/posts/tides-b'), page('/posts/tides-b?utm_source=x')])
    for (const { text } of [post, other]) assert.match(text, /<h1>Tides &lt;b&gt;<\/h1>/)
    assert.match(post.headers.get('cache-control') ?? '', /no-store/)
    // In galley's own theme for a while.
    assert.match((await page('/archive')).text, /<h1>Archive<\/h1>/)
    const { found = '' } = (await examine()) ?? {}
    assert.match(found, /^The theme \S+ took longer than 2 s at its template post\.$/)
  })

  test('that does not start once is started again after a pause, and no page of the time between is stored', async () => {
    const marker = path.join(folder, 'started')
    const theme = writeTheme(
      'late',
      'home: () => html`<!doctype html><html lang="en">late</html>`',
      `import fs from 'node:fs'
       if (!fs.existsSync(${JSON.stringify(marker)})) { fs.writeFileSync(${JSON.stringify(marker)}, ''); process.exit(1) }`
    )
    // The setting is not tried first, as `settings set` does: this start is a process's own.
    await service.db.transaction(tx => service.kernel.settings.write(tx, 'site_theme', theme))
    const before = await page('/')
    assert.match(before.text, /<h1><bdi>Tide &amp; Stone<\/bdi><\/h1>/)
    assert.match(before.headers.get('cache-control') ?? '', /no-store/)
    assert.doesNotMatch((await page('/')).text, />late</)
    const later = new Date(Date.now() + 31_000)
    clock = () => later
    const [one, two] = await Promise.all([page('/'), page('/?page=1')])
    assert.match(one.text + two.text, />late<.*>late</s)
    assert.doesNotMatch((await examine())?.found ?? '', /ended its thread/)
    clock = () => new Date()
  })

  test('that hangs once is in the pages of the next export, and verify names those of galley’s own', async () => {
    const marker = path.join(folder, 'hung')
    const theme = writeTheme(
      'exported-late',
      `post() {
         if (!fs.existsSync(${JSON.stringify(marker)})) { fs.writeFileSync(${JSON.stringify(marker)}, ''); for (;;) {} }
         return html\`<!doctype html><html lang="en">ebb</html>\`
       },
       label: () => html\`<!doctype html><html lang="en">flow</html>\``,
      "import fs from 'node:fs'"
    )
    const exported = (file: string) => readFileSync(path.join(service.home, 'export', file), 'utf8')
    const verify = async () => JSON.parse((await runCommand(service.kernel, 'export', 'verify', '--json')).out).items
    const now = Date.now()
    clock = () => new Date(now)
    await setTheme(theme)
    await runCommand(service.kernel, 'export', 'refresh')
    const pages = ['categories/sea/index.html', 'posts/tides-b/index.html']
    for (const file of pages) assert.match(exported(file), /Tides &lt;b&gt;/)
    const found: { path: string; fault: string }[] = await verify()
    for (const file of pages)
      assert.ok(
        found.some(each => each.path === file && each.fault === 'unfinished'),
        file
      )
    clock = () => new Date(now + 31_000)
    await runCommand(service.kernel, 'export', 'refresh')
    assert.match(exported('posts/tides-b/index.html'), />ebb</)
    assert.match(exported('categories/sea/index.html'), />flow</)
    assert.deepEqual(await verify(), [])
    clock = () => new Date()
  })

  const unusable: [name: string, theme: () => string, said: RegExp][] = [
    ['is no folder', () => path.join(folder, 'nothing'), /there is no .*nothing/],
    ['has no package.json', () => folder, /has no package\.json/],
    ['does not parse', () => writeTheme('broken', '}'), /cannot be used:/],
    ['throws as it is imported', () => writeTheme('early', '', "throw new Error('early')"), /cannot be used: early/],
    ['is no theme', () => writeTheme('no-theme', 'stylesheet: 5'), /its stylesheet is not a text/],
    ['ends its thread', () => writeTheme('exits', '', 'process.exit(3)'), /ended its thread/],
    [
      'has texts that are none',
      () => writeTheme('texts', 'texts: { en: { older: 5 } }'),
      /its text older of en is neither/
    ]
  ]
  for (const [name, theme, said] of unusable)
    test(`that ${name} is not taken`, async () => {
      const { status, out } = await runCommand(service.kernel, 'site', 'theme', 'check', theme())
      assert.equal(status, 1)
      assert.match(out, said)
    })

  test('that is not there is refused, and leaves the whole site to galley’s own where it is gone', async () => {
    await assert.rejects(setTheme('galley-theme-nowhere'), /names a theme that cannot be used: Cannot find package/)
    const { settings } = service.kernel
    await service.db.transaction(tx => settings.write(tx, 'site_theme', 'galley-theme-nowhere'))
    assert.match((await page('/')).text, /<h1><bdi>Tide &amp; Stone<\/bdi><\/h1>/)
    assert.match((await examine())?.found ?? '', /galley-theme-nowhere cannot be used: Cannot find package/)
  })

  test('is over with the setting', async () => {
    await setTheme('')
    assert.equal((await examine())?.status, 'skipped')
    assert.match((await page('/posts/tides-b')).text, /class="top"/)
  })
})

describe('what a theme is written with', () => {
  test('galley’s own theme imports nothing else of the plugin', () => {
    const strays = sourcesIn('plugins/site/theme/*.ts')
      .flatMap(importsOf)
      .filter(({ specifier }) => specifier !== '../theme-primitives.ts' && !specifier.startsWith('./'))
    assert.deepEqual(strays, [])
  })

  test('galley’s own theme has no fault', () => assert.deepEqual(checkTheme(defaultTheme), []))

  test('a template that shows a title as HTML is found', () => {
    const forged = { ...html`` } as never
    const bad = {
      ...defaultTheme,
      home: () => forged,
      failure: (site: never) => defaultTheme.archive(site, {} as never)
    }
    const faults = checkTheme(bad)
    assert.match(faults.join(' '), /The template home gave something that is not made with html/)
    assert.match(faults.join(' '), /The template failure threw/)
    assert.deepEqual(checkTheme(5), ['The theme cannot be used: its default export is no theme.'])
  })

  test('HTML is sent to a thread as HTML, and nothing else passes for it', () => {
    const sent = structuredClone(
      packHtml({ text: html`<b>`, title: { mark: '<i>' }, list: [html`<u>`, 1, null] }, 'mark-1')
    )
    const read = unpackHtml(sent, 'mark-1') as { text: unknown; title: unknown; list: unknown[] }
    assert.equal(String(html`${read.text as never}${read.list[0] as never}`), '<b><u>')
    assert.deepEqual(read.title, { mark: '<i>' })
  })
})

test('a plugin adds texts', async () => {
  service.service(SitePagesService)?.addTexts({ en: { noPosts: 'Nothing yet.' }, eo: { archive: 'Arkivo' } })
  await service.kernel.settings.set('site_language', 'eo')
  assert.match((await page('/archive')).text, /<html lang="eo" dir="ltr">[\s\S]*<h1>Arkivo<\/h1>/)
  await service.kernel.settings.set('site_language', 'en')
})

test('a plugin adds parts to pages, in whatever theme', async () => {
  const pages = service.service(SitePagesService)
  const { post_id } = await makePublicPost(service, { title: 'Ebb', content: 'Example: `</main>`.' })
  pages?.addFragment({
    pages: ['post', 'home'],
    place: 'content',
    html: (site, slug) => html`<p>${site.title}: ${slug ?? '-'}</p>`
  })
  pages?.addFragment({ pages: ['post'], place: 'end', html: () => html`<i></i>` })
  pages?.addFragment({ pages: ['home'], place: 'end', html: () => null })
  for (const theme of ['', example]) {
    await setTheme(theme)
    const post = (await page('/posts/ebb')).text
    assert.match(post, /<p>Tide &amp; Stone: ebb<\/p>\n<\/main>/)
    assert.match(post, /<i><\/i>\n<\/body>/)
    const home = (await page('/')).text
    assert.match(home, /<p>Tide &amp; Stone: -<\/p>\n<\/main>/)
    assert.doesNotMatch(home, /<i><\/i>/)
    assert.doesNotMatch((await page('/archive')).text, /Stone: -/)
  }
  await setTheme('')
  await service.bearer('DELETE', `/api/posts/${post_id}`)
})
