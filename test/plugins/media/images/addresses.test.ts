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

async function publish(title: string, picture: string, text = `See it. ![A pier](${picture})`): Promise<string> {
  const file = path.join(service.home, 'post.md')
  writeFileSync(file, `---\ntitle: ${title}\nimage: ${picture}\n---\n${text}\n`)
  const { post_id, slug } = JSON.parse((await service.run('posts', 'create', '--from-file', file, '--json')).out)
  await service.run('posts', 'publish', post_id)
  return slug
}

/** What readers get of a post, and of a static page: addresses of pictures, each once. */
async function picturesOf(slug: string): Promise<string[]> {
  const paths = [`/api/posts/${slug}`, `/posts/${slug}`, '/feed.xml', '/', '/pages/imprint']
  const texts = await Promise.all(paths.map(async each => (await fetch(service.url + each)).text()))
  return picturesIn([...texts, JSON.stringify(await listedTexts())])
}

const picturesIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap(text => text.match(/https?:\/\/[^\s"\\()<>]+\/images\/generated\/[0-9a-f]{64}\.png/g) ?? []))
]

/** The texts of a list of posts over GraphQL. */
async function listedTexts(): Promise<object> {
  const query = '{ posts(first: 50) { edges { node { content contentHtml } } } }'
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  const { data } = await answer.json()
  assert.ok(data.posts.edges.length > 0)
  return data
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

const readPost = async (slug: string) => (await fetch(`${service.url}/api/posts/${slug}`)).json()

test('a preview names them at the present address, too', async () => {
  await set('former_public_urls', '')
  await set('public_url', 'https://old.example')
  const picture = `https://old.example/images/generated/${filename}`
  const { post_id } = await readPost(await publish('Buoys that nobody sees', picture))
  await set('public_url', 'https://new.example')
  await set('former_public_urls', 'https://old.example')
  const preview = new URL((await service.run('posts', 'preview', post_id)).out.trim())
  const isPresent = async () => {
    const page = await (await fetch(service.url + preview.pathname)).text()
    return picturesIn([page]).join() === `https://new.example/images/generated/${filename}`
  }
  await until(isPresent, 'a preview with pictures at the present address')
})

test('an address with other letters than ASCII is known as the HTML of a text has it', async () => {
  const former = 'https://münchen.example/büro'
  await set('former_public_urls', former)
  await set('public_url', 'https://new.example')
  const slug = await publish('Quays of a river', `${former}/images/generated/${filename}`)
  const present = `https://new.example/images/generated/${filename}`
  await until(async () => (await readPost(slug)).content.includes(present), 'the present address')
  assert.deepEqual(picturesIn([JSON.stringify(await readPost(slug))]), [present])
})

test('an address within another one stays, and is none that doctor has listed', async () => {
  const former = 'https://quay.example'
  await set('former_public_urls', former)
  await set('public_url', 'https://new.example')
  const archived = `https://archive.example/2020/${former}/images/generated/${filename}`
  const slug = await publish('Docks as they were', archived, `[Then](${archived})`)
  await until(async () => (await readPost(slug)).content.includes(archived), 'the address of the archive')
  assert.deepEqual(picturesIn([JSON.stringify(await readPost(slug))]), [archived])
  assert.doesNotMatch((await finding()).found, /archive\.example/)
})

test('doctor keeps the addresses that are listed, and offers none that a shell would run', async () => {
  const listed = 'https://münchen.example/büro, https://old.example/blog, https://old.example'
  await set('former_public_urls', listed)
  await set('public_url', 'https://new.example')
  const gone = `https://port.example/images/generated/${'0'.repeat(64)}.png`
  const hostile = `https://port.example/\`id\`/images/generated/${filename}`
  const stored = `https://port.example/images/generated/${filename}`
  await publish('Ports in the north', gone, `![Gone](${gone}) ![There](${stored}) <${hostile}>`)
  await publish('Ports in the south', hostile)
  await until(async () => (await finding()).found.includes('https://port.example'), 'the address of the port')
  const { found, remedy = '' } = await finding()
  assert.match(found, /https:\/\/port\.example\. Readers/)
  const [, list] = /set former_public_urls "([^"]*)"/.exec(remedy) ?? []
  assert.equal(list, `${listed}, https://port.example`)
})

test('a reader who has a post learns that its pictures are elsewhere, and an edit may name the tag of before', async () => {
  await set('former_public_urls', '')
  const slug = await publish('Cranes beside the water', `https://pier.example/images/generated/${filename}`)
  const read = await fetch(`${service.url}/api/posts/${slug}`)
  const tag = read.headers.get('etag') ?? ''
  const { post_id } = await read.json()
  const askAgain = () => fetch(`${service.url}/api/posts/${slug}`, { headers: { 'if-none-match': tag } })
  assert.equal((await askAgain()).status, 304)
  await set('former_public_urls', 'https://pier.example')
  await until(async () => (await askAgain()).status === 200, 'the post with other addresses')
  const token = (await service.run('auth', 'mint-token')).out.trim()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': tag }
  const edit = (body: object) =>
    fetch(`${service.url}/api/posts/${post_id}`, { method: 'PATCH', headers, body: JSON.stringify(body) })
  assert.equal((await edit({ category: 'cranes' })).status, 200)
  assert.equal((await edit({ category: 'water' })).status, 412)
})

test('the logo of the site and the picture of the podcast are named by the present address', async () => {
  await set('former_public_urls', 'https://old.example')
  await set('public_url', 'https://new.example')
  await set('site_logo_url', `https://old.example/images/generated/${filename}`)
  await set('podcast_image_url', `https://old.example/images/generated/${filename}`)
  const textOf = async (at: string) => (await fetch(service.url + at)).text()
  await until(async () => (await textOf('/podcast.xml')).includes(filename), 'the picture of the podcast')
  await until(async () => (await textOf('/archive')).includes(filename), 'the logo')
  for (const at of ['/podcast.xml', '/archive']) assert.doesNotMatch(await textOf(at), /old\.example/)
})
