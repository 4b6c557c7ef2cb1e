import assert from 'node:assert/strict'
import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { fetchImage } from '../../../plugins/import/images/fetch-image.ts'
import { findImageLinks } from '../../../plugins/import/images/image-links.ts'
import { isPublicAddress } from '../../../plugins/import/images/public-address.ts'
import { ghostExport, ghostPost, wordpressExport, wordpressItem, wordpressMeta } from './exports.ts'
import { notesOf, useImports } from './importing.ts'
import { zipOf } from './zip-file.ts'

const { service, folderOf, fileOf, importFolder, importOf, run, postOf, withPublicUrl } = useImports()

const pictureOf = (colour: string, format: 'png' | 'jpeg' | 'webp' = 'png'): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 6, channels: 3, background: colour } })
    [format]()
    .toBuffer()
const stored = (): string[] => {
  const folder = path.join(service().home, 'media', 'images')
  return existsSync(folder) ? readdirSync(folder) : []
}
const address = /\/images\/generated\/[0-9a-f]{64}\.(?:png|jpg|webp)/g
const post = (title: string, text: string, fields = '') =>
  `---\ntitle: ${title}\ndate: 2020-01-01\n${fields}\n---\n${text}`

test('the pictures of a folder are stored, and texts and covers name them', async () => {
  const [red, blue, green] = await Promise.all([
    pictureOf('red'),
    pictureOf('blue', 'jpeg'),
    pictureOf('green', 'webp')
  ])
  const folder = folderOf({
    'content/posts/bundle/index.md': post('Bundle', '![A](red.png "Red")\n\n`![A](red.png)`', 'image: cover.jpg'),
    'content/posts/bundle/red.png': red,
    'content/posts/bundle/cover.jpg': blue,
    'content/posts/flat.md': post(
      'Flat',
      '<img alt="x" src="/img/my%20red.png?v=2">\n\n![ref][r]\n\n[![small](/img/my%20red.png)](../../static/img/large.webp)\n\n[r]: <../../static/img/my red.png>'
    ),
    'static/img/my red.png': red,
    'static/img/large.webp': green
  })
  const before = stored().length
  const dry = await importFolder(folder, ['--dry-run'])
  assert.deepEqual([dry.images, dry.images_left, stored().length], [4, 0, before])
  const report = await importFolder(folder)
  assert.deepEqual([report.images, report.images_left, report.notes], [4, 0, []])
  assert.equal(stored().length, before + 3)
  const bundle = await postOf('bundle')
  assert.match(bundle.content, /^!\[A\]\(\/images\/generated\/[0-9a-f]{64}\.png "Red"\)\n\n`!\[A\]\(red\.png\)`$/)
  assert.match(bundle.featured_image_url, /^\/images\/generated\/[0-9a-f]{64}\.jpg$/)
  const flat = await postOf('flat')
  assert.equal(new Set(flat.content_html.match(address)).size, 2)
  const [first] = flat.content.match(address) ?? []
  const picture = await fetch(`${service().url}${first}`)
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'])
  assert.equal((await importFolder(folder)).images, 0)
})

for (const base of ['https://example.org/blog', 'https://example.org'])
  test(`texts, pages and feeds name pictures below ${base} once that is public_url`, () =>
    withPublicUrl(base, async () => {
      const folder = folderOf({
        'content/tide.md': post('Tide', '![a](/img/a.png)', 'image: /img/b.png'),
        'static/img/a.png': await pictureOf('red'),
        'static/img/b.png': await pictureOf('blue')
      })
      await importFolder(folder)
      const { content, featured_image_url } = await postOf('tide')
      assert.match(content, new RegExp(`^!\\[a\\]\\(${base}/images/generated/\\w{64}\\.png\\)$`))
      assert.match(featured_image_url, new RegExp(`^${base}/images/generated/\\w{64}\\.png$`))
      for (const place of ['/posts/tide', '/feed.xml', '/feed.json']) {
        const text = await (await fetch(`${service().url}${place}`)).text()
        const found = [...text.matchAll(/(?:https:\/)?[\w/.]*\/images\/generated/g)].map(([address]) => address)
        assert.ok(found.length > 0, place)
        const path = new URL(`${base}/images/generated`).pathname
        assert.deepEqual(
          found.filter(each => each !== `${base}/images/generated` && each !== path),
          [],
          place
        )
      }
    }))

test('what is no picture, is missing or lies outside is left, and the report says why', async () => {
  const red = await pictureOf('red')
  const outside = folderOf({ 'secret.png': red }, 'outside')
  const folder = folderOf({
    'post.md': post(
      'T',
      [
        '![a](missing.png)',
        '![b](text.png)',
        '![c](../outside/secret.png)',
        '![d](link.png)',
        '![e](/%2e%2e/%2e%2e/etc/passwd.png)',
        '![f](drawing.svg)',
        '![g](https://pictures.example/a.png)',
        `![h](data:image/png;base64,${red.toString('base64')})`
      ].join('\n\n')
    ),
    'text.png': 'no picture',
    'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>'
  })
  symlinkSync(path.join(outside, 'secret.png'), path.join(folder, 'link.png'))
  const report = await importFolder(folder)
  assert.deepEqual([report.images, report.images_left, report.images_elsewhere], [1, 6, 1])
  const notes = notesOf(report, 'post.md')
  for (const expected of [
    /^picture missing\.png was not found$/,
    /^picture text\.png is no JPEG, PNG/,
    /^picture \.\.\/outside\/secret\.png was not found$/,
    /^picture link\.png leads out of the folder$/,
    /^picture \/%2e%2e\/%2e%2e\/etc\/passwd\.png was not found$/,
    /^1 more picture left$/
  ])
    assert.ok(
      notes.some(note => expected.test(note)),
      `${expected} in ${notes.join('\n')}`
    )
})

test('pictures of Ghost come from its archive, and those of WordPress from the folder of uploads', async () => {
  const [red, blue] = await Promise.all([pictureOf('red'), pictureOf('blue')])
  const html = '<p>a</p><img src="__GHOST_URL__/content/images/size/w600/2023/01/red.png" alt="r">'
  const json = ghostExport({
    posts: [
      ghostPost({ id: 'p1', slug: 'tides', title: 'Tides', html, feature_image: '__GHOST_URL__/content/images/b.png' })
    ]
  })
  const zip = zipOf({
    'my-blog/data.json': json,
    'my-blog/content/images/2023/01/red.png': red,
    'my-blog/content/images/b.png': blue
  })
  const ghost = await importOf(['ghost', fileOf(zip)])
  assert.deepEqual([ghost.published, ghost.images, ghost.images_left], [1, 2, 0])
  const tides = await postOf('tides')
  assert.match(tides.content_html, /<img src="\/images\/generated\/[0-9a-f]{64}\.png" alt="r"/)
  assert.match(tides.featured_image_url, /^\/images\/generated\//)

  const moved = { id: 'p2', slug: 'moss', title: 'Moss', html, feature_image: '__GHOST_URL__/content/images/b.png' }
  const file = fileOf(ghostExport({ posts: [ghostPost(moved)] }))
  const elsewhere = await importOf(['ghost', file, '--url', 'https://ghost.example'])
  assert.deepEqual([elsewhere.images_left, elsewhere.images_elsewhere], [0, 2])
  const moss = await postOf('moss')
  assert.match(
    moss.content_html,
    /<img src="https:\/\/ghost\.example\/content\/images\/size\/w600\/2023\/01\/red\.png"/
  )
  assert.equal(moss.featured_image_url, 'https://ghost.example/content/images/b.png')

  const content =
    '<!-- wp:image --><figure><a href="https://blog.example/wp-content/uploads/2021/03/sea.png"><img src="https://blog.example/wp-content/uploads/2021/03/sea-300x200.png" alt="s"/></a></figure><!-- /wp:image -->'
  const xml = wordpressExport([
    wordpressItem({ id: '7', slug: 'sea', title: 'Sea', content }, wordpressMeta('_thumbnail_id', '9')),
    wordpressItem(
      { id: '9', slug: 'cover', type: 'attachment', status: 'inherit' },
      '<wp:attachment_url>https://blog.example/wp-content/uploads/2021/03/cover.png</wp:attachment_url>'
    )
  ])
  const uploads = folderOf({ '2021/03/sea.png': red, '2021/03/cover.png': blue }, 'uploads')
  const wordpress = await importOf(['wordpress', fileOf(xml), '--images', uploads])
  assert.deepEqual([wordpress.images, wordpress.images_left, wordpress.images_elsewhere], [2, 0, 0])
  const sea = await postOf('sea')
  assert.equal(sea.content.match(address)?.length, 2)
  assert.match(sea.featured_image_url, /^\/images\/generated\//)
})

test('pictures that nobody would see are left out of their posts, and noted', async () => {
  const [cover, lost] = ['__GHOST_URL__/content/images/cover.png', '__GHOST_URL__/content/images/lost.png']
  const html = `<p>Before <img src="${lost}" alt="a > b"> after</p><figure><a href="/large/"><img src="${lost}"></a></figure><details><summary>S</summary><img alt="a > b" src="${lost}"></details><p><img src="https://pictures.example/a.png"></p>`
  const posts = [
    ghostPost({ id: 'p1', slug: 'reef', title: 'Reef', html, feature_image: cover }),
    ghostPost({ id: 'p2', slug: 'picture', title: 'Picture', html: `<img src="${lost}">` })
  ]
  const report = await importOf(['ghost', fileOf(ghostExport({ posts }))], 1)
  assert.deepEqual([report.published, report.failed, report.images_elsewhere], [1, 1, 1])
  const { content, content_html, featured_image_url } = await postOf('reef')
  assert.equal(
    content,
    'Before  after\n\n<details><summary>S</summary></details>\n\n![](https://pictures.example/a.png)'
  )
  assert.doesNotMatch(content_html, /lost/)
  assert.equal(featured_image_url, null)
  assert.deepEqual(notesOf(report, 'Reef'), [
    'picture /content/images/cover.png was not found',
    'picture /content/images/lost.png was not found'
  ])
  assert.deepEqual(notesOf(report, 'Picture'), ['has no text, and picture /content/images/lost.png was not found'])
})

test('an archive with paths that lead upwards, or with more than it says, is refused or loses that file', async () => {
  const exportOf = (slug: string) =>
    ghostExport({ posts: [ghostPost({ slug, title: slug, html: '<img src="/content/images/bomb.png">' })] })
  const up = await run('ghost', fileOf(zipOf({ '../../up.json': exportOf('up') })))
  assert.equal(up.status, 2)
  assert.match(up.err, /no archive that can be read \(invalid relative path/)
  const none = await run('ghost', fileOf(zipOf({ 'a.txt': 'x' })))
  assert.match(none.err, /it is an archive without a JSON file/)
  const bomb = zipOf({ 'data.json': exportOf('bomb'), 'content/images/bomb.png': Buffer.alloc(50_000_000) })
  const report = await importOf(['ghost', fileOf(bomb)])
  assert.deepEqual(notesOf(report, 'bomb'), [
    'has no text, and picture /content/images/bomb.png has 50000000 bytes; at most 10485760 are taken'
  ])
  const lying = zipOf(
    { 'data.json': exportOf('lying'), 'content/images/bomb.png': Buffer.alloc(50_000_000) },
    { declaredBytes: 1000 }
  )
  assert.match(
    notesOf(await importOf(['ghost', fileOf(lying)]), 'lying').join(),
    /bomb\.png cannot be read \(.*too many bytes/
  )
})

test('remote pictures are asked for only with --fetch-images, and never at an address that is not public', async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '2130706433', '[::ffff:127.0.0.1]']
  const text = hosts.map(host => `![x](http://${host}:${port}/a.png)`).join('\n\n')
  const folder = folderOf({ 'post.md': post('T', text) })
  assert.equal((await importFolder(folder, ['--dry-run'])).images_elsewhere, hosts.length - 1)
  const report = await importFolder(folder, ['--fetch-images'])
  server.close()
  assert.deepEqual([requests, report.images, report.images_left], [0, 0, hosts.length - 1])
  assert.match(notesOf(report, 'post.md')[0] ?? '', /is at 127\.0\.0\.1, which is no public address$/)
})

describe('a remote picture', () => {
  let server: Server
  let base: string
  before(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://x')
      const answers: Record<string, () => void> = {
        '/a.png': () => response.end('bytes'),
        '/moved': () => response.writeHead(302, { location: '/a.png' }).end(),
        '/inside': () => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
        '/file': () => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
        '/round': () => response.writeHead(302, { location: '/round' }).end(),
        '/large': () => response.writeHead(200, { 'content-length': '99999999' }).end(),
        '/endless': () => void response.write(Buffer.alloc(11_000_000)),
        '/packed': () => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
      }
      const answer = answers[pathname] ?? (() => response.writeHead(404).end())
      answer()
    })
    server.listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const isAllowed = (ip: string): boolean => ip === '127.0.0.1'
  const fetched = (target: string, allowed = isAllowed) =>
    fetchImage(new URL(target, base).href, { signal: new AbortController().signal, isAllowed: allowed })

  test('comes after redirects, within its size', async () => {
    assert.equal(Buffer.from(await fetched('/a.png')).toString(), 'bytes')
    assert.equal(Buffer.from(await fetched('/moved')).toString(), 'bytes')
    assert.equal(
      Buffer.from(
        await fetched(`http://localhost:${new URL(base).port}/a.png`, ip => /^(127|::1$)/.test(ip))
      ).toString(),
      'bytes'
    )
  })
  for (const [target, reason] of [
    ['/inside', /^is at 169\.254\.169\.254, which is no public address$/],
    ['/file', /^has no address of the web$/],
    ['/round', /^is redirected more than 5 times$/],
    ['/large', /^has more than 10485760 bytes$/],
    ['/endless', /^has more than 10485760 bytes$/],
    ['/packed', /^is sent compressed$/],
    ['/none', /answered 404/],
    ['http://name:word@127.0.0.1/', /^has a name or a password/]
  ] as const) {
    test(`is refused: ${target}`, async () => {
      await assert.rejects(fetched(target), { name: 'ImageFault', message: reason })
    })
  }
})

test('only addresses of the public internet are public', () => {
  const others =
    '127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 192.0.2.1 198.18.0.1 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fc00::1 fd00:ec2::254 ::ffff:8.8.8.8 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1:: 2001:db8::1 ff02::1 100::1 nonsense'
  assert.deepEqual(others.split(' ').filter(isPublicAddress), [])
  assert.deepEqual(['8.8.8.8', '2a00:1450:4001:80b::200e'].filter(isPublicAddress).length, 2)
})

test('addresses of pictures are found as they are written', () => {
  const cases: [string, string[]][] = [
    ['![a](b.png) and ![c](<d e.png> "t")', ['b.png', 'd e.png']],
    ['> - ![a](b_\\(1\\).png)\n>   ![c](d(2).png)', ['b_\\(1\\).png', 'd(2).png']],
    ['| a |\n| - |\n| ![x](y.png) |', ['y.png']],
    ['```\n![a](b.png)\n```\n\n`![a](b.png)` ![a](b.png)', ['b.png']],
    ["<p><img width=2 SRC=a.png><img src='b&amp;c.png'></p>", ['a.png', 'b&amp;c.png']],
    ['![a][R]\n\n[r]: x.png "t"\n[other]: y.png', ['x.png']],
    ['[text](page.html) [large](photo.JPG?x=1)', ['photo.JPG?x=1']],
    ['\\![a](b.png) !\\[a](b.png)', ['b.png']]
  ]
  for (const [text, expected] of cases) {
    const links = findImageLinks(text)
    assert.deepEqual(
      links.map(({ start, end }) => text.slice(start, end)),
      expected,
      text
    )
  }
  assert.equal(findImageLinks('<img src="b&amp;c.png">')[0]?.address, 'b&c.png')
})
