import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Command, Terminal } from '#core'
import { loadPostGroup } from '../../../plugins/posts/commands/posts.ts'
import { type Harness, makePost, openPosts } from './harness.ts'

let harness: Harness
let commands: Record<string, Command<never, never>>
const folder = mkdtempSync(join(tmpdir(), 'galley-posts-'))
before(async () => {
  harness = await openPosts()
  commands = (await loadPostGroup(harness.components)) as unknown as typeof commands
})
after(async () => {
  rmSync(folder, { recursive: true })
  await harness.close()
})

/** What commands told beside their results. */
const notes: string[] = []

/** Runs a command with its arguments as the command line hands them over; answers its result. */
async function run(
  name: string,
  args: Record<string, unknown> = {},
  stdin = ''
): Promise<Record<string, unknown> & { items: { slug: string }[] }> {
  const definition = commands[name]
  assert.ok(definition)
  const defaults = Object.fromEntries(
    Object.entries(definition.args as Record<string, { default?: unknown; type: string }>).map(([key, arg]) => [
      key,
      arg.default ?? (arg.type === 'boolean' ? false : undefined)
    ])
  )
  const terminal = {
    cwd: folder,
    isInteractive: false,
    note: (text: string) => void notes.push(text),
    readStdin: async () => stdin
  } as unknown as Terminal
  const context = { args: { ...defaults, ...args }, isJson: true, terminal, actor: 'operator' }
  const result = (await definition.run(context as never)) as never
  assert.equal(typeof definition.text(result, terminal, context.args as never), 'string')
  return result
}

test('a post is made from stdin or a file and goes its way', async () => {
  const made = await run('create', { niche: 'gardens', media: 'podcast,short' }, '# Soil\n\nSoil lives.')
  assert.deepEqual([made.title, made.status, made.created], ['Soil', 'draft', true])
  assert.deepEqual(made.metadata, { media_to_generate: ['podcast', 'video_short'], niche_slug: 'gardens' })
  assert.match(String(made.preview_url), /^http:\/\/localhost:8000\/preview\/[\w-]{70}$/)
  assert.equal((await run('create', {}, '# Soil\n\nSoil lives.')).created, false)
  const post_id = String(made.post_id).slice(0, 8)
  assert.equal((await run('publish', { post_id })).status, 'published')
  assert.equal((await run('retitle', { post_id, title: ' Living  soil ' })).title, 'Living soil')
  assert.equal((await run('get', { slug: post_id })).title, 'Living soil')
  assert.equal((await run('search', { query: 'soil' })).total, 1)
  assert.deepEqual(await run('unpublish', { post_id }), { post_id: made.post_id, unpublished: true, status: 'draft' })
  assert.equal((await run('archive', { post_id })).status, 'archived')
  writeFileSync(join(folder, 'moss.md'), '# Moss\n\nMoss is old.')
  const moss = await run('create', {
    'from-file': 'moss.md',
    status: 'awaiting_approval',
    slug: 'moss',
    excerpt: 'Old moss.'
  })
  assert.deepEqual([moss.slug, moss.status, moss.excerpt], ['moss', 'awaiting_approval', 'Old moss.'])
  const list = await run('list', { status: 'awaiting_approval' })
  assert.deepEqual([list.items.map(post => post.slug), list.total], [['moss'], 1])
})

const forms: [name: string, file: string][] = [
  [
    'YAML',
    `---
title: "Tides: why?"
slug: tides-why-yaml
categories: [Science, Sea]
tags: [moon, "sun, stars"]
lang: pt-BR
authors: [{ name: Ann }, Bo]
description: Why the sea rises.
image: https://example.org/tides.png
date: 2026-11-01
---
# Not the title

The sea rises.`
  ],
  [
    'TOML',
    `+++
title = "Tides: why?"
slug = "tides-why-toml"
categories = ["Science", "Sea"]
tags = ["moon", "sun, stars"]
lang = "pt-BR"
authors = ["Ann", "Bo"]
description = "Why the sea rises."
image = "https://example.org/tides.png"
date = 2026-11-01
+++
# Not the title

The sea rises.`
  ],
  [
    'JSON',
    `{ "Title": "Tides: why?", "slug": "tides-why-json", "categories": ["Science", "Sea"], "tags": ["moon", "sun, stars"],
  "lang": "pt-BR", "authors": ["Ann", "Bo"], "description": "Why the sea rises.", "image": "https://example.org/tides.png",
  "date": "2026-11-01" }
# Not the title

The sea rises.`
  ]
]
for (const [name, file] of forms)
  test(`a post is made of a file with front matter in ${name}`, async () => {
    notes.length = 0
    const made = await run('create', { force: true }, file)
    const { title, slug, category, tags, language, author, excerpt, seo_description, featured_image_url } = made
    assert.deepEqual(
      { title, slug, category, tags, language, author, excerpt, seo_description, featured_image_url },
      {
        title: 'Tides: why?',
        slug: `tides-why-${name.toLowerCase()}`,
        category: 'science',
        tags: ['Sea', 'moon', 'sun, stars'],
        language: 'pt-BR',
        author: 'Ann, Bo',
        excerpt: 'Why the sea rises.',
        seo_description: 'Why the sea rises.',
        featured_image_url: 'https://example.org/tides.png'
      }
    )
    assert.equal(made.content, '# Not the title\n\nThe sea rises.')
    assert.deepEqual(notes, [
      'Not taken from the front matter: date.',
      'warning: the text begins with the heading "Not the title", which is not shown: the title "Tides: why?" stands there'
    ])
  })

test('flags take precedence over front matter, and a file with it edits a post', async () => {
  const file = '---\ntitle: One\nniche: gardens\nlang: fr\nimage: pictures/a.png\n---\nUn texte.'
  const made = await run('create', { force: true, title: 'Two', excerpt: 'Short.' }, file)
  assert.deepEqual([made.title, made.excerpt, made.language, made.content], ['Two', 'Short.', 'fr', 'Un texte.'])
  assert.equal(notes.at(-1), 'Not taken from the front matter: image.')
  writeFileSync(join(folder, 'edited.md'), '---\ntitle: Three\nauthor: Ann\ntags: a, b\n---\nUn autre texte.')
  const edited = await run('edit', { post_id: String(made.post_id), 'from-file': 'edited.md', author: 'Bo' })
  const { title, author, tags, content, language } = edited
  assert.deepEqual([title, author, tags, content, language], ['Three', 'Bo', ['a', 'b'], 'Un autre texte.', 'fr'])
})

test('front matter of several lines gives a post its fields of one line', async () => {
  const file =
    '---\ntitle: Lines\ndescription: |\n  Why the sea rises\n  twice a day.\nauthor: "Ada  Lovelace"\n---\nThe sea.'
  const { seo_description, author } = await run('create', { force: true }, file)
  assert.deepEqual([seo_description, author], ['Why the sea rises twice a day.', 'Ada Lovelace'])
})

test('a text that begins with another H1 changes the title, not the slug, and says so', async () => {
  const made = await run('create', { force: true }, '# Ropes\n\nRopes hold.')
  const post_id = String(made.post_id)
  const edit = async (text: string, flags: Record<string, unknown> = {}) => {
    writeFileSync(join(folder, 'ropes.md'), text)
    notes.length = 0
    const { title, slug, content } = await run('edit', { post_id, 'from-file': 'ropes.md', ...flags })
    assert.deepEqual([slug, content], [made.slug, text.replace(/^---[\s\S]*?---\n/, '')])
    return title
  }
  assert.equal(await edit('# A *new* heading\n\nRopes hold.'), 'A new heading')
  assert.deepEqual(notes, ['The title is now "A new heading"; it was "Ropes". The slug stays.'])
  assert.equal(await edit('# A new heading\n\nRopes hold well.'), 'A new heading')
  assert.deepEqual(notes, [])
  assert.equal(await edit('Ropes hold.\n\n# Below the text'), 'A new heading', 'readers see that heading')
  assert.deepEqual(notes, [])
  assert.equal(await edit('---\ntitle: Lines\n---\n# Knots\n\nHold.', { title: 'Cords' }), 'Cords')
  assert.match(notes[0] ?? '', /^The title is now "Cords"; it was "A new heading"/)
  assert.match(
    notes[1] ?? '',
    /^warning: the text begins with the heading "Knots", which is not shown: the title "Cords"/
  )
  // The heading is the one from before: it does not undo the title.
  assert.equal(await edit('# Knots\n\nHold well.'), 'Cords')
  assert.match(
    notes.join(),
    /^warning: the text begins with the heading "Knots", which is not shown: the title "Cords"/
  )
  await run('retitle', { post_id, title: 'Twine' })
  assert.equal(await edit('# Knots\n\nHold better.'), 'Twine')
  assert.equal(await edit('# Hitches\n\nHold best.'), 'Hitches')
  await assert.rejects(edit(`# ${'long '.repeat(80)}\n\nHold.`), {
    fields: { title: 'must have at most 300 characters' }
  })
})

test('a heading that a title leaves unseen in a new post is named', async () => {
  notes.length = 0
  await run('create', { force: true, title: 'Moss' }, '# Lichen\n\nIt grows.')
  assert.deepEqual(notes, [
    'warning: the text begins with the heading "Lichen", which is not shown: the title "Moss" stands there'
  ])
  notes.length = 0
  await run('create', { force: true, title: 'Lichen' }, '# Lichen\n\nIt grows.')
  await run('create', { force: true, title: 'Moss' }, 'It grows.\n\n# Lichen')
  assert.deepEqual(notes, [])
})

test('a line or a heading at the beginning of a text is no front matter', async () => {
  for (const text of ['---\n\n# Line\n\nText.', 'Note: soil lives\n---\n\n# Heading', '\n---\nno: field\n---\n# Blank'])
    assert.equal((await run('create', { force: true }, text)).content, text)
})

test('front matter that is none, or has what a post may not have, is refused with its reason', async () => {
  const before = (await run('list')).total
  const refused: [string, RegExp][] = [
    ['---\njust a line\n---\n# T', /from-file.*its front matter is no list of fields/],
    ['---\ntitle: [a\n---\n# T', /from-file.*cannot be read/],
    ['+++\ntitle = \n+++\n# T', /from-file.*cannot be read/],
    [`---\ntitle: ${'x'.repeat(70_000)}\n---\n# T`, /from-file.*at most 65536 are taken/],
    ['---\nlang: no language\n---\n# T', /language/],
    ['---\nslug: Not A Slug\n---\n# T', /slug/],
    [`---\ntitle: ${'x'.repeat(301)}\n---\nText`, /title/],
    ['---\ntitle: T\n---\n', /body/]
  ]
  for (const [text, fault] of refused)
    await assert.rejects(run('create', {}, text), (error: Error & { fields?: object }) => {
      assert.match(JSON.stringify(error.fields), fault)
      return true
    })
  assert.equal((await run('list')).total, before)
})

test('what cannot be read or made is refused and makes nothing', async () => {
  const before = (await run('list')).total
  writeFileSync(join(folder, 'binary'), Buffer.from([0xff, 0xfe, 0x00]))
  writeFileSync(join(folder, 'large'), 'x'.repeat(1024 * 1024 + 1))
  const refused: [string, Record<string, unknown>, string?][] = [
    ['create', {}],
    ['create', {}, 'no title here'],
    ['create', { title: 'T' }, 'a\0b'],
    ['create', { title: 'T' }, '\u200b \u2060'],
    ['create', { title: 'T\ud800' }, 'body'],
    ['create', { title: 'T', media: 'podcast,film' }, 'body'],
    ['create', { title: 'T', 'from-file': 'absent' }],
    ['create', { title: 'T', 'from-file': 'binary' }],
    ['create', { title: 'T', 'from-file': 'large' }],
    ['create', { title: 'T', 'from-file': '.' }],
    // Without an end: read unbounded it would fill the memory of the server that runs the command.
    ['create', { title: 'T', 'from-file': '/dev/zero' }],
    ['search', { query: ' ' }],
    ['publish', { post_id: 'short' }]
  ]
  for (const [name, args, stdin] of refused) {
    await assert.rejects(run(name, args, stdin), { code: 'VALIDATION_ERROR' }, JSON.stringify([name, args]))
  }
  for (const [query, fault] of [
    [' ', 'must not be blank'],
    ['🚀'.repeat(501), 'must have at most 500 characters; it has 501']
  ] as const) {
    await assert.rejects(run('search', { query }), { fields: { query: fault } })
  }
  const post_id = await makePost(harness)
  await assert.rejects(run('retitle', { post_id, title: ' ' }), { code: 'VALIDATION_ERROR' })
  await assert.rejects(run('get', { slug: 'nothing-here' }), { code: 'NOT_FOUND' })
  assert.equal((await run('list')).total, Number(before) + 1)
})
