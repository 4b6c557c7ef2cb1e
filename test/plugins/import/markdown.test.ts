import assert from 'node:assert/strict'
import { symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { notesOf, useImports } from './importing.ts'

const { service, folderOf, fileOf, run, importFolder, postOf, slugsOf } = useImports()

const hugo = `+++
title = "Sea & <b>salt</b>"
date = 2021-03-04T10:00:00+01:00
lastmod = 2022-05-06
slug = "salt"
tags = ["Sea", "Food"]
categories = ["Kitchen", "Science"]
aliases = ["/old/salt.html"]
description = "What salt is for."
draft = false
+++
Salt keeps **fish**.
`
const jekyll = `---
layout: post
title:  "Tides"
author: Ada Lovelace
tags: moon sea
category: Science
---
The sea rises.

{% highlight ruby %}
puts 1
{% endhighlight %}
`
const astro = `---
title: 'Moss'
description: 'Green'
pubDate: 'Jul 08 2022'
heroImage: 'https://example.org/moss.jpg'
---
Moss grows.
`

test('posts of Hugo, Jekyll and Astro keep slug, dates, author and labels', async () => {
  const folder = folderOf({
    'content/posts/salt.md': hugo,
    'content/posts/_index.md': '---\ntitle: Posts\n---\n',
    '_posts/2020-02-03-tides.md': jekyll,
    '_drafts/later.md': '---\ntitle: Later\n---\nNot yet.',
    'src/content/blog/moss/index.mdx': astro,
    'json.md': '{"title": "Rain", "date": "2019-01-02", "tags": ["Sky"], "draft": true}\n\nIt rains.'
  })
  const report = await importFolder(folder)
  const { imported, published, drafts, failed } = report
  assert.deepEqual([imported, published, drafts, failed], [5, 3, 2, 0])
  const salt = await postOf('salt')
  assert.equal(salt.title, 'Sea & <b>salt</b>')
  assert.equal(salt.published_at, '2021-03-04T09:00:00.000Z')
  assert.equal(salt.updated_at, '2022-05-06T00:00:00.000Z')
  assert.deepEqual(
    [salt.category, salt.tags, salt.excerpt],
    ['kitchen', ['Science', 'Sea', 'Food'], 'What salt is for.']
  )
  assert.equal(salt.content_html, '<p>Salt keeps <strong>fish</strong>.</p>\n')
  const tides = await postOf('tides')
  assert.deepEqual([tides.author, tides.tags, tides.category], ['Ada Lovelace', ['moon', 'sea'], 'science'])
  assert.equal(tides.published_at, '2020-02-03T00:00:00.000Z')
  assert.match(tides.content_html, /<code class="language-ruby">/)
  const moss = await postOf('moss')
  assert.deepEqual(
    [moss.published_at, moss.featured_image_url],
    ['2022-07-08T00:00:00.000Z', 'https://example.org/moss.jpg']
  )
  assert.deepEqual((await slugsOf('draft')).sort(), ['json', 'later'])
})

test('the operator’s approval is on record, and readers find what was imported', async () => {
  await importFolder(folderOf({ 'a.md': hugo }))
  const [row] = await service().db.query<{ is_approved: boolean; post_id: string }>(
    'select approved_hash = content_hash as is_approved, post_id from posts'
  )
  assert.equal(row?.is_approved, true)
  const { items } = JSON.parse((await service().run('gates', 'history', '--json')).out)
  assert.deepEqual(
    items.map((item: { decision: string; actor: string; reason: string }) => [item.decision, item.actor, item.reason]),
    [['approved', 'operator', 'imported from markdown']]
  )
  const history = await service().db.query<{ action: string }>('select action from post_history order by id')
  assert.deepEqual(
    history.map(({ action }) => action),
    ['submit', 'publish']
  )
  assert.equal((await service().anonymous('GET', '/api/posts/search?q=fish')).body.total, 1)
})

test('a former address leads to the post while it is public', async () => {
  await importFolder(folderOf({ 'a.md': hugo }))
  const get = (path: string, method = 'GET') => fetch(`${service().url}${path}`, { method, redirect: 'manual' })
  const moved = await get('/old/salt.html?from=mail')
  assert.deepEqual([moved.status, new URL(moved.headers.get('location') ?? '').pathname], [301, '/posts/salt'])
  assert.equal((await get('/old/salt.html', 'POST')).status, 404)
  assert.equal((await get('/old/%00')).status, 404)
  assert.equal((await get('/old/other.html')).status, 404)
  const [row] = await service().db.query<{ post_id: string }>('select post_id from posts')
  await service().run('posts', 'unpublish', row?.post_id ?? '')
  assert.equal((await get('/old/salt.html')).status, 404)
})

test('a former address below /episodes leads to its post, too; what else is not there is refused in JSON', async () => {
  await importFolder(folderOf({ 'a.md': hugo.replace('/old/salt.html', '/episodes/salt/') }))
  const get = (path: string) =>
    fetch(`${service().url}${path}`, { redirect: 'manual', headers: { accept: 'text/html' } })
  const moved = await get('/episodes/salt/')
  assert.deepEqual([moved.status, new URL(moved.headers.get('location') ?? '').pathname], [301, '/posts/salt'])
  const refused = await get('/episodes/other/')
  assert.deepEqual([refused.status, refused.headers.get('content-type')], [404, 'application/json; charset=utf-8'])
})

test('addresses by patterns of Jekyll lead to their posts', async () => {
  const folder = folderOf({
    '_config.yml': 'title: Sea\npermalink: /blog/:year/:i_month/:title/\n',
    '_posts/2020-02-03-Tides.md': '---\ntitle: Tides\n---\nThe sea rises.',
    'news/_posts/2020-2-4-storm.md': '---\ntitle: Storm\ncategories: [Sea]\npermalink: pretty\n---\nIt blows.',
    '_posts/2020-02-05-fog.md': '---\ntitle: Fog\npermalink: "/{{ page.title }}/"\n---\nNobody sees.'
  })
  const report = await importFolder(folder)
  const locationOf = async (address: string) =>
    (await fetch(`${service().url}${address}`, { redirect: 'manual' })).headers.get('location') ?? ''
  assert.match(await locationOf('/blog/2020/2/Tides/'), /\/posts\/tides$/)
  assert.match(await locationOf('/news/sea/2020/02/04/storm/'), /\/posts\/storm$/)
  assert.deepEqual(notesOf(report, '_posts/2020-02-05-fog.md'), [
    'its permalink has a pattern that is not known here: no redirect is stored'
  ])
})

test('a second run changes nothing, and a dry one stores nothing', async () => {
  const folder = folderOf({ 'a.md': hugo, 'b.md': astro })
  const dry = await importFolder(folder, ['--dry-run'])
  assert.deepEqual([dry.dry_run, dry.imported, dry.published], [true, 2, 2])
  assert.deepEqual(await slugsOf('published'), [])
  await importFolder(folder)
  const before = await service().db.query('select * from posts order by post_no')
  const again = await importFolder(folder)
  assert.deepEqual([again.imported, again.unchanged, again.redirects], [0, 2, 0])
  assert.deepEqual(await service().db.query('select * from posts order by post_no'), before)
  writeFileSync(path.join(folder, 'c.md'), jekyll)
  assert.deepEqual((({ imported, unchanged }) => [imported, unchanged])(await importFolder(folder)), [1, 2])
})

test('two imports of one folder at once store each post once', async () => {
  const files = Array.from({ length: 60 }, (_, n) => [`p${n}.md`, `---\ntitle: P ${n}\ndate: 2020-01-01\n---\nText.`])
  const folder = folderOf(Object.fromEntries(files))
  const reports = await Promise.all([importFolder(folder), importFolder(folder)])
  const sumOf = (count: 'imported' | 'unchanged') => reports.reduce((sum, report) => sum + report[count], 0)
  assert.deepEqual([sumOf('imported'), sumOf('unchanged')], [60, 60])
  const [row] = await service().db.query('select count(*) as posts, count(distinct slug) as slugs from posts')
  assert.deepEqual(row, { posts: 60, slugs: 60 })
})

test('a dry run notes what the real one will change, and counts the same', async () => {
  const dated = (slug: string, fields = '') => `---\ntitle: T\ndate: 2020-01-01\nslug: ${slug}\n${fields}\n---\nText.`
  await importFolder(folderOf({ 'first.md': dated('here') }))
  const folder = folderOf(
    {
      'a.md': dated('here'),
      'b.md': dated('same'),
      'c.md': dated('Same', 'aliases: [/x, /y]'),
      'd.md': dated('search')
    },
    'other'
  )
  const dry = await importFolder(folder, ['--dry-run'])
  assert.deepEqual(notesOf(dry, 'a.md'), ['its slug here is taken: it gets a random suffix'])
  assert.deepEqual(notesOf(dry, 'b.md'), [])
  assert.deepEqual(notesOf(dry, 'c.md'), ['its slug same is taken: it gets a random suffix'])
  assert.deepEqual(notesOf(dry, 'd.md'), ['its slug cannot be used: it gets a random one'])
  const { dry_run: _, notes, ...counts } = await importFolder(folder)
  const { dry_run, notes: expected, ...planned } = dry
  assert.deepEqual([dry_run, counts], [true, planned])
  const named = (list: typeof notes) => [...new Set(list.map(({ name }) => name))]
  assert.deepEqual(named(notes), named(expected))
})

test('the subscribers are told of imported posts when the run has ended, and no media are asked for', async () => {
  const waiting = async () =>
    service().db.query<{ at_once: boolean; skips: boolean }>(
      `select start_after <= now() as at_once, (data -> 'posts' -> 0 ->> 'skips_media') is not null as skips
       from jobs.job where name = 'posts.announce' and state = 'created' order by created_on`
    )
  await importFolder(folderOf({ 'a.md': hugo }))
  assert.deepEqual((await waiting()).at(-1), { at_once: true, skips: true })
  await importFolder(folderOf({ 'a.md': hugo }, 'other'), ['--media'])
  assert.deepEqual((await waiting()).at(-1), { at_once: true, skips: false })
})

test('nothing is published with a date that is none, is missing or has not come', async () => {
  const withDate = (date: string) => `---\ntitle: T\n${date}\n---\nText.`
  const report = await importFolder(
    folderOf({
      'never.md': withDate('date: 2021-02-30'),
      'none.md': withDate('x: y'),
      'soon.md': withDate('date: 2999-01-01'),
      'numbers.md': withDate('date: [1, 2]')
    })
  )
  assert.deepEqual([report.published, report.drafts], [0, 4])
  const notes = report.notes.map(({ note }) => note)
  assert.ok(notes.includes('"2021-02-30" is no date, so it is a draft'), String(notes))
  assert.ok(notes.includes('its date has not come, so it is a draft'), String(notes))
  assert.deepEqual(await slugsOf('published'), [])
})

test('hostile files are data, and what cannot be a post is named', async () => {
  const dated = (fields: string, text = 'Text.') => `---\ntitle: T\ndate: 2020-01-01\n${fields}\n---\n${text}`
  const folder = folderOf({
    'up.md': dated('slug: ../../etc/passwd\naliases: ["https://evil.example/../../x", "/y/%2e%2e/z"]'),
    'same-1.md': dated('slug: same'),
    'same-2.md': dated('slug: same'),
    'reserved.md': dated('slug: search'),
    'html.md': '---\ntitle: <script>alert(1)</script>\ndate: 2020-01-01\n---\n<script>alert(1)</script>Hi',
    'empty.md': '---\ntitle: T\ndate: 2020-01-01\n---\n',
    'bytes.md': Uint8Array.of(0x23, 0x20, 0xff, 0xfe),
    'large.md': 'x'.repeat(2_000_000),
    'broken.md': '---\ntitle: [\n---\nText.',
    'bomb.md': `---\na: &a [x]\nb: &b [${'*a,'.repeat(60)}*a]\nc: [${'*b,'.repeat(60)}*b]\n---\nText.`,
    'proto.md': '{"__proto__": {"title": "no"}, "constructor": {}}\nText.'
  })
  symlinkSync('/etc', path.join(folder, 'outside'))
  const report = await importFolder(folder, [], 1)
  const reasonOf = (name: string) => notesOf(report, name)[0] ?? ''
  assert.equal(reasonOf('outside'), 'is a link, and links are not followed')
  assert.equal(reasonOf('empty.md'), 'has no text')
  assert.equal(reasonOf('bytes.md'), 'is not UTF-8 text: convert it first')
  assert.match(reasonOf('large.md'), /^has 2000000 bytes; at most \d+ are taken$/)
  assert.match(reasonOf('broken.md'), /^cannot be read \(/)
  assert.match(reasonOf('bomb.md'), /^cannot be read \(/)
  const slugs = await slugsOf('published')
  for (const slug of slugs) assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/)
  assert.ok(slugs.includes('etc-passwd') && slugs.includes('same') && !slugs.includes('search'))
  assert.equal(slugs.filter(slug => /^same(-[a-z0-9]{5})?$/.test(slug)).length, 2)
  assert.equal((await postOf('html')).content_html, 'Hi')
  assert.deepEqual([report.failed, report.left], [5, 1])
})

test('long rows of blanks cost no post its time', async () => {
  const blanks = ' '.repeat(300_000)
  const report = await importFolder(
    folderOf({
      'heading.md': `---\ntitle: T\ndate: 2020-01-01\n---\nText.\n\n# a {#b}${blanks}x\n`,
      'link.md': `---\ntitle: T\ndate: 2020-01-01\n---\nText.\n\n{{< ref${blanks}\n`
    })
  )
  assert.deepEqual((await slugsOf('published')).sort(), ['heading', 'link'], JSON.stringify(report.notes))
})

test('a post without a language has that of its words, where they are certain and not the site’s', async () => {
  const german =
    'Die Regierung will in der nächsten Woche einen Vorschlag machen, wie die Gemeinden den jungen Leuten helfen können, eine Lehrstelle zu finden. Das sagte der Minister nach einem Gespräch mit den Gewerkschaften.'
  const english =
    'The government will present a proposal next week on how municipalities can help young people to find a place as an apprentice. The minister said so after talks with the unions.'
  const report = await importFolder(
    folderOf({
      'a.md': `---\ntitle: A\n---\n${german}`,
      'b.md': `---\ntitle: B\n---\n${english}`,
      'c.md': `---\ntitle: C\nlang: fr\n---\n${german}`,
      'd.md': `---\ntitle: D\n---\nKurz und gut.`,
      'e.md': `---\ntitle: E\n---\n${english}\n\n\`\`\`\n${german}${german}\n\`\`\``
    })
  )
  const stored = await service().db.query<{ title: string; language: string | null }>(
    'select title, language from posts order by title'
  )
  assert.deepEqual(
    stored.map(({ title, language }) => `${title} ${language}`),
    ['A de', 'B null', 'C fr', 'D null', 'E null']
  )
  assert.deepEqual(
    report.notes.filter(({ note }) => note.includes('language')).map(({ name, note }) => `${name}: ${note}`),
    ['a.md: it names no language: by its words it is de']
  )
})

test('a folder that cannot be read is named, with what to do', async () => {
  const file = fileOf('no folder')
  for (const [folder, why] of [
    ['/no/such', 'does not exist: give the folder that holds the posts'],
    [file, 'is no folder: give the one that holds the posts']
  ] as const) {
    const { status, err } = await run('markdown', folder)
    assert.deepEqual([status, JSON.parse(err).message], [2, `${folder} ${why}.`])
  }
})

test('posts of HTML become markdown, as Jekyll has them after its own import', async () => {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#07c' } })
    .png()
    .toBuffer()
  const html = [
    '<p>The <strong>sea</strong> rises &amp; falls, as in <a href="{{ site.baseurl }}{% post_url 2020-06-05-low %}">low</a>.</p>',
    '<h2>{{ page.title }}</h2>',
    '{% highlight ruby %}',
    'puts "<b>" if a < b && {{ c }}',
    '{% endhighlight %}',
    '<img src="{{ "/img/sea.png" | relative_url }}" alt="Sea"><!--more-->',
    '<p>{% include ad.html %}</p>'
  ].join('\n')
  const report = await importFolder(
    folderOf({
      '_posts/2020-06-04-high.html': `---\ntitle: High water\ntags: [sea]\n---\n${html}`,
      '_posts/2020-06-05-low.htm': '---\ntitle: Low water\n---\n<p>It falls.</p>',
      '_drafts/next.html': '<p>Soon.</p>',
      '_drafts/sub/after.html': '<p>Later.</p>',
      'img/sea.png': picture
    })
  )
  assert.deepEqual([report.published, report.drafts, report.images], [2, 2, 1])
  const { content, tags } = await postOf('high')
  assert.deepEqual(
    [tags, content.replace(/\/images\/[\w/]+\.\w+/, 'PICTURE')],
    [
      ['sea'],
      [
        'The **sea** rises & falls, as in [low](/2020/06/05/low.html).',
        '## High water',
        '```ruby\nputs "<b>" if a < b && {{ c }}\n```',
        '![Sea](PICTURE)',
        '{% include ad.html %}'
      ].join('\n\n')
    ]
  )
  const notes = report.notes.flatMap(({ name, note }) => (name.endsWith('high.html') ? [note] : []))
  assert.deepEqual(notes, ['shortcodes or Liquid tags stay in the text as they are'])
})

test('posts that are not markdown are named', async () => {
  const report = await importFolder(
    folderOf({
      'news/_posts/2020-06-05-b.textile': 'h1. Text',
      '_posts/2020-06-06-c.png': 'a picture',
      'content/posts/d.adoc': '= Text',
      'content/posts/e.html': '<p>Text</p>',
      'content/posts/_index.md': 'All posts.',
      'content/README.org': '* Text',
      'page.html': '<p>A page</p>'
    }),
    [],
    1
  )
  assert.deepEqual(
    report.notes.map(({ kind, name, note }) => [kind, name, note]),
    [
      ['left', 'content/README.org', 'has the name of a text about the folder: rename it, if it is a post'],
      ['left', 'content/posts/d.adoc', 'is no markdown: convert it first, if it is a post'],
      ['left', 'content/posts/e.html', 'is no markdown: convert it first, if it is a post'],
      ['failed', 'news/_posts/2020-06-05-b.textile', 'is no markdown: convert it first']
    ]
  )
})

test('what is wrong with the fields of a file is said in a whole sentence', async () => {
  const report = await importFolder(
    folderOf({
      'a.md': '---\ntitle: A\ntags: "x\n---\nText.',
      'b.md': '+++\ntitle =\n+++\nText.',
      'c.md': '{"title": \n x}\nText.'
    }),
    [],
    1
  )
  const notes = report.notes.map(({ note }) => note)
  assert.equal(notes[0], 'cannot be read (Missing closing "quote at line 2, column 9)')
  for (const note of notes) assert.match(note, /^cannot be read \(\S[^\n]*[^:\s]\)$/)
})

test('headings of markdown are one lower where one of the first level is not the title', async () => {
  const post = (title: string, text: string) => `---\ntitle: ${title}\ndate: 2020-01-01\n---\n${text}`
  const code =
    '```\n# a\n```\n\nText\n\n    # b\n    ```\n    - # c\n\n<pre>\n# d\n</pre>\n\n- e\n\n  ~~~\n  # f\n  ~~~'
  await importFolder(
    folderOf({
      'one.md': post('D', `# One\n\n${code}\n\n## Two\n\n# Three`),
      'same.md': post('Sea & salt', '# [Sea & salt](/salt)\n\n## Two\n\n# Three'),
      'lines.md': post('D', `One\n===\n\n${code}\n\nTwo\n---\nText\n\n---\n\n> # Three\n\n\tFour\n\t===`),
      'title.md': post('Sea', 'Sea\n===\n\nTwo\n---\n'),
      'none.md': post('""', 'Text\n\n# Moss\n\n## Two'),
      'low.md': post('D', `## Two\n\n${code}`)
    })
  )
  const contentOf = async (slug: string) => (await postOf(slug)).content
  assert.equal(await contentOf('one'), `## One\n\n${code}\n\n### Two\n\n## Three`)
  assert.match((await postOf('one')).content_html, /^<h2>One<\/h2>/)
  assert.equal(await contentOf('same'), '# [Sea & salt](/salt)\n\n### Two\n\n## Three')
  assert.equal(await contentOf('lines'), `One\n---\n\n${code}\n\n### Two\n\nText\n\n---\n\n> ## Three\n\n\tFour\n\t===`)
  assert.equal(await contentOf('title'), 'Sea\n===\n\nTwo\n---')
  assert.equal((await postOf('none')).title, 'Moss')
  assert.equal(await contentOf('low'), `## Two\n\n${code}`)
})
