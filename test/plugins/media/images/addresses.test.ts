// Not on a server: pictures are stored as files, and found by their addresses.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { until } from '../../../../testing/until.ts'
import { findingOf } from '../../../helpers/finding.ts'
import { startService, type TestService } from '../../../helpers/service.ts'

let service: TestService
let filename: string
let url: string
before(async () => {
  service = await startService({ worker: false })
  const stored = await storePicture()
  filename = stored.filename
  url = stored.url
})
after(() => service.close())

const set = (key: string, value: string) => service.kernel.settings.set(key, value)

async function storePicture(): Promise<{ filename: string; url: string }> {
  const body = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#245' } })
    .png()
    .toBuffer()
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'image/png' }
  return (await fetch(`${service.url}/api/images`, { method: 'POST', headers, body: new Uint8Array(body) })).json()
}

async function publish(title: string, picture: string): Promise<string> {
  const file = path.join(service.home, 'post.md')
  writeFileSync(file, `---\ntitle: ${title}\nimage: ${picture}\n---\nSee it. ![A pier](${picture})\n`)
  const { post_id, slug } = JSON.parse((await service.run('posts', 'create', '--from-file', file, '--json')).out)
  await service.run('posts', 'publish', post_id)
  return slug
}

/** What readers get of a post, and of a static page: addresses of pictures, each once. */
async function picturesOf(slug: string): Promise<string[]> {
  const paths = [`/api/posts/${slug}`, `/posts/${slug}`, '/feed.xml', '/', '/pages/imprint']
  const texts = await Promise.all(paths.map(async each => (await fetch(service.url + each)).text()))
  const named = texts.flatMap(
    text => text.match(/https?:\/\/[^\s"\\()<>]+\/images\/generated\/[0-9a-f]{64}\.png/g) ?? []
  )
  return [...new Set(named)]
}

/** A change of a setting is seen within a second. */
const untilShown = (slug: string, wanted: readonly string[]) =>
  until(async () => (await picturesOf(slug)).toSorted().join() === wanted.join(), `pictures at ${wanted.join()}`)

const finding = () => findingOf(service.kernel, 'picture addresses')

test('pictures are named by the present address of the service', async () => {
  const page = path.join(service.home, 'imprint.md')
  writeFileSync(page, `# Imprint\n\n![Us](${url})\n`)
  await service.run('pages', 'set', 'imprint', '--file', page)
  await service.run('pages', 'approve', 'imprint')
  const slug = await publish('Piers at low tide', url)
  assert.deepEqual(await picturesOf(slug), [url])

  await set('public_url', 'https://old.example/blog')
  await untilShown(slug, [`https://old.example/blog/images/generated/${filename}`])
  assert.equal((await finding()).status, 'ok')
})

test('those of a former public_url are found by doctor, and shown at the present one once it is listed', async () => {
  await set('public_url', 'https://old.example/blog')
  const slug = await publish(
    'Harbours in the fog of a morning',
    `https://old.example/blog/images/generated/${filename}`
  )
  const elsewhere = `https://elsewhere.example/images/generated/${'0'.repeat(64)}.png`
  await publish('Lighthouses and their keepers', elsewhere)

  await set('public_url', 'https://new.example')
  await until(async () => (await finding()).status === 'degraded', 'doctor finds the former address')
  const { found, remedy } = await finding()
  assert.match(found, /at another address: https:\/\/old\.example\/blog\./)
  assert.match(remedy ?? '', /former_public_urls "https:\/\/old\.example\/blog"/)

  await set('former_public_urls', 'https://older.example, https://old.example/blog/')
  await untilShown(slug, [elsewhere, `https://new.example/images/generated/${filename}`])
  assert.equal((await finding()).status, 'ok')
})

test('a post that is sent back as it was read is not edited', async () => {
  await set('former_public_urls', '')
  await set('public_url', 'https://old.example')
  const picture = `https://old.example/images/generated/${filename}`
  const slug = await publish('Anchors and what they hold', picture)
  await set('public_url', 'https://new.example')
  await set('former_public_urls', 'https://old.example')
  const readPost = async () => (await fetch(`${service.url}/api/posts/${slug}`)).json()
  await until(async () => (await readPost()).content.includes('new.example'), 'the present address')
  const read = await readPost()
  const { content, featured_image_url } = read
  const sent = { content, featured_image_url, category: 'harbours' }
  // Tokens are of an address, too.
  const token = (await service.run('auth', 'mint-token')).out.trim()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const edited = await fetch(`${service.url}/api/posts/${read.post_id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify(sent)
  })
  assert.equal(edited.status, 200)
  const [stored] = await service.db.query<{ content: string; featured_image_url: string }>(
    'select content, featured_image_url from posts where post_id = $1',
    [read.post_id]
  )
  assert.match(stored?.content ?? '', /old\.example/)
  assert.equal(stored?.featured_image_url, picture)
})
