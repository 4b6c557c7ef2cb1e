import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFiles } from '../../../plugins/import/markdown/find-files.ts'
import { globPattern } from '../../../plugins/import/markdown/site/glob.ts'
import { type Files, notesOf, useImports } from './importing.ts'

const { folderOf, importFolder, postOf, slugsOf } = useImports()

/** A post with a date that has passed. */
const dated = (fields = '') => `---\ntitle: T\ndate: 2020-01-01\n${fields}\n---\nText.`

/** What becomes public of a folder, by slugs, its report, and the notes of the files. */
async function importedOf(files: Files) {
  const report = await importFolder(folderOf(files))
  return { published: (await slugsOf('published')).sort(), report, notes: (name: string) => notesOf(report, name) }
}

test('JSON beside a post of Hugo or Jekyll is no data of Eleventy', async () => {
  const bundle = (name: string, json: string) => ({ [`${name}/${name}.json`]: json, [`${name}/index.md`]: dated() })
  for (const [config, prefix] of [
    ['hugo.toml', 'a'],
    ['_config.yml', 'b']
  ] as const) {
    const { report } = await importedOf({
      [config]: '',
      ...bundle(`${prefix}1`, '[1, 2]'),
      ...bundle(`${prefix}2`, '{"draft": true}'),
      ...bundle(`${prefix}3`, '{"broken": ')
    })
    assert.deepEqual([report.published, report.notes], [3, []])
  }
})

test('JSON that is no object says nothing of posts', async () => {
  const { published } = await importedOf({
    'posts/map/map.json': '[1, 2]',
    'posts/map/index.md': dated(),
    'posts/note.json': '7',
    'posts/note.md': dated()
  })
  assert.deepEqual(published, ['map', 'note'])
})

test('a configuration of Eleventy has its data read, whatever other systems left there', async () => {
  const { published } = await importedOf({
    '_config.yml': 'title: Left by Jekyll',
    'eleventy.config.mjs': 'export default {}',
    'inner/inner.json': '{"draft": true}',
    'inner/a.md': dated()
  })
  assert.deepEqual(published, [])
})

test('data of Eleventy with a value that nobody writes count as unreadable', async () => {
  const { published, notes } = await importedOf({
    'posts/a.json': JSON.stringify({ author: { name: 'Ada', more: 'x'.repeat(20_000) } }),
    'posts/a.md': dated(),
    'posts/b.json': JSON.stringify({ author: { name: 'Ada' }, features: 'x'.repeat(400_000) }),
    'posts/b.md': dated()
  })
  assert.deepEqual([published, (await postOf('b')).author], [['b'], 'Ada'])
  assert.deepEqual(notes('posts/a.md'), ['posts/a.json cannot be read, so it is a draft'])
})

test('sections and data count among the files of a folder', async () => {
  const folder = folderOf({ 'a.md': dated(), 'a.json': '{}', 'x/_index.md': '', 'y/_index.md': '' })
  assert.equal((await findFiles(folder, { maxFiles: 4 })).posts.length, 1)
  await assert.rejects(findFiles(folder, { maxFiles: 3 }), { fields: { folder: 'has more than 3 files' } })
})

test('what Jekyll excludes by a prefix or a pattern is a draft', async () => {
  const exclude = [
    '*-wip.md',
    '_posts/2019',
    '_posts/[0-9]*-sec.md',
    '/drawer/',
    'deep*end',
    '_posts/????-02-*',
    'x\\*y',
    '[!a-z]z'
  ]
  const { published, notes } = await importedOf({
    '_config.yml': `exclude: ${JSON.stringify(exclude)}\n`,
    '_posts/2020-01-01-a-wip.md': dated(),
    '_posts/2019-05-05-old.md': dated(),
    '_posts/2020-01-02-sec.md': dated(),
    '_posts/2020-02-02-second.md': dated(),
    'drawer/b.md': dated(),
    'deep/in/the/end/c.md': dated(),
    'x*y.md': dated(),
    '9z/d.md': dated(),
    '_posts/2020-01-03-open.md': dated(),
    'drawers/e.md': dated(),
    'xay.md': dated(),
    'az/f.md': dated()
  })
  assert.deepEqual(published, ['e', 'f', 'open', 'xay', 'x-y'].sort())
  assert.deepEqual(notes('_posts/2020-01-01-a-wip.md'), ['_config.yml excludes it, so it is a draft'])
})

test('a pattern of Jekyll with a sign that is not known excludes all', async () => {
  const { published } = await importedOf({ '_config.yml': 'exclude: ["[a-"]\n', 'b.md': dated() })
  assert.deepEqual(published, [])
})

test('a pattern of many stars takes no longer than another', async () => {
  // Each of these paths took seconds.
  const isMeant = globPattern(`${'*'.repeat(499)}z`)
  const paths = Array.from({ length: 20_000 }, (_, index) => `${'a'.repeat(250)}${index % 2 === 0 ? 'z' : 'y'}`)
  assert.equal(paths.filter(isMeant).length, 10_000)
  const isOfFolder = globPattern('/posts/***/{a,b}*')
  assert.deepEqual(['/posts/x/y/a1', '/posts/x/b', '/posts/x/b/c', '/posts/x/c'].map(isOfFolder), [
    true,
    true,
    false,
    false
  ])
})

test('a pattern with more stars than anybody writes is met by all', async () => {
  const { published } = await importedOf({
    'hugo.toml': `[[cascade]]\ndraft = true\n[cascade.target]\npath = "${'/*a'.repeat(100)}"\n`,
    'content/a.md': dated()
  })
  assert.deepEqual(published, [])
})

test('a configuration of Jekyll that excludes more than anybody writes counts as unreadable', async () => {
  const excluding = (count: number) =>
    `exclude: [${Array.from({ length: count }, (_, index) => `x${index}`).join(', ')}]\n`
  const { published } = await importedOf({ '_config.yml': excluding(200), 'a.md': dated() })
  assert.deepEqual(published, ['a'])
  const { notes } = await importedOf({ '_config.yml': excluding(201), 'b.md': dated() })
  assert.deepEqual(notes('b.md'), ['_config.yml cannot be read, so it is a draft'])
})

test('a site with more cascades than anybody writes counts as unreadable', async () => {
  const cascade = JSON.stringify(Array.from({ length: 200 }, () => ({ params: { a: 1 } })))
  const sections = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`content/s${index}/_index.md`, `---\ncascade: ${cascade}\n---\n`])
    )
  const { published } = await importedOf({ 'hugo.toml': '', 'content/a.md': dated(), ...sections(10) })
  assert.deepEqual(published, ['a'])
  const { notes } = await importedOf({ 'hugo.toml': '', 'content/b.md': dated(), ...sections(11) })
  assert.deepEqual(notes('content/b.md'), ['a site with more than 2000 cascades cannot be read, so it is a draft'])
})

test('of a configuration with several documents the first counts', async () => {
  for (const [name, config] of [
    ['a', '---\ntitle: x\nexclude: [old]\n---\n'],
    ['b', 'exclude: [old]\n---\nexclude: [\n'],
    ['c', '---\nexclude: [old]\n...\n']
  ] as const) {
    const { published, notes } = await importedOf({
      '_config.yml': config,
      [`${name}.md`]: dated(),
      [`old/${name}-old.md`]: dated()
    })
    assert.ok(published.includes(name), name)
    assert.deepEqual(notes(`old/${name}-old.md`), ['_config.yml excludes it, so it is a draft'])
  }
})

test('a configuration that may be of another program hides posts only where the site is one of Hugo', async () => {
  const broken = { 'config.json': '{ // a comment\n}' }
  const { published } = await importedOf({ ...broken, 'posts/a.md': dated() })
  assert.deepEqual(published, ['a'])
  for (const [post, files] of [
    ['content/b.md', {}],
    ['posts/c.md', { 'hugo.toml': '' }],
    ['posts/d.md', { 'config/_default/hugo.toml': '' }]
  ] as const) {
    const { notes } = await importedOf({ ...broken, ...files, [post]: dated() })
    assert.deepEqual(notes(post), ['config.json cannot be read, so it is a draft'])
  }
})

test('files beside posts do not fail an import', async () => {
  const { report, published } = await importedOf({
    'source/_posts/hello.md': dated(),
    'source/_posts/hello/demo.html': '<p>A demo</p>',
    '_posts/notes.txt': 'Notes',
    'content/posts/page.html': '<p>A page</p>',
    'content/posts/a.md': dated(),
    'content/tool/help.html': '<p>Help</p>',
    'assets/content/style.html': '<p>Style</p>',
    'assets/content/b.md': dated(),
    '_posts/assets/2020-demo.html': '<p>A demo</p>'
  })
  assert.deepEqual([published.toSorted(), report.failed], [['a', 'b', 'hello'], 0])
  assert.deepEqual(
    report.notes.map(({ kind, name, note }) => [kind, name, note]),
    [
      '_posts/assets/2020-demo.html',
      '_posts/notes.txt',
      'content/posts/page.html',
      'source/_posts/hello/demo.html'
    ].map(name => ['left', name, 'is no markdown: convert it first, if it is a post'])
  )
  const unread = { '_posts/2020/20-1-2-a.rst': 'A', '_drafts/b.txt': 'B', '_drafts/c/d.textile': 'D' }
  const { failed } = await importFolder(folderOf(unread), [], 1)
  assert.equal(failed, 3)
})

test('posts with another ending of markdown, or the name of a text about a folder, are there', async () => {
  const { report, published } = await importedOf({
    '_posts/2020-01-01-a.mkdown': dated(),
    '_posts/2020-01-01-b.mkd': dated(),
    '_posts/2020-01-01-c.mkdn': dated(),
    'content/posts/security.md': dated(),
    'content/posts/claude.md': dated(),
    'content/posts/changelog/index.md': dated(),
    'content/README.md': '# About',
    'CHANGELOG.md': '# Changes'
  })
  assert.deepEqual(published, ['a', 'b', 'c', 'changelog', 'claude', 'security'])
  assert.deepEqual(
    report.notes.map(({ kind, name, note }) => [kind, name, note]),
    ['CHANGELOG.md', 'content/README.md'].map(name => [
      'left',
      name,
      'has the name of a text about the folder: rename it, if it is a post'
    ])
  )
})

test('what ends a name is a language only where there is such a language', async () => {
  const { published } = await importedOf({ 'what-is-node.js.md': dated(), 'sea.pt-br.md': dated() })
  assert.deepEqual(published, ['sea-pt-br', 'what-is-node-js'])
  assert.deepEqual([(await postOf('what-is-node-js')).language, (await postOf('sea-pt-br')).language], ['en', 'pt-br'])
})
