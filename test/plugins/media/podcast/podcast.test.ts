import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import partytime from 'podcast-partytime'
import sharp from 'sharp'
import { findingOf } from '../../../helpers/finding.ts'
import { makePublicPost } from '../../../helpers/public-post.ts'
import { startService, type TestService } from '../../../helpers/service.ts'

let service: TestService
let folder: string
before(async () => {
  service = await startService({ worker: false, settings: { public_url: 'https://example.org' } })
  folder = path.join(service.home, 'media', 'episodes')
  mkdirSync(folder, { recursive: true })
})
after(() => service.close())

const get = (target: string) => service.anonymous('GET', target)
const read = async () => {
  const { status, headers, body } = await get('/podcast.xml')
  assert.equal(status, 200, String(body))
  assert.equal(headers.get('content-type'), 'application/rss+xml; charset=utf-8')
  const feed = partytime.parseFeed(String(body))
  assert.ok(feed)
  return feed
}
const check = () => findingOf(service.kernel, 'podcast feed')

async function addEpisode(title: string, audio: string, ...others: string[]): Promise<string> {
  const { post_id } = await makePublicPost(service, { title, excerpt: `About ${title}` })
  writeFileSync(path.join(folder, `${post_id}.mp3`), audio)
  for (const ending of others) writeFileSync(path.join(folder, post_id + ending), 'x')
  return post_id
}
const refresh = async () => assert.equal((await service.run('media', 'refresh')).status, 0)

test('a podcast without episodes is a feed without items, and nobody is warned', async () => {
  assert.deepEqual((await read()).items, [])
  assert.equal((await check()).status, 'skipped')
})

test('every public post with audio is an episode, newest first, as long as it is public', async () => {
  const first = await addEpisode('Tides', 'abcdefghij')
  const second = await addEpisode('Moons', 'abc', '.vtt', '.srt', '.json')
  await makePublicPost(service, { title: 'Without audio' })
  assert.deepEqual((await read()).items, [])
  await refresh()
  const { items } = await read()
  assert.deepEqual(
    items.map(({ guid, title, description, enclosure }) => [guid, title, description, enclosure.length]),
    [
      [`urn:uuid:${second}`, 'Moons', 'About Moons', 3],
      [`urn:uuid:${first}`, 'Tides', 'About Tides', 10]
    ]
  )
  // The length is that of what is served there.
  for (const { enclosure } of items) {
    const file = await get(new URL(enclosure.url).pathname)
    assert.equal(Number(file.headers.get('content-length')), enclosure.length)
    assert.match(enclosure.url, /^https:\/\/example\.org\/episodes\/[0-9a-f-]{36}\.mp3$/)
  }
  assert.deepEqual(
    items[0]?.podcastTranscripts?.map(({ type }) => type),
    ['text/vtt', 'application/srt', 'application/json']
  )
  await service.bearer('POST', `/api/posts/${second}/unpublish`)
  assert.deepEqual(
    (await read()).items.map(({ title }) => title),
    ['Tides']
  )
  writeFileSync(path.join(folder, `${first}.mp3`), 'abcd')
  await refresh()
  assert.equal((await read()).items[0]?.enclosure.length, 4)
  rmSync(path.join(folder, `${first}.mp3`))
  await refresh()
  assert.deepEqual((await read()).items, [])
})

test('its picture is drawn where the operator has chosen none, and follows the title', async () => {
  await addEpisode('Pictured', 'abc')
  await service.kernel.settings.set('podcast_title', 'The Tides')
  await refresh()
  const first = (await read()).itunesImage ?? ''
  assert.match(first, /^https:\/\/example\.org\/images\/generated\/[0-9a-f]{64}\.jpg$/)
  const file = await fetch(service.url + new URL(first).pathname)
  assert.equal(file.headers.get('content-type'), 'image/jpeg')
  const { format, width, height, space } = await sharp(await file.arrayBuffer()).metadata()
  assert.deepEqual([format, width, height, space], ['jpeg', 3000, 3000, 'srgb'])
  assert.match((await check()).found, /without podcast_description, podcast_category, podcast_owner_email\.$/)
  await refresh()
  assert.equal((await read()).itunesImage, first)
  await service.kernel.settings.set('podcast_title', 'The Moons')
  await refresh()
  assert.notEqual((await read()).itunesImage, first)
  // A directory may still fetch the picture it knows.
  assert.equal((await get(new URL(first).pathname)).status, 200)
  await service.db.query('delete from media_podcast_art')
  await service.kernel.settings.set('podcast_title', 'No picture')
  assert.match((await check()).found, /refuse the picture of the podcast: none was drawn yet\.$/)
  await service.kernel.settings.set('podcast_title', '')
})

test('no text of it is blank: settings refuse blanks alone, and what else is blank has another in its place', async () => {
  for (const key of ['title', 'description', 'author', 'host', 'owner_name', 'copyright', 'funding_text', 'txt'])
    await assert.rejects(service.kernel.settings.set(`podcast_${key}`, ' \u00a0 '), /must not be blank/, key)
  await service.kernel.settings.set('site_description', '  ')
  const { post_id } = await makePublicPost(service, { title: 'Blank excerpt', excerpt: '  ' })
  writeFileSync(path.join(folder, `${post_id}.mp3`), 'abc')
  await refresh()
  const { title, description, items } = await read()
  assert.deepEqual([description, items[0]?.description], [title, 'Blank excerpt'])
  assert.match((await check()).found, /podcast_description/)
  await service.kernel.settings.set('site_description', '')
  await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
})

test('its address may have parameters of a directory, and who has the feed gets 304', async () => {
  const plain = await get('/podcast.xml')
  const tagged = await get('/podcast.xml?utm_source=directory')
  assert.deepEqual([tagged.status, tagged.body], [200, plain.body])
  // However many parameters there are, the feed is written once.
  const cached = async () =>
    /http_cache_entries (\d+)/.exec(String((await service.bearer('GET', '/metrics')).body))?.[1]
  const before = await cached()
  assert.ok(before !== undefined)
  const others = await Promise.all(Array.from({ length: 60 }, (_, at) => get(`/podcast.xml?at=${at}`)))
  assert.deepEqual(new Set(others.map(({ status, body }) => `${status} ${body}`)), new Set([`200 ${plain.body}`]))
  assert.equal(await cached(), before)
  const etag = plain.headers.get('etag') ?? ''
  const again = await service.anonymous('GET', '/podcast.xml', undefined, { 'if-none-match': etag })
  assert.deepEqual([again.status, again.body, again.headers.get('etag')], [304, '', etag])
  const post_id = await addEpisode('Counted', 'abc')
  const counted = await get(`/episodes/${post_id}.mp3?_from=app&_from=counter`)
  assert.deepEqual([counted.status, counted.body], [200, 'abc'])
})

// "A Podcaster's Guide to RSS" of Apple: what it asks of the files that the feed names.
test('each address in the feed answers as the directory of Apple asks', async () => {
  const post_id = await addEpisode('For Apple', 'abcdef', '.vtt', '.srt', '.json')
  await refresh()
  const feed = await read()
  const item = feed.items.find(({ guid }) => guid === `urn:uuid:${post_id}`)
  assert.ok(item)
  const head = async (url: string) => {
    const { status, headers } = await fetch(service.url + new URL(url).pathname, { method: 'HEAD' })
    const [type, length, ranges] = ['content-type', 'content-length', 'accept-ranges'].map(name => headers.get(name))
    return { status, type, length, ranges }
  }
  const { url, length, type } = item.enclosure
  assert.deepEqual([new URL(url).pathname.endsWith('.mp3'), type], [true, 'audio/mpeg'])
  assert.deepEqual(await head(url), { status: 200, type, length: String(length), ranges: 'bytes' })
  const part = await fetch(service.url + new URL(url).pathname, { headers: { range: 'bytes=0-1' } })
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 0-1/${length}`])
  const art = await head(feed.itunesImage ?? '')
  assert.deepEqual([art.status, art.type, feed.itunesImage?.endsWith('.jpg')], [200, 'image/jpeg', true])
  const drawn = await fetch(service.url + new URL(feed.itunesImage ?? '').pathname)
  const { width, height, density, space, channels } = await sharp(await drawn.arrayBuffer()).metadata()
  assert.deepEqual([width, height, density, space, channels], [3000, 3000, 72, 'srgb', 3])
  assert.equal(item.podcastTranscripts?.length, 3)
  for (const transcript of item.podcastTranscripts ?? [])
    assert.deepEqual([(await head(transcript.url)).status, (await head(transcript.url)).length], [200, '1'])
  await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
  for (const gone of [url, ...(item.podcastTranscripts ?? []).map(each => each.url)])
    assert.equal((await head(gone)).status, 404)
})

const upload = async (width: number, height: number): Promise<string> => {
  const picture = sharp({ create: { width, height, channels: 3, background: '#a33' } })
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'image/jpeg' }
  const body = new Blob([await picture.jpeg().toBuffer()])
  const { url } = (await (await fetch(`${service.url}/api/images`, { method: 'POST', headers, body })).json()) as {
    url: string
  }
  return url
}

test('a picture of the podcast that directories refuse is named', async () => {
  await addEpisode('Of a podcast with a picture', 'abc')
  await refresh()
  for (const [url, fault] of [
    ['https://example.org/cover.webp', /cover\.webp is no \.jpg or \.png by its name\.$/],
    [await upload(1500, 1400), /\.jpg has 1500 × 1400 pixels: a square of 1400 to 3000 is taken\.$/],
    [await upload(1000, 1000), /\.jpg has 1000 × 1000 pixels/]
  ] as const) {
    await service.kernel.settings.set('podcast_image_url', url)
    const { status, found } = await check()
    assert.equal(status, 'degraded')
    assert.match(found, fault)
  }
  await service.kernel.settings.set('podcast_image_url', await upload(1400, 1400))
  assert.doesNotMatch((await check()).found, /picture/)
  await service.kernel.settings.set('podcast_image_url', '')
})

test('an episode has the picture that a person chose, if directories may take it', async () => {
  const post_id = await addEpisode('Chosen', 'abc')
  await refresh()
  const ofPodcast = (await read()).itunesImage
  assert.ok(ofPodcast)
  const imageFor = async (featured_image_url: string | null) => {
    await service.bearer('PATCH', `/api/posts/${post_id}`, { featured_image_url })
    return (await read()).items.find(({ guid }) => guid.endsWith(post_id))?.itunesImage
  }
  assert.equal(await imageFor('https://example.org/square.jpg'), 'https://example.org/square.jpg')
  assert.equal(await imageFor('https://example.org/square.webp'), ofPodcast)
  const square = await upload(1400, 1400)
  assert.equal(await imageFor(square), square)
  // What lies here is known: the picture of a page is hardly ever square.
  for (const [width, height] of [
    [1600, 1400],
    [600, 600]
  ] as const)
    assert.equal(await imageFor(await upload(width, height)), ofPodcast)
  await service.db.query(
    `insert into media_covers (post_id, filename, source_hash, width, height, bytes) values ($1, 'own.jpg', 'x', 1200, 630, 9)`,
    [post_id]
  )
  assert.equal(await imageFor('https://example.org/images/generated/own.jpg'), ofPodcast)
  await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
})

test('the settings say what the podcast is, and the newest episodes are shown', async () => {
  for (let n = 1; n <= 3; n += 1) await addEpisode(`Number ${n}`, 'abc')
  await refresh()
  const { status, found } = await check()
  assert.equal(status, 'degraded')
  assert.match(found, /without podcast_description, podcast_category, podcast_owner_email\.$/)
  const values = {
    podcast_title: 'Sea & moon',
    podcast_author: 'Ann',
    podcast_host: 'Ann Host',
    podcast_description: 'What the sea does',
    podcast_owner_email: 'ann@example.org',
    podcast_category: 'Science > Earth Sciences',
    podcast_image_url: 'https://example.org/cover.jpg',
    podcast_explicit: 'true',
    podcast_items: '2'
  }
  for (const [key, value] of Object.entries(values)) await service.kernel.settings.set(key, value)
  const feed = await read()
  assert.deepEqual(
    [
      feed.title,
      feed.author,
      feed.podcastPeople?.[0]?.name,
      feed.explicit,
      feed.owner?.email,
      feed.itunesCategory,
      feed.itunesImage
    ],
    [
      'Sea & moon',
      'Ann',
      'Ann Host',
      true,
      'ann@example.org',
      ['Science > Earth Sciences'],
      'https://example.org/cover.jpg'
    ]
  )
  assert.deepEqual(
    feed.items.map(({ title }) => title),
    ['Number 3', 'Number 2']
  )
  assert.equal((await check()).status, 'ok')
  await service.kernel.settings.set('podcast_language', 'zh-Hant-TW')
  assert.match((await check()).found, /refuses the language zh-Hant-TW of https:\/\/example\.org\/podcast\.xml/)
  await service.kernel.settings.set('podcast_language', 'zh-tw')
  assert.equal((await check()).status, 'ok')
  await service.kernel.settings.set('public_url', '')
  assert.match(
    (await check()).found,
    /^Directories refuse http:\/\/127\.0\.0\.1:\d+\/podcast\.xml without public_url\.$/
  )
  await service.kernel.settings.set('public_url', 'https://example.org')
  await assert.rejects(service.kernel.settings.set('podcast_category', 'Knitting'), /podcast_category/)
})
