import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedPaths } from '../../../plugins/import/former-path.ts'
import { expandHugoPermalink } from '../../../plugins/import/markdown/hugo-permalink.ts'
import { ghostExport, ghostPost, wordpressExport, wordpressItem } from './exports.ts'
import { type Files, notesOf, useImports } from './importing.ts'

const { service, folderOf, importExport, importFolder, postOf, withPublicUrl } = useImports()

const post = (fields = '', text = 'Text.') => `---\ntitle: T\n${fields}\n---\n${text}`
const dated = (fields = '', text?: string) => post(`date: 2020-03-04\n${fields}`, text)

/** Imports a folder. @returns where an address leads, and the notes of a file */
async function imported(files: Files) {
  const report = await importFolder(folderOf(files))
  return {
    pathOf: async (address: string) => {
      const { headers } = await fetch(`${service().url}${address}`, { redirect: 'manual' })
      return new URL(headers.get('location') ?? '/none', service().url).pathname
    },
    notes: (name: string) => notesOf(report, name)
  }
}

const page = { file: 'content/posts/a/Tide.md', name: 'Tide', title: 'Sea & Salt!', ownSlug: null, date: '2021-01-03' }
for (const [pattern, address] of [
  ['/:year/:month/:day/:slug/', '/2021/01/03/sea-salt/'],
  [':monthname/:yearday/:weekday/:weekdayname', '/January/3/0/Sunday'],
  ['/:section/:sections/:title', '/posts/posts/a/sea-salt'],
  ['/:slugorfilename/:slugorcontentbasename/:contentbasename/:filename', '/tide/tide/tide/tide'],
  ['/:sections[1:]/:title', null],
  ['/:unknown/', null]
] as const)
  test(`the pattern ${pattern} of Hugo stands for ${address}`, () =>
    assert.equal(expandHugoPermalink(pattern, page), address))

test('addresses by patterns of Hugo lead to their posts', async () => {
  const { pathOf, notes } = await imported({
    'hugo.yaml': 'baseURL: https://a.example/blog/\n',
    'config/_default/permalinks.toml': '[page]\nother = "/o/:weekday/:title/"\nstrange = "/:moon/"\n',
    'content/free/2020-01-02-c.md': dated(),
    'content/other/d.md': dated(),
    'content/strange/e.md': dated()
  })
  assert.equal(await pathOf('/o/3/t/'), '/posts/d')
  assert.equal(await pathOf('/free/2020-01-02-c/'), '/posts/c')
  assert.equal(await pathOf('/blog/free/2020-01-02-c/'), '/posts/c')
  assert.deepEqual(notes('content/strange/e.md'), [
    'its permalink has a pattern that is not known here: no redirect is stored'
  ])
})

test('addresses by patterns of Hugo are read from one file, too', async () => {
  const { pathOf } = await imported({
    'config.toml': 'baseURL = "/"\n[permalinks]\nPosts = "/:year/:slug/"\n[permalinks.page]\nnotes = "/n/:filename/"\n',
    'content/posts/a.md': dated('slug: own'),
    'content/posts/x.de.md': dated('slug: eigen'),
    'content/notes/2020-01-02-b.md': dated()
  })
  assert.equal(await pathOf('/2020/own/'), '/posts/own')
  assert.equal(await pathOf('/de/2020/eigen/'), '/posts/eigen-de')
  assert.equal(await pathOf('/n/2020-01-02-b/'), '/posts/b')
})

test('addresses that Hugo makes without a pattern lead to their posts', async () => {
  const { pathOf } = await imported({
    'hugo.toml': 'baseURL = "/"\n[permalinks]\nnotes = "/n/:filename/"\n',
    'content/My Trips/My First  Post!.md': dated(),
    'content/essays/Été.md': dated(),
    'content/essays/b.md': dated('slug: My Own'),
    'content/essays/c/index.en.md': dated(),
    'content/essays/c/index.de.md': dated(),
    'content/notes/d.en.md': dated()
  })
  assert.equal(await pathOf('/my-trips/my-first-post/'), '/posts/my-first-post')
  assert.equal(await pathOf('/essays/%C3%A9t%C3%A9/'), '/posts/ete')
  assert.equal(await pathOf('/essays/my-own/'), '/posts/my-own')
  assert.equal(await pathOf('/essays/c/'), '/posts/c-en')
  assert.equal(await pathOf('/de/essays/c/'), '/posts/c-de')
  assert.equal(await pathOf('/n/d/'), '/posts/d-en')
})

for (const [config, addresses] of [
  ['defaultContentLanguage = "de"', ['/essays/c', '/en/essays/c']],
  ['defaultContentLanguage = "de"\ndefaultContentLanguageInSubdir = true', ['/de/essays/c', '/en/essays/c']]
] as const)
  test(`Hugo has its languages at ${addresses.join(' and ')} by ${config.replace('\n', ' and ')}`, async () => {
    const { pathOf } = await imported({
      'hugo.toml': config,
      'content/essays/c.de.md': dated(),
      'content/essays/c.en.md': dated()
    })
    assert.deepEqual(await Promise.all(addresses.map(pathOf)), ['/posts/c-de', '/posts/c-en'])
  })

test('the zone that Jekyll names decides the day in addresses, and when a date without an offset is', async () => {
  const { pathOf } = await imported({
    '_config.yml': 'timezone: Europe/Berlin\nbaseurl: /blog\n',
    '_posts/2020-06-01-late.md': post('date: 2020-06-01 23:30 -0500'),
    '_posts/2020-06-01-early.md': post('date: 2020-06-01 00:30')
  })
  assert.equal(await pathOf('/2020/06/02/late.html'), '/posts/late')
  assert.equal(await pathOf('/blog/2020/06/02/late.html'), '/posts/late')
  assert.equal(await pathOf('/2020/06/01/early.html'), '/posts/early')
  assert.equal((await postOf('late')).published_at, '2020-06-02T04:30:00.000Z')
  assert.equal((await postOf('early')).published_at, '2020-05-31T22:30:00.000Z')
})

/** Where the links of a post lead, in their order. */
const linksOf = async (slug: string): Promise<string[]> =>
  [...(await postOf(slug)).content_html.matchAll(/href="([^"]*)"/g)].map(([, address = '']) => address)

test('links of Hugo lead to the addresses that are stored for their files', async () => {
  const refs = [
    'ref "hl.md"',
    'ref "posts/hl.md#part"',
    'relref "sub/nested.md#sec"',
    'relref "/posts/hl"',
    'ref path="lone"',
    'ref "#own"',
    'ref "posts/gone.md#x"',
    'ref "twice.md"',
    'ref "Two Words.md#the end"',
    'relref path=`/posts/Two Words`',
    'ref "Not Here.md"'
  ]
  const text = refs.map(ref => `[a]({{< ${ref} >}})`).join(' ')
  const { notes, pathOf } = await imported({
    'hugo.toml': '[permalinks]\nposts = "/:year/:slug/"\n',
    'content/posts/hn.md': dated('slug: hn', text),
    'content/posts/hl.md': dated('slug: own'),
    'content/posts/hl.de.md': dated('slug: eigen'),
    'content/posts/Two Words.md': dated('slug: two'),
    'content/posts/sub/nested.md': dated('url: /n(1)/'),
    'content/other/lone/index.md': dated(),
    'content/x/twice.md': dated(),
    'content/y/twice.md': dated()
  })
  assert.deepEqual(await linksOf('hn'), [
    '/2020/own/',
    '/2020/own/#part',
    '/n%281%29/#sec',
    '/2020/own/',
    '/other/lone',
    '#own',
    '/posts/gone#x',
    '/twice',
    '/2020/two/#the%20end',
    '/2020/two/',
    '/Not%20Here'
  ])
  assert.equal(await pathOf('/n%281%29/'), '/posts/nested')
  assert.deepEqual(notes('content/posts/hn.md'), [
    'links to pages without a known address: "posts/gone.md", "twice.md", "Not Here.md"'
  ])
})

test('a link to a page whose old address is that of another post here takes a further address, or is noted', async () => {
  const { notes } = await imported({
    'hugo.toml': 'baseURL = "/"\n',
    'content/notes/hello.md': dated(),
    'content/notes/known.md': dated(),
    'content/posts/hello.md': dated(),
    'content/posts/known.md': dated('aliases: [/was/known/]'),
    'content/posts/alone.md': dated(),
    'content/x/alone.md': dated(),
    'content/posts/linker.md': dated(
      '',
      ['posts/hello.md', 'notes/hello.md', 'posts/known.md', 'posts/alone.md']
        .map(file => `[a]({{< ref "/${file}" >}})`)
        .join(' ')
    )
  })
  assert.deepEqual(await linksOf('linker'), ['/posts/hello', '/notes/hello', '/was/known/', '/posts/alone'])
  assert.deepEqual(notes('content/posts/linker.md'), [
    'links to pages whose old address is that of another post here: "content/posts/hello.md"'
  ])
})

test('links of Jekyll lead to the addresses that are stored for their files', async () => {
  const links = [
    'post_url 2020-07-02-target',
    'post_url news/2020-07-03-other',
    'link _posts/2020-07-02-target.md',
    'link about.md',
    'link _posts/2020-07-05-page.html',
    'link files/a.pdf',
    'post_url 2019-01-02-gone'
  ]
  const { notes } = await imported({
    '_config.yml': 'permalink: pretty\n',
    '_posts/2020-07-04-linker.md': post('', links.map(link => `[a]({% ${link} %})`).join(' ')),
    '_posts/2020-07-02-target.md': post('permalink: /perma-target/'),
    'news/_posts/2020-07-03-other.md': post(),
    'about.md': dated(),
    '_posts/2020-07-05-page.html': post('permalink: /its-page/')
  })
  assert.deepEqual(await linksOf('linker'), [
    '/perma-target/',
    '/news/2020/07/03/other/',
    '/perma-target/',
    '/about',
    '/its-page/',
    '/files/a.pdf',
    '/2019/01/02/gone.html'
  ])
  assert.deepEqual(notes('_posts/2020-07-04-linker.md'), ['links to pages without a known address: "2019-01-02-gone"'])
})

test('addresses of collections of Jekyll lead to their posts', async () => {
  const config = 'collections:\n  guides: { output: true, permalink: "/g/:name/" }\n  Notes: { output: true }'
  const { pathOf } = await imported({
    '_config.yml': config,
    '_guides/a/reef.md': dated(),
    '_Notes/b/kelp.md': dated()
  })
  for (const [address, slug] of [
    ['/g/reef/', 'reef'],
    ['/Notes/b/kelp.html', 'kelp'],
    ['/Notes/b/kelp/', 'kelp']
  ])
    assert.equal(await pathOf(address ?? ''), `/posts/${slug}`)
})

test('a permalink of a file in a collection of Jekyll, or of defaults for it, is a pattern of the collection', async () => {
  const { pathOf, notes } = await imported({
    '_config.yml':
      'collections: {tips: {output: true}}\ndefaults: [{scope: {path: "", type: tips}, values: {permalink: "/:collection/:path/"}}]',
    '_tips/a/knot.md': dated(),
    '_tips/rope.md': dated('permalink: /:collection/:title.html'),
    '_tips/sail.md': dated('permalink: pretty')
  })
  assert.equal(await pathOf('/tips/a/knot/'), '/posts/knot')
  assert.equal(await pathOf('/tips/rope.html'), '/posts/rope')
  assert.equal(await pathOf('/tips/sail/'), '/posts/sail')
  assert.deepEqual(notes('_tips/a/knot.md'), [])
})

test('addresses of Hexo lead to their posts, whose names need no date', async () => {
  const { pathOf, notes } = await imported({
    '_config.yml': 'source_dir: source\nroot: /blog/',
    'source/_posts/tide.md': dated(),
    'source/_posts/sea/salt.md': dated(),
    'source/_posts/2020-03-04-moss.md': dated(),
    'source/_posts/slash.md': post('date: 2020/3/4 10:00:00'),
    'source/about/index.md': dated()
  })
  for (const [address, slug] of [
    ['/2020/03/04/tide/', 'tide'],
    ['/blog/2020/03/04/sea/salt/', 'salt'],
    ['/2020/03/04/moss/', 'moss'],
    ['/2020/03/04/slash/', 'slash'],
    ['/2020/03/04/2020-03-04-moss/', 'moss'],
    ['/blog/about/', 'about']
  ])
    assert.equal(await pathOf(address ?? ''), `/posts/${slug}`)
  const other = await imported({
    '_config.yml': 'source_dir: source\npermalink: p/:abbrlink.html',
    'source/_posts/reef.md': dated()
  })
  assert.deepEqual(notes('source/_posts/tide.md'), [])
  assert.deepEqual(other.notes('source/_posts/reef.md'), [
    'its permalink has a pattern that is not known here: no redirect is stored'
  ])
})

/** Where an address leads; the status where it leads nowhere. */
async function answerOf(address: string): Promise<string | number> {
  const { status, headers } = await fetch(`${service().url}${address}`, { redirect: 'manual' })
  return headers.get('location') ?? status
}

test('old addresses below the path of public_url are found, whether a proxy removes it or not', async () => {
  const items = ['2', '3'].map(id => wordpressItem({ id, slug: `more-${id}`, title: `More ${id}` }))
  await importExport('wordpress', wordpressExport(items).replaceAll('//blog.example/', '//example.org/blog/'))
  await importFolder(folderOf({ 'src/content/blog/two.md': dated(), 'src/content/shop/item.md': dated() }))
  await withPublicUrl('https://example.org/blog', async () => {
    for (const path of ['', '/blog']) {
      assert.equal(await answerOf(`${path}/2021/03/more-2/`), 'https://example.org/blog/posts/more-2')
      assert.equal(await answerOf(`${path}/2021/03/more-2/?p=9`), 'https://example.org/blog/posts/more-2')
      assert.equal(await answerOf(`${path}/two?utm_source=x`), 'https://example.org/blog/posts/two')
      assert.equal(await answerOf(`${path}/?p=3`), 'https://example.org/blog/posts/more-3')
    }
    assert.equal(await answerOf('/shop/item'), 'https://example.org/blog/posts/item')
    assert.equal(await answerOf('/item'), 404)
    assert.equal(await answerOf('/?p=9'), 200)
  })
  assert.equal(await answerOf('/two'), 404)
  assert.equal(await answerOf('/blog/?p=3'), `${service().url}/posts/more-3`)
})

test('an old address that is the page of the post on its site is no redirect to itself', async () => {
  await importExport(
    'ghost',
    ghostExport({ posts: [ghostPost({ id: 'a', slug: 'tide', title: 'Tide', html: '<p>a</p>' })] })
  )
  const { settings } = service().kernel
  for (const base of ['https://blog.example', 'https://blog.example/blog'])
    await withPublicUrl(base, async () => {
      await settings.set('post_url', `${base}/{slug}/`)
      assert.equal(await answerOf('/tide/'), 404)
      await settings.set('post_url', 'https://www.example/{slug}/')
      assert.equal(await answerOf('/tide/'), 'https://www.example/tide/')
      await settings.unset('post_url')
    })
})

test('the home page is no old address, whatever the path of public_url', () => {
  assert.deepEqual(askedPaths('/', '/blog'), [])
  assert.deepEqual(askedPaths('/?utm_source=x', '/blog'), [])
  assert.deepEqual(askedPaths('/?p=12', '/blog'), ['/?p=12', '/blog/?p=12'])
  assert.deepEqual(askedPaths('/a/', '/blog'), ['/a', '/blog/a'])
})
