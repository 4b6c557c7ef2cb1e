import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Files, notesOf, useImports } from './importing.ts'

const { folderOf, importFolder, postOf, slugsOf } = useImports()

/** A post with a date that has passed. */
const dated = (fields: string, text = 'Text.') => `---\ntitle: T\ndate: 2020-01-01\n${fields}\n---\n${text}`

/** What becomes public of a folder, by slugs, and the notes of the files. */
async function importedOf(files: Files) {
  const report = await importFolder(folderOf(files))
  return { published: (await slugsOf('published')).sort(), notes: (name: string) => notesOf(report, name) }
}

test('a draft is a draft in whatever words it says so', async () => {
  const flags = ['draft: yes', 'draft: On', 'draft: "y"', 'published: no', 'published: Off', 'published: "NO"']
  const files = flags.map((flag, index) => [`d${index}.md`, dated(flag)])
  const { published, notes } = await importedOf({
    ...Object.fromEntries(files),
    'shown.md': dated('draft: off\npublished: Yes'),
    'empty.md': dated('draft:\npublished: ""'),
    'maybe.md': dated('draft: maybe'),
    'list.md': dated('published: [no]')
  })
  assert.deepEqual(published, ['empty', 'shown'])
  assert.deepEqual(notes('maybe.md'), ['its draft is "maybe", neither true nor false, so it is a draft'])
  assert.deepEqual(notes('list.md'), ['its published is ["no"], neither true nor false, so it is a draft'])
})

test('a date in `published` is the date of the post, and hides it until then', async () => {
  const { published, notes } = await importedOf({
    'fuwari.md': '---\ntitle: T\npublished: 2024-05-01\n---\nText.',
    'toml.md': '+++\ntitle = "T"\npublished = 2024-05-02\n+++\nText.',
    'both.md': dated('published: 2024-05-01 10:00:00 +0200'),
    'ahead.md': dated('published: 2999-01-01'),
    'year.md': dated('published: 2024'),
    'words.md': dated('published: in May')
  })
  assert.deepEqual(published, ['both', 'fuwari', 'toml'])
  assert.equal((await postOf('fuwari')).published_at.slice(0, 10), '2024-05-01')
  assert.equal((await postOf('toml')).published_at.slice(0, 10), '2024-05-02')
  assert.equal((await postOf('both')).published_at.slice(0, 10), '2020-01-01')
  assert.deepEqual(notes('ahead.md'), ['its date has not come, so it is a draft'])
  assert.deepEqual(notes('year.md'), ['its published is 2024, neither true nor false, so it is a draft'])
  assert.deepEqual(notes('words.md'), ['its published is "in May", neither true nor false, so it is a draft'])
})

test('a post that waits for its day or has expired is a draft', async () => {
  const { published, notes } = await importedOf({
    'waits.md': dated('publishDate: 2999-01-01'),
    'expired.md': dated('expiryDate: 2021-01-01'),
    'withdrawn.md': dated('unpublishdate: 2021-01-01'),
    'unclear.md': dated('expiryDate: some day'),
    'expires.md': dated('expiryDate: 2999-01-01\npublishDate: 2019-01-01')
  })
  assert.deepEqual(published, ['expires'])
  assert.deepEqual(notes('waits.md'), ['its date has not come, so it is a draft'])
  assert.deepEqual(notes('expired.md'), ['it has expired, so it is a draft'])
  assert.deepEqual(notes('withdrawn.md'), ['it has expired, so it is a draft'])
  assert.deepEqual(notes('unclear.md'), ['"some day" is no date, so it is a draft'])
  assert.deepEqual(notes('expires.md'), ['it expires on "2999-01-01": unpublish it then'])
})

test('the names of dates and of what hides a post are written in many ways', async () => {
  const hiding = [
    'publish_date: 2999-01-01',
    'publish-date: 2999-01-01',
    'publishedAt: 2999-01-01',
    'publishDate: 2019-01-01\ndatePublished: 2999-01-01',
    'embargo: 2999-01-01',
    'expires: 2021-01-01',
    'status: on-hold',
    'status: coming soon',
    'status: [onHold]',
    'status: inProgress',
    'postStatus: draft',
    'post_status: private',
    'state: unpublish',
    'access: members',
    'members-only: true',
    'enabled: false',
    'dg-publish: false',
    'passphrase: tide',
    'hide: [toc, all]',
    'hide: true'
  ]
  const showing = [
    'hide: [navigation, toc]',
    'access: Open Access',
    'enabled: true',
    'show: Tides of Friday',
    'live: https://a.example',
    'access: free',
    'state: Ohio'
  ]
  const { published, notes } = await importedOf({
    ...Object.fromEntries(hiding.map((fields, index) => [`hidden-${index}.md`, dated(fields)])),
    ...Object.fromEntries(showing.map((fields, index) => [`shown-${index}.md`, dated(fields)])),
    'hexo.md': '---\ntitle: T\ndate: 2013/7/13 20:46:25\n---\nText.',
    'astro.md': '---\ntitle: T\npublished-at: 2020-01-02\nupdated_at: 2020-01-03\n---\nText.'
  })
  assert.deepEqual(published, ['astro', 'hexo', ...showing.map((_, index) => `shown-${index}`)])
  for (const index of hiding.keys()) assert.match(notes(`hidden-${index}.md`).join(), /, so it is a draft$/)
  assert.equal((await postOf('hexo')).published_at.slice(0, 10), '2013-07-13')
  const astro = await postOf('astro')
  assert.deepEqual([astro.published_at.slice(0, 10), astro.updated_at.slice(0, 10)], ['2020-01-02', '2020-01-03'])
})

test('a post that had no page is a draft', async () => {
  const { published, notes } = await importedOf({
    'never.md': dated('build:\n  render: never'),
    'link.md': dated('_build: {Render: link}'),
    'headless.md': dated('headless: true'),
    'no-address.md': dated('permalink: false'),
    'rendered.md': dated('build: {list: local, render: always}')
  })
  assert.deepEqual(published, ['rendered'])
  for (const name of ['never.md', 'link.md', 'headless.md', 'no-address.md'])
    assert.ok(notes(name).includes('its site made no page of it, so it is a draft'), name)
})

test('a fence may name its language, and one that cannot be read publishes nothing', async () => {
  const fenced = (name: string, fields: string) => `---${name}\n${fields}\n---\nText.`
  const report = await importFolder(
    folderOf({
      '2023-05-05-json.md': fenced('json', '{ "title": "T", "draft": true }'),
      '2023-05-06-toml.md': fenced('toml', 'title = "T"\npermalink = false'),
      '2023-05-07-yaml.md': fenced(' YAML', 'title: T\ndraft: true'),
      '2023-05-08-hexo.md': ';;;\n"title": "T",\n"published": false\n;;;\nText.',
      '2023-05-09-blank.md': `\n\n${fenced('', 'title: T\ndraft: true')}`,
      '2023-05-10-js.md': fenced('js', '{ title: "T", draft: true }'),
      '2023-05-11-open.md': '---\n# Of me\ntitle: T\ndraft: true\n\nText.',
      '2023-05-12-brace.md': '{ "title": "T", "draft": true\n\nText.',
      'shown.md': fenced('json', '{ "title": "Shown", "date": "2023-05-13" }'),
      '2023-05-14-rule.md': '---\n\nText below a rule.',
      '2023-05-15-words.md': '--- Words\n\nText.',
      '2023-05-16-long.md': '----\ntitle: T\npassword: abc\n----\nText.',
      '2023-05-17-comment.html.md': '<!--\n---\ntitle: T\ndraft: true\n---\n-->\nText.',
      '2023-05-18-link.md': '---\nhttps://example.org/ is nice.\n\nMore.',
      '2023-05-19-below.md': '\n\n---\n\nNote: it.\n\n---\n\nMore.'
    }),
    [],
    1
  )
  assert.deepEqual((await slugsOf('published')).sort(), ['below', 'link', 'rule', 'shown', 'words'])
  assert.deepEqual((await slugsOf('draft')).sort(), ['blank', 'comment-html', 'hexo', 'json', 'long', 'toml', 'yaml'])
  assert.equal((await postOf('shown')).title, 'Shown')
  assert.match((await postOf('below')).content, /Note: it\./)
  const unended = (end: string) =>
    `cannot be read (has front matter without an end: close it with ${end}, or write a rule as *** where it is text)`
  assert.deepEqual(
    report.notes.filter(({ kind }) => kind === 'failed').map(({ name, note }) => [name, note]),
    [
      ['2023-05-10-js.md', 'cannot be read (has front matter in "js": write it as YAML, TOML or JSON)'],
      ['2023-05-11-open.md', unended('---')],
      ['2023-05-12-brace.md', unended('}')]
    ]
  )
})

test('what themes and plugins hide by fields of their own is a draft, and a note names the field', async () => {
  const hiding = [
    ['isDraft: true', 'its isDraft is true'],
    ['status: draft', 'its status is "draft"'],
    ['publish: false', 'its publish is false'],
    ['public: no', 'its public is "no"'],
    ['private: true', 'its private is true'],
    ['visibility: private', 'its visibility is "private"'],
    ['password: hunter2', 'it has a password'],
    ['password: 1234', 'it has a password'],
    ['unlisted: true', 'its unlisted is true'],
    ['hidden: maybe', 'its hidden is "maybe"'],
    ['params:\n  private: true', 'its private is true'],
    ['params:\n  Hidden: true', 'its hidden is true'],
    ['extra: { is_hidden: true }', 'its is_hidden is true'],
    ['is_draft: true', 'its is_draft is true'],
    ['is-private: true', 'its is-private is true'],
    ['is_published: false', 'its is_published is false'],
    ['unpublished: true', 'its unpublished is true'],
    ['listed: false', 'its listed is false'],
    ['wip: true', 'its wip is true'],
    ['eleventyExcludeFromCollections: true', 'its eleventyExcludeFromCollections is true'],
    ['build: { list: never }', 'its site had it in no list'],
    ['status: "Draft 🌱"', 'its status is "Draft 🌱"'],
    ['status: in-progress', 'its status is "in-progress"'],
    ['status: false', 'its status is false'],
    ['status: [published, draft]', 'its status is ["published","draft"]'],
    ['visibility: members', 'its visibility is "members"'],
    ['publish: 0', 'its publish is 0']
  ] as const
  const open = [
    'status: Published',
    'visibility: public',
    'private: false',
    'isDraft: no\npassword: ""',
    'publish: true',
    'private: 0\nhidden: 0\nprotected: 0\nis_draft: 0',
    'public: 1\nlisted: "1"',
    'status: true',
    'visibility: [public]',
    'status: stable',
    'status: "Evergreen 🌳"',
    'publish: 2020-01-01',
    'build: { list: local }',
    'params: { private: false, status: done }'
  ]
  const { published, notes } = await importedOf({
    ...Object.fromEntries(hiding.map(([field], index) => [`hidden-${index}.md`, dated(field)])),
    ...Object.fromEntries(open.map((field, index) => [`open-${index}.md`, dated(field)])),
    'posts/posts.json': '{"private": true}',
    'posts/a.md': dated(''),
    'posts/b.md': dated('eleventyComputed: {private: false}'),
    'notes/notes.json': '{"is_hidden": true}',
    'notes/c.md': dated(''),
    'notes/d.md': dated('is_hidden: false')
  })
  assert.deepEqual(published, ['b', 'd', ...open.map((_, index) => `open-${index}`)].sort())
  for (const [index, [, why]] of hiding.entries())
    assert.deepEqual(notes(`hidden-${index}.md`), [`${why}, so it is a draft`])
  assert.deepEqual(notes('posts/a.md'), ['its private is true, so it is a draft'])
  assert.deepEqual(notes('notes/c.md'), ['its is_hidden is true, so it is a draft'])
})

test('a post with a part behind a password is a draft', async () => {
  const { published, notes } = await importedOf({
    'a.md': dated('', '{{% hugo-encryptor "pass" %}}\nsecret\n{{% /hugo-encryptor %}}'),
    'b.md': dated('', '```\n{{% hugo-encryptor "pass" %}}\n```')
  })
  assert.deepEqual(published, ['b'])
  assert.equal(notes('a.md')[0], 'a shortcode protects a part of it by a password, so it is a draft')
})

test('what Eleventy computes counts before what is written', async () => {
  const { published, notes } = await importedOf({
    'a.md': dated('eleventyComputed:\n  permalink: false'),
    'b.md': dated('draft: false\neleventyComputed: {draft: true}'),
    'c.md': dated('eleventyComputed:\n  draft: "{{ secret }}"'),
    'd.md': dated('eleventyComputed:\n  permalink: "{% if secret %}false{% endif %}"'),
    'e.md': dated('permalink: "{{ false if secret else slug }}"'),
    'f.md': dated('eleventyComputed:\n  title: "{{ x }}"\n  permalink: "/{{ title }}/"'),
    'i.md': dated(`permalink: "${'{'.repeat(20_000)}"`),
    'posts/posts.json': '{"eleventyComputed": {"permalink": false}}',
    'posts/g.md': dated('permalink: /g/'),
    'posts/h.md': dated('eleventyComputed: {permalink: /h/}')
  })
  assert.deepEqual(published, ['f', 'h'])
  assert.equal((await postOf('f')).title, 'T')
  assert.deepEqual(notes('c.md'), ['its draft is "{{ secret }}", neither true nor false, so it is a draft'])
  for (const name of ['d.md', 'e.md', 'i.md'])
    assert.ok(notes(name).includes('whether it had a page is in a template of its permalink, so it is a draft'), name)
})

const permalinks = {
  empty: [
    "{{ '' if secret else '/x/' }}",
    '{{ (not draft) and slug }}',
    '{{#if secret}}false{{else}}/x/{{/if}}',
    "<%= secret ? false : '/x/' %>",
    '{% if slug %}/blog/{{ slug }}/{% endif %}',
    '{% if a %}{% if b %}/b/{% endif %}{% else %}/a/{% endif %}',
    '{% unless secret %}/x/',
    '<% if (shown) { %>/x/<% } %>'
  ],
  sure: [
    '{% if slug %}/blog/{{ slug }}/{% else %}/blog/{{ page.fileSlug }}/{% endif %}',
    '/{% if lang %}{{ lang }}/{% endif %}x/',
    '{% if a %}{% if b %}/b/{% else %}/c/{% endif %}{% elsif d %}/d/{% else %}/a/{% endif %}',
    '{{#if lang}}/{{lang}}/{{else}}/en/{{/if}}',
    '{{ "terms-and-conditions" | url }}',
    '<%= slug %>'
  ]
}
test('a permalink of Eleventy that may be empty makes a draft, and one that has a text always does not', async () => {
  const { published, notes } = await importedOf({
    ...Object.fromEntries(
      Object.entries(permalinks).flatMap(([name, templates]) =>
        templates.map((template, index) => [`${name}-${index}.md`, dated(`permalink: ${JSON.stringify(template)}`)])
      )
    ),
    'object.md': dated('permalink:\n  build: false'),
    'built.md': dated('permalink:\n  build: /x/'),
    'perhaps.md': dated('permalink:\n  build: "{% if x %}/x/{% endif %}"')
  })
  assert.deepEqual(published, ['built', ...permalinks.sure.map((_, index) => `sure-${index}`)])
  for (const name of [...permalinks.empty.map((_, index) => `empty-${index}.md`), 'perhaps.md'])
    assert.ok(notes(name).includes('whether it had a page is in a template of its permalink, so it is a draft'), name)
  assert.deepEqual(notes('object.md'), ['its site made no page of it, so it is a draft'])
})

test('what Astro leaves out by its name is a draft', async () => {
  const { published, notes } = await importedOf({
    'src/content/blog/_wip.md': dated(''),
    'src/content/_later/deep/b.md': dated(''),
    'src/pages/_c/index.md': dated(''),
    'src/content/blog/d_e.md': dated(''),
    'src/_posts/f.md': dated(''),
    'content/_g.md': dated('')
  })
  assert.deepEqual(published, ['d-e', 'f', 'g'])
  for (const name of ['src/content/blog/_wip.md', 'src/content/_later/deep/b.md', 'src/pages/_c/index.md'])
    assert.deepEqual(notes(name).slice(-1), ['Astro leaves out what begins with _, so it is a draft'])
})

test('what other generators leave out is a draft', async () => {
  const toml = '+++\ntitle = "T"\ndate = 2020-01-01\n+++\nText.'
  const sites: Record<string, [Files, expected: string[]]> = {
    AstroPaper: [{ 'src/data/blog/_a.md': dated(''), 'src/data/blog/_more/b.md': dated('') }, ['b']],
    Docusaurus: [
      { 'docusaurus.config.ts': '', 'blog/_c.mdx': dated(''), 'blog/_d/d.md': dated(''), 'blog/e.md': dated('') },
      ['e']
    ],
    Eleventy: [
      {
        '.eleventyignore': '# Later\r\nposts/private/\nposts/secret-*.md\n./unready\n',
        'posts/private/f.md': dated(''),
        'posts/secret-g.md': dated(''),
        'unready/h.md': dated(''),
        'posts/i.md': dated('')
      },
      ['i']
    ],
    Hexo: [
      {
        '_config.yml': 'source_dir: source\nskip_render:\n- _posts/j.md\nignore: ["**/foo"]',
        'source/_posts/j.md': dated(''),
        'source/_posts/foo/k.md': dated(''),
        'source/_posts/l.md': dated('')
      },
      ['l']
    ],
    Hugo: [
      {
        'hugo.toml':
          'ignoreFiles = ["content/private/.*", "\\\\.raw\\\\.md$"]\n[languages.fr]\ndisabled = true\n[languages.de]\ndisabled = true\ncontentDir = "inhalt"',
        'content/private/m.md': dated(''),
        'content/posts/n.raw.md': dated(''),
        'content/posts/o.fr.md': dated(''),
        'inhalt/posts/p.md': dated(''),
        'content/posts/q.md': dated('')
      },
      ['q']
    ],
    'Hugo with a pattern that is not known': [
      { 'hugo.toml': 'ignoreFiles = ["^(r|s)"]', 'content/t.md': dated('') },
      []
    ],
    Zola: [
      {
        'config.toml': 'base_url = "https://z.example"',
        'content/u/_index.md': '+++\ndraft = true\n+++',
        'content/u/u.md': toml
      },
      []
    ]
  }
  const all: string[] = []
  for (const [name, [files, expected]] of Object.entries(sites)) {
    all.push(...expected)
    const { published, notes } = await importedOf(files)
    assert.deepEqual(published, all.toSorted(), name)
    for (const file of Object.keys(files))
      if (/\.mdx?$/.test(file) && !expected.includes(/(\w)\.\w+$/.exec(file)?.[1] ?? '') && !file.includes('_index'))
        assert.ok(
          notes(file).some(note => note.endsWith(', so it is a draft')),
          file
        )
  }
})

test('a text in a block that may hide it is a draft', async () => {
  const blocks = [
    '{% if site.preview %}secret{% endif %}',
    '{%- unless page.open -%}secret{%- endunless -%}',
    '{% capture later %}secret{% endcapture %}',
    '{{#if preview}}secret{{/if}}',
    '{{< private >}}secret{{< /private >}}',
    '{{% hide %}}secret{{% /hide %}}',
    '<div>\n\n    {% if site.preview %}secret{% endif %}\n</div>',
    '- a\n\n    {% if site.preview %}secret{% endif %}',
    '{% comment %}{% comment %}a{% endcomment %}secret{% endcomment %}'
  ]
  const indented = 'Of Twig:\n\n    {% if x %}{# why #}\n\n    {% endif %}\n\nAnd so on.'
  const shown = [
    indented,
    '`{% if x %}`',
    '```\n{% if x %}\n```',
    '{% raw %}{% if x %}{% endraw %}',
    '{% include if.html %}'
  ]
  const { published, notes } = await importedOf({
    ...Object.fromEntries(blocks.map((text, index) => [`hidden-${index}.md`, dated('', text)])),
    ...Object.fromEntries(shown.map((text, index) => [`shown-${index}.md`, dated('', text)])),
    '_posts/2020-01-01-page.html': dated('', '<p>a</p>{% if false %}<p>secret</p>{% endif %}')
  })
  assert.deepEqual(
    published,
    shown.map((_, index) => `shown-${index}`)
  )
  for (const name of [...blocks.map((_, index) => `hidden-${index}.md`), '_posts/2020-01-01-page.html'])
    assert.ok(notes(name).includes('a part of it is in a block that may hide it, as {% if … %} does, so it is a draft'))
})

test('fields that nothing encloses are text, and publish nothing', async () => {
  const { published, notes } = await importedOf({
    '2020-01-01-pelican.md': 'Title: T\nStatus: draft\n\nText.',
    '2020-01-02-org.md': '#+title: T\n#+draft: true\n\nText.',
    '2020-01-03-mac.md': '---\rtitle: T\rdraft: true\r---\rText.',
    '2020-01-04-shown.md': 'Tides: a title.\n\nTitle: none.',
    '2020-01-05-second.md': 'Lang: en\r\nSave_as: a.html\r\nStatus: draft\r\n\r\nText.',
    '2020-01-06-rst.md': ':lang: en\n:status: draft\n\nText.',
    '2020-01-07-nikola.md': '<!--\n.. link: a\n.. status: draft\n-->\n\nText.',
    '2020-01-08-heading.md': '# T\n\nLang: en\nStatus: draft\n\nText.',
    '2020-01-09-words.md': '# T\n\nSummary: the sea.\n\nAnd so on.'
  })
  assert.deepEqual(published, ['shown', 'words'])
  const drafts = ['01-pelican', '02-org', '05-second', '06-rst', '07-nikola', '08-heading']
  for (const name of drafts.map(each => `2020-01-${each}.md`))
    assert.ok(notes(name).includes('its text begins with fields that nothing encloses, so it is a draft'))
})

test('a folder of drafts has drafts, wherever the import begins', async () => {
  const folder = folderOf({ 'a.md': dated('') }, '_drafts')
  const report = await importFolder(folder)
  assert.deepEqual([report.published, notesOf(report, 'a.md')], [0, ['it lies in _drafts, so it is a draft']])
})

test('a site within the folder is not taken without its configuration', async () => {
  const folder = folderOf({ 'web/_config.yml': 'exclude: [private]', 'web/private/a.md': dated(''), 'b.md': dated('') })
  const report = await importFolder(folder, [], 1)
  assert.deepEqual([report.published, report.failed], [1, 1])
  assert.match(
    notesOf(report, 'web').join(),
    /a configuration of its own, _config\.yml, .* import that folder by itself/
  )
})

test('what the configuration of Jekyll says of posts counts where they do not say it', async () => {
  const config = `collections:
  notes: { output: yes }
  secrets: { output: no }
exclude: [old, "*.txt.md"]
include: [_Pages]
defaults:
  - scope: { path: "_posts/inner/seen" }
    values: { published: true, author: Ada }
  - scope: { path: "_posts/inner", type: posts }
    values: { published: no, categories: [Sea] }
  - scope: { path: "", type: notes }
    values: { author: Bob }
  - scope: { path: "blog/*/_posts" }
    values: { draft: true }
`
  const { published, notes } = await importedOf({
    '_config.yml': config,
    '_posts/2020-01-01-plain.md': dated(''),
    '_posts/inner/2020-01-01-hidden.md': dated(''),
    '_posts/inner/2020-01-01-own.md': dated('published: yes'),
    '_posts/inner/seen/2020-01-01-seen.md': dated(''),
    'blog/a/_posts/2020-01-01-drafted.md': dated(''),
    '_notes/note.md': dated(''),
    '_secrets/secret.md': dated(''),
    '_other/other.md': dated(''),
    '_Pages/page.md': dated(''),
    'old/excluded.md': dated(''),
    'a.txt.md': dated('')
  })
  assert.deepEqual(published, ['note', 'own', 'page', 'plain', 'seen'])
  assert.deepEqual([(await postOf('seen')).author, (await postOf('note')).author], ['Ada', 'Bob'])
  assert.equal((await postOf('own')).category, 'sea')
  assert.deepEqual(notes('_secrets/secret.md'), ['Jekyll shows nothing of _secrets, so it is a draft'])
  assert.deepEqual(notes('old/excluded.md'), ['_config.yml excludes it, so it is a draft'])
})

test('what a section of Hugo says of the pages below counts for them', async () => {
  const { published, notes } = await importedOf({
    'hugo.toml': 'baseURL = "https://a.example/"\n[[cascade]]\ndraft = true\n[cascade.target]\npath = "{/x,/y}/**"\n',
    'content/inner/_index.md': '---\ntitle: I\ncascade:\n  draft: yes\n---\n',
    'content/inner/a.md': dated(''),
    'content/inner/deep/b.md': dated(''),
    'content/inner/open/_index.md': '---\ncascade: { draft: false }\n---\n',
    'content/inner/open/c.md': dated(''),
    'content/y/d.md': dated(''),
    'content/z/_index.md':
      '+++\n[[cascade]]\n[cascade._target]\nkind = "section"\n[cascade.build]\nrender = "never"\n[[cascade]]\n[cascade.build]\nrender = "link"\n[cascade.target]\npath = "/z/e*"\n+++\n',
    'content/z/e1.md': dated(''),
    'content/z/f.md': dated(''),
    'content/bundle/index.md': dated(''),
    'content/bundle/aside.md': dated(''),
    'content/broken/_index.md': '---\ncascade: [\n---\n',
    'content/broken/g.md': dated(''),
    'content/theme/_index.md': '---\ncascade: { params: { private: true } }\n---\n',
    'content/theme/i.md': dated('params: { color: blue }'),
    'content/theme/j.md': dated('params: { private: false }'),
    'content/posts/_index.md': '---\ndraft: true\n---\n',
    'content/posts/h.md': dated('')
  })
  assert.deepEqual(published, ['bundle', 'c', 'f', 'h', 'j'])
  assert.deepEqual(notes('content/z/e1.md'), ['its site made no page of it, so it is a draft'])
  assert.deepEqual(notes('content/bundle/aside.md'), ['it is part of the page content/bundle, so it is a draft'])
  assert.deepEqual(notes('content/broken/g.md'), ['content/broken/_index.md cannot be read, so it is a draft'])
})

test('data of Eleventy beside posts count for them', async () => {
  const { published, notes } = await importedOf({
    'posts/posts.json': '{"tags": "post", "draft": true}',
    'posts/a.md': dated(''),
    'posts/b.md': dated('draft: false'),
    'posts/c.md': dated(''),
    'posts/c.11tydata.json': '{"draft": false}',
    'notes/notes.11tydata.json': '{"permalink": false}',
    'notes/d.md': dated(''),
    'broken/broken.json': '{"draft": ',
    'broken/e.md': dated(''),
    'other/data.json': '{"draft": true}',
    'other/f.md': dated(''),
    'other/other.11tydata.js': 'export default { draft: true }'
  })
  assert.deepEqual(published, ['b', 'c', 'f'])
  assert.deepEqual((await postOf('c')).tags, [])
  assert.deepEqual(notes('broken/e.md'), ['broken/broken.json cannot be read, so it is a draft'])
  assert.deepEqual(notes('other/other.11tydata.js'), [
    'is a program: what it says of the posts beside it does not count'
  ])
})

test('a configuration that cannot be read hides all posts', async () => {
  const many = `defaults:\n${'- { scope: { path: x }, values: { draft: true } }\n'.repeat(101)}`
  for (const [post, name, content] of [
    ['a.md', '_config.yml', 'defaults: ['],
    ['b.md', '_config.yml', many],
    ['c.md', 'hugo.toml', 'cascade = '],
    ['d.md', 'config/_default/permalinks.yaml', '- [']
  ] as const) {
    const { published, notes } = await importedOf({ [name]: content, [post]: dated('') })
    assert.deepEqual([published, notes(post)], [[], [`${name} cannot be read, so it is a draft`]])
  }
})

test('a text with an element that no browser showed is a draft', async () => {
  const { published, notes } = await importedOf({
    'element.md': dated('', 'Shown.\n\n<div class="a"\n  hidden>\n\nSecret\n\n</div>'),
    'style.md': dated('', 'Shown <span style="display: none">secret</span>.'),
    'jsx.mdx': dated('', "Shown <span style={{ display: 'none' }}>secret</span>."),
    'of-code.md': dated('', 'Shown.\n\n<div hidden>\n\n```\nsecret\n```\n\n</div>'),
    'of-ticks.md': dated('', 'Shown <span hidden>`secret`</span>.'),
    'of-link.md': dated('', 'Shown.\n\n<p hidden>{{< youtube secret >}}</p>'),
    'code.md': dated(
      '',
      'Write `<p hidden>` or \\<p hidden>x</p>:\n\n```html\n<p hidden>x</p>\n```\n\n<img alt="a hidden gem" src="https://x.example/a.png">'
    ),
    'anchor.md': dated('', 'A <a id="b" style="visibility: hidden"></a> place.')
  })
  assert.deepEqual(published, ['anchor', 'code'])
  for (const name of ['element.md', 'style.md', 'jsx.mdx', 'of-code.md', 'of-ticks.md', 'of-link.md'])
    assert.ok(notes(name).includes('a part of it is in an element that was hidden, so it is a draft'), name)
})
