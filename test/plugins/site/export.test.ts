import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ExportService } from '../../../plugins/export/index.ts'
import { PublishedPostsService } from '../../../plugins/posts/index.ts'
import { PostSearchService } from '../../../plugins/search/index.ts'
import { categoriesIn } from '../../../plugins/site/export/post-dependencies.ts'
import { relateJob } from '../../../plugins/site/export/related.ts'
import { filesUnder } from '../../helpers/files-under.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

let service: TestService
let folder: string
before(async () => {
  service = await startService({ worker: false })
})
after(() => service.close())
beforeEach(async () => {
  await service.db.script('truncate posts, categories cascade; delete from site_related')
  folder = path.join(service.home, 'export')
  rmSync(folder, { recursive: true, force: true })
})

const run = async (name: string, ...flags: string[]) => {
  const { status, out } = await runCommand(service.kernel, 'export', name, '--json', ...flags)
  return { status, ...JSON.parse(out) }
}
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
const allFiles = () => filesUnder(folder).map(file => path.relative(folder, file))
const pages = () => allFiles().filter(file => file.endsWith('.html'))
const times = () => new Map(allFiles().map(file => [file, statSync(path.join(folder, file)).mtimeMs]))

/** What a plain web server sends for a path, with `index.html` for a folder. */
const isServed = (place: string) => {
  const file = path.join(folder, decodeURI(place.replace(/[?#].*$/s, '')))
  return place.endsWith('/') ? existsSync(path.join(file, 'index.html')) : existsSync(file)
}
/** Links within the export that lead nowhere. */
const brokenLinks = () =>
  pages().flatMap(file =>
    [...read(file).matchAll(/\s(?:href|src)="(\/[^"]*)"/g)]
      .map(([, place = '']) => place)
      .filter(place => !isServed(place))
      .map(place => `${file}: ${place}`)
  )

async function upload(width: number, height: number): Promise<string> {
  const { default: sharp } = await import('sharp')
  const body = await sharp({ create: { width, height, channels: 3, background: '#17588f' } })
    .png()
    .toBuffer()
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'image/png' }
  const answer = await fetch(`${service.url}/api/images`, { method: 'POST', body: new Uint8Array(body), headers })
  return (await answer.json()).url
}

const insertPosts = (count: number) =>
  service.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at, tags, tag_slugs)
     select 'page-' || n, 'Page ' || n, 'text', '<p>text</p>', 'published', now() - interval '1 day' * n, '{Moon}', '{moon}'
     from generate_series(1, $1) n`,
    [count]
  )

describe('the export of a site', () => {
  test('has every page, and each link between them leads to a file', async () => {
    await makePublicPost(service, {
      title: 'Tides <b>',
      category: 'sea',
      tags: ['Moon', 'Water'],
      content:
        'See [bees](/posts/honey-bees), [them beside it](honey-bees?a=1#b), [the moon](../tags/moon), [here](#tides), [the API](/api/posts) and ![a picture](/images/generated/a.png).\n\n```js\nconst a = 1\n```'
    })
    await makePublicPost(service, { title: 'Honey bees', category: 'land', tags: ['Water'] })
    const picture = await upload(1000, 500)
    await service.db.query(`update posts set featured_image_url = $1 where slug = 'honey-bees'`, [picture])
    const file = path.join(tmpdir(), `imprint-${process.pid}.md`)
    writeFileSync(file, '# Imprint\n\nWho we are.\n')
    for (const argv of [
      ['set', 'imprint', '--file', file],
      ['approve', 'imprint']
    ])
      await runCommand(service.kernel, 'pages', ...argv)
    rmSync(file)
    await run('rebuild')
    const found = pages().filter(file => !/^archive\/.*\//.test(file))
    assert.deepEqual(
      found.sort(),
      [
        '404.html',
        'archive/index.html',
        ...['land', 'sea'].map(slug => `categories/${slug}/2026/index.html`),
        ...['land', 'sea'].map(slug => `categories/${slug}/index.html`),
        'index.html',
        'pages/imprint/index.html',
        'posts/honey-bees/index.html',
        'posts/tides-b/index.html',
        ...['moon', 'water'].map(slug => `tags/${slug}/2026/index.html`),
        ...['moon', 'water'].map(slug => `tags/${slug}/index.html`)
      ]
        .map(file => file.replace('2026', String(new Date().getUTCFullYear())))
        .sort()
    )
    assert.deepEqual(brokenLinks(), [])
    // What only the service has is linked there.
    assert.match(read('posts/tides-b/index.html'), /<script defer src="https?:\/\/[^"/]+\/api\/analytics\/view\.js"/)
    const tides = read('posts/tides-b/index.html')
    assert.match(tides, /<h1>Tides &lt;b&gt;<\/h1>/)
    assert.match(tides, /<span class="hljs-keyword">const<\/span> a =/)
    assert.match(tides, /<a class="next" rel="next" href="\/posts\/honey-bees\/">/)
    // The page of a post is a folder: an address beside the post would lead into it.
    for (const [text, address] of [
      ['them beside it', '/posts/honey-bees/?a=1#b'],
      ['the moon', '/tags/moon/'],
      ['here', '#tides']
    ])
      assert.ok(tides.includes(` href="${address}"`) && tides.includes(`>${text}</a>`), text)
    // What only the service has is linked there.
    assert.ok(
      tides.includes(`href="${service.url}/api/posts"`) && tides.includes(`src="${service.url}/images/generated/a.png"`)
    )
    const narrower = `${picture.replace('.png', '-png-480.webp')} 480w`
    for (const page of ['posts/honey-bees/index.html', 'index.html', 'categories/land/index.html'])
      assert.match(read(page), new RegExp(`srcset="${narrower}, [^"]*" sizes="[^"]*" alt="" width="1000" height="500"`))
    assert.match(read('robots.txt'), /Sitemap: .*\/sitemap\.xml\nSitemap: .*\/sitemap-pages\.xml/)
    assert.equal((await run('verify')).findings, 0)
    await runCommand(service.kernel, 'pages', 'remove', 'imprint', '--yes')
    await run('refresh')
    assert.ok(!existsSync(path.join(folder, 'pages/imprint/index.html')))
    assert.doesNotMatch(pages().map(read).join(), /imprint/)
  })

  test('writes what shows a changed post, and nothing else', async () => {
    await insertPosts(900)
    await run('rebuild')
    assert.deepEqual(brokenLinks(), [])
    const earlier = times()
    await service.db.query(`update posts set title = 'New', revision = revision + 1 where slug = 'page-300'`)
    await run('refresh')
    const written = [...times()].filter(([file, time]) => earlier.get(file) !== time).map(([file]) => file)
    assert.deepEqual(
      written.filter(file => file.startsWith('posts/') && file.endsWith('.html')).sort(),
      ['page-299', 'page-300', 'page-301'].map(slug => `posts/${slug}/index.html`)
    )
    assert.ok(written.length < 20, written.join())
    assert.match(read('posts/page-299/index.html'), />New<\/bdi>/)
  })

  test('shows related posts by the hundred, so that a withdrawal waits for few pages', async () => {
    await insertPosts(210)
    await run('rebuild')
    const { db, kernel } = service
    const search = kernel.service(PostSearchService)
    const staticExport = kernel.service(ExportService)
    assert.ok(search && staticExport)
    const runs: { written: number; naming: number }[] = []
    const refresh = async (signal: AbortSignal) => {
      // The job is about to go on: half of the posts are still to be related.
      if (runs.length === 1) await db.query(`update posts set status = 'archived' where slug = 'page-150'`)
      const earlier = times()
      const report = await staticExport.refresh(signal)
      const written = pages().filter(file => file.startsWith('posts/') && earlier.get(file) !== times().get(file))
      const naming = allFiles().filter(file => /page-150\b/i.test(read(file)))
      runs.push({ written: written.length, naming: naming.length })
      return report
    }
    const job = relateJob({ db, enqueue: kernel.jobs.enqueue, search, staticExport: { refresh } })
    const { signal } = new AbortController()
    await job.handle({} as never, { id: 'a', deliveryCount: 1, signal, recordProgress: async () => {} })
    // Those whose neighbour it was are written besides.
    for (const { written } of runs) assert.ok(written > 0 && written <= 110, `${written} pages`)
    const isNamed = runs.map(({ naming }) => naming > 0)
    assert.deepEqual([isNamed.shift(), isNamed.length > 1, isNamed.includes(true)], [true, true, false])
    const unrelated = await db.query('select from public_posts where post_id not in (select post_id from site_related)')
    assert.equal(unrelated.length, 0)
  })

  test('is at the address before /posts/ in post_url, and can be left out', async () => {
    await makePublicPost(service, { title: 'Tides' })
    const { set } = service.kernel.settings
    try {
      await set('post_url', 'https://blog.example/tide/posts/{slug}')
      await run('refresh')
      const home = read('index.html')
      assert.match(home, /<link rel="canonical" href="https:\/\/blog\.example\/tide\/">/)
      assert.match(home, /href="\/tide\/posts\/tides\/"/)
      await set('site_export', 'false')
      await run('refresh')
      assert.deepEqual(pages(), [])
      writeFileSync(path.join(folder, 'index.html'), 'mine')
      assert.equal((await run('verify')).findings, 0)
    } finally {
      await set('site_export', 'true')
      await set('post_url', '')
    }
  })
})

test('a withdrawn post is named nowhere, and another takes its place among the related', async () => {
  const worker = await startService()
  try {
    folder = path.join(worker.home, 'export')
    const titles = ['the moon', 'the sun', 'the wind', 'the shore', 'noon'].map(what => `Tides and ${what}`)
    for (const title of titles) await makePublicPost(worker, { title, category: 'sea', tags: ['Moon'] })
    const isThere = (slug: string) => existsSync(path.join(folder, `posts/${slug}/index.html`))
    const relatedOf = (slug: string) =>
      isThere(slug) ? (read(`posts/${slug}/index.html`).match(/<h3>/g) ?? []).length : 0
    const others = ['the-sun', 'the-wind', 'the-shore', 'noon'].map(what => `tides-and-${what}`)
    const isRelated = () => others.every(slug => relatedOf(slug) === 3)
    await until(isRelated, 'related posts')
    const [gone] = await worker.db.query<{ post_id: string }>(
      `select post_id from posts where slug = 'tides-and-the-moon'`
    )
    const names = (file: string) =>
      existsSync(path.join(folder, file)) && /tides-and-the-moon|Tides and the moon/.test(read(file))
    // The lists come after the pages of posts.
    const naming = () => allFiles().filter(file => file.endsWith('.html') && names(file))
    await until(() => naming().length > 6, 'lists that name it')
    await worker.bearer('POST', `/api/posts/${gone?.post_id}/unpublish`)
    await until(() => !allFiles().some(names), 'an export without it')
    await until(isRelated, 'another related post')
  } finally {
    await worker.close()
  }
})

test('a category that came after a run had read its lists is named all the same', async () => {
  await makePublicPost(service, { title: 'Tides', category: 'sea' })
  const published = service.kernel.service(PublishedPostsService)
  assert(published)
  const lists = { labels: async () => ({ categories: [], tags: [] }) }
  const posts = [{ category: 'sea' }, { category: null }]
  const found = await categoriesIn(lists, published, { db: service.db, posts })
  const [named] = await service.db.query<{ name: string }>("select name from categories where slug = 'sea'")
  assert.equal(found.get('sea')?.name, named?.name)
})
