import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { SettingsStoreService } from '#core'
import { createLog } from '../../../../cli/log/json-log.ts'
import { findingOf } from '../../../helpers/finding.ts'
import { makePublicPost } from '../../../helpers/public-post.ts'
import { startService, type TestService } from '../../../helpers/service.ts'
import { startTelegramServer } from '../../../helpers/telegram-server.ts'
import { until } from '../../../helpers/until.ts'

let service: TestService
const logged: string[] = []
let endpoint: Server
let requests: { path: string | undefined; headers: IncomingMessage['headers']; body: Record<string, unknown> }[] = []
let respond: (response: ServerResponse) => void
before(async () => {
  service = await startService({ log: createLog('warn', { write: line => void logged.push(line) }) })
  endpoint = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    requests.push({ path: request.url, headers: request.headers, body })
    respond(response)
  }).listen(0, '127.0.0.1')
})
after(async () => {
  endpoint.close()
  await service.close()
})

const set = async (values: Record<string, string>) => {
  for (const [key, value] of Object.entries(values)) await service.service(SettingsStoreService)?.set(key, value)
}
beforeEach(() => set({ media_on_publish: 'image', cover_driver: 'template' }))

const addressOf = async (post_id: string): Promise<string | null> =>
  (await service.bearer('GET', `/api/posts/${post_id}`)).body.featured_image_url
const coverOf = async (post_id: string): Promise<string> => {
  await until(async () => (await addressOf(post_id)) !== null)
  return (await addressOf(post_id)) ?? ''
}
/** Until every event has been delivered, and every job about covers has ended. */
const allDone = () =>
  until(async () => {
    const sql = `select from jobs.job where state < 'completed' and (name like '%media.cover%' or name like '%posts.%')`
    return (await service.db.query(sql)).length === 0
  })
/** What `galley doctor` says of one thing. */
const found = (name: string) => findingOf(service.kernel, name)
async function read(url: string) {
  const answer = await fetch(url)
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const colour = async (bytes: Buffer) => (await sharp(bytes).resize(1, 1).raw().toBuffer()).toJSON().data

describe('the cover of a published post', () => {
  test('is its picture, at a public address', async () => {
    const { post_id } = await makePublicPost(service, { title: 'Tides', category: 'ocean-science' })
    const url = await coverOf(post_id)
    assert.match(url, new RegExp(`^${service.url}/images/generated/[0-9a-f]{64}\\.jpg$`))
    const { status, bytes } = await read(url)
    const { width, height } = await sharp(bytes).metadata()
    assert.deepEqual([status, width, height], [200, 1200, 630])
  })

  test('is gone when the post is withdrawn, and returns with it', async () => {
    const { post_id } = await makePublicPost(service, { title: 'Withdrawn and back' })
    const url = await coverOf(post_id)
    const narrower = url.replace(/\.(\w+)$/, '-$1-480.webp')
    assert.equal((await read(narrower)).status, 200)
    await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
    // At once: a post never names a file that is not there.
    assert.equal(await addressOf(post_id), null)
    await until(async () => (await read(url)).status === 404)
    await until(async () => (await read(narrower)).status === 404)
    await set({ media_on_publish: '' })
    await service.run('posts', 'publish', post_id, '--force')
    // The file comes first, then the post names it.
    await until(async () => (await addressOf(post_id)) === url)
    assert.equal((await read(url)).status, 200)
  })

  test('follows the title, and the former file is gone', async () => {
    const { post_id } = await makePublicPost(service, { title: 'A first title' })
    const former = await coverOf(post_id)
    assert.equal((await service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'A second title' })).status, 200)
    await until(async () => (await addressOf(post_id)) !== former)
    assert.equal((await read(await coverOf(post_id))).status, 200)
    await until(async () => (await read(former)).status === 404)
  })

  test('is shared by posts with the same title until the last of them is withdrawn', async () => {
    const first = await makePublicPost(service, { title: 'Same title', content: 'Of the sea.' })
    const second = await makePublicPost(service, {
      title: 'Same title',
      content: 'A text about mountains, and how high they are.'
    })
    const url = await coverOf(first.post_id)
    assert.equal(await coverOf(second.post_id), url)
    await service.bearer('POST', `/api/posts/${first.post_id}/unpublish`)
    await until(
      async () =>
        (await service.db.query('select from media_covers where not is_stored and filename = $1', [path.basename(url)]))
          .length === 1
    )
    assert.equal((await read(url)).status, 200)
    await service.bearer('POST', `/api/posts/${second.post_id}/unpublish`)
    await until(async () => (await read(url)).status === 404)
  })

  test('stays while another post has its address, as its picture or in its text', async () => {
    const { post_id } = await makePublicPost(service, { title: 'Copied from' })
    const url = await coverOf(post_id)
    await set({ media_on_publish: '' })
    const pictured = await makePublicPost(service, { title: 'Has the picture', content: 'Of winds and how they turn.' })
    const written = await makePublicPost(service, { title: 'Shows it', content: `Of stars.\n\n![a picture](${url})` })
    await service.bearer('PATCH', `/api/posts/${pictured.post_id}`, { featured_image_url: url })
    const withdraw = async () => {
      await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
      await allDone()
      return (await read(url)).status
    }
    assert.equal(await withdraw(), 200)
    await service.run('posts', 'publish', post_id, '--force')
    await until(async () => (await addressOf(post_id)) === url)
    await service.bearer('PATCH', `/api/posts/${pictured.post_id}`, { featured_image_url: null })
    assert.equal(await withdraw(), 200)
    await service.run('posts', 'publish', post_id, '--force')
    await until(async () => (await addressOf(post_id)) === url)
    await service.bearer('PATCH', `/api/posts/${written.post_id}`, { content: 'Of stars alone.' })
    await withdraw()
    // A file that is asked for again and again is looked at once a second.
    await until(async () => (await read(url)).status === 404)
  })

  test('does not take the place of a picture that a person chose, and is not made where nobody asked for it', async () => {
    await set({ media_on_publish: '' })
    const chosen = 'https://example.org/mine.png'
    const { post_id } = await makePublicPost(service, { title: 'A picture of my own' })
    const other = await makePublicPost(service, { title: 'No picture wanted' })
    await service.bearer('PATCH', `/api/posts/${post_id}`, { featured_image_url: chosen })
    await allDone()
    await set({ media_on_publish: 'image' })
    await service.bearer('PATCH', `/api/posts/${post_id}`, { excerpt: 'Edited' })
    await allDone()
    assert.deepEqual([await addressOf(post_id), await addressOf(other.post_id)], [chosen, null])
    await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
    assert.equal(await addressOf(post_id), chosen)
  })
})

test('a cover that could not be drawn is tried again, and the log says why, of which post and job', async () => {
  const missing = path.join(service.home, 'no-fonts')
  await set({ cover_fonts: missing })
  const { post_id } = await makePublicPost(service, { title: 'Without fonts' })
  const job = async () => JSON.parse((await service.run('media', 'list', '--post', post_id, '--json')).out).items[0]
  await until(async () => (await job())?.error != null)
  const { state, error, job_id } = await job()
  assert.equal(state, 'running')
  await until(() => logged.some(line => line.includes(post_id)))
  const line = JSON.parse(logged.find(each => each.includes(post_id)) ?? '{}')
  assert.deepEqual([line.post_id, line.job_id, line.err.message], [post_id, job_id, error])
  await set({ cover_fonts: '' })
  await until(async () => {
    await service.db.query(`update jobs.job set start_after = now() where name = 'media.cover' and state = 'retry'`)
    return (await addressOf(post_id)) !== null
  })
  await allDone()
})

describe('a cover from the folder of the operator', () => {
  test('is one of the category, else one of all, cut to its size', async () => {
    const folder = path.join(service.home, 'stock')
    mkdirSync(path.join(folder, 'sea'), { recursive: true })
    const picture = (background: string) =>
      sharp({ create: { width: 800, height: 800, channels: 3, background } })
        .png()
        .toBuffer()
    writeFileSync(path.join(folder, 'sea/blue.png'), await picture('#0000ff'))
    writeFileSync(path.join(folder, 'red.png'), await picture('#ff0000'))
    // It has the name of a category, and is no folder.
    writeFileSync(path.join(folder, 'land'), 'notes')
    await set({ cover_driver: 'stock', cover_stock_folder: folder })
    const sea = await read(await coverOf((await makePublicPost(service, { title: 'Sea', category: 'sea' })).post_id))
    const other = await read(
      await coverOf((await makePublicPost(service, { title: 'Land', category: 'land' })).post_id)
    )
    assert.deepEqual(
      (await colour(sea.bytes))?.map(value => value > 128),
      [false, false, true]
    )
    assert.deepEqual(
      (await colour(other.bytes))?.map(value => value > 128),
      [true, false, false]
    )
    assert.equal((await sharp(sea.bytes).metadata()).height, 630)
    // What follows chooses another driver.
    await allDone()
  })

  const checked = () => found('post covers')
  const faults: [what: string, files: Record<string, string>, found: RegExp][] = [
    [
      'has a text alone',
      { 'readme.txt': 'x', 'sea/readme.txt': 'x' },
      /^There is no JPEG, PNG, WebP or AVIF picture in /
    ],
    ['has a picture that is none', { 'sea/broken.png': 'x' }, /sea\/broken\.png is no JPEG, PNG, WebP, AVIF or GIF/]
  ]
  for (const [what, files, expected] of faults)
    test(`makes doctor say that the folder ${what}`, async () => {
      const folder = mkdtempSync(path.join(service.home, 'stock-'))
      mkdirSync(path.join(folder, 'sea'))
      for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
      await set({ cover_driver: 'stock', cover_stock_folder: folder })
      const { status, found: text } = await checked()
      assert.equal(status, 'degraded')
      assert.match(text, expected)
    })

  test('makes doctor say that the folder is not there, or is good', async () => {
    await set({ cover_driver: 'stock', cover_stock_folder: '/no/such/folder' })
    assert.match(
      (await checked()).found,
      /^cover_stock_folder is \/no\/such\/folder, which is no folder that can be read \(ENOENT\)$/
    )
    await set({ cover_stock_folder: path.join(service.home, 'stock') })
    assert.equal((await checked()).status, 'ok')
  })
})

test('without its title, for want of a font, is told by doctor', async () => {
  await allDone()
  await set({ cover_driver: 'template' })
  assert.equal((await found('post covers')).status, 'ok')
  const { slug } = await makePublicPost(service, { title: '潮汐 and tides' })
  const { status, found: text } = await found('post covers')
  assert.equal(status, 'degraded')
  assert.match(text, new RegExp(`^The cover of ${slug} has no title`))
  await set({ cover_fonts: service.home })
  assert.equal((await found('post covers')).status, 'ok')
  await set({ cover_fonts: '' })
})

describe('a cover from an endpoint', () => {
  const tryNow = `update jobs.job set start_after = now() where name in ('media.cover', 'media.make') and state = 'retry'`
  const json = (value: unknown) => (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  const baseUrl = () => `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`
  const use = async () => {
    await allDone()
    requests = []
    await set({
      cover_driver: 'openai',
      image_base_url: baseUrl(),
      image_model: 'pictures',
      image_api_key: 'key-123456'
    })
  }

  test('is asked for with the title and the key, checked and cut to its size', async () => {
    const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#00ff00' } })
      .png()
      .toBuffer()
    respond = json({ data: [{ b64_json: picture.toString('base64') }] })
    await use()
    const { post_id } = await makePublicPost(service, { title: 'From a model' })
    const { width, height } = await sharp((await read(await coverOf(post_id))).bytes).metadata()
    assert.deepEqual([width, height], [1200, 630])
    const [request] = requests
    assert.equal(request?.headers.authorization, 'Bearer key-123456')
    assert.match(String(request?.body.prompt), /"From a model"/)
    assert.deepEqual([request?.body.model, request?.body.n, request?.body.size], ['pictures', 1, '1536x1024'])
  })

  test('that an endpoint takes long for does not keep the cover of a withdrawn post', async t => {
    const withdrawn = await makePublicPost(service, { title: 'Withdrawn while others wait' })
    const url = await coverOf(withdrawn.post_id)
    const asked = Promise.withResolvers<ServerResponse>()
    respond = asked.resolve
    await use()
    // Longer than any wait of a test.
    await set({ image_timeout_seconds: '600' })
    await makePublicPost(service, { title: 'Drawn for long' })
    const answer = await asked.promise
    t.after(async () => {
      answer.writeHead(400).end()
      await set({ image_timeout_seconds: '120' })
      await allDone()
    })
    await service.bearer('POST', `/api/posts/${withdrawn.post_id}/unpublish`)
    await until(async () => (await read(url)).status === 404)
  })

  test('is taken where its bytes follow what they are, as in an address of a browser', async () => {
    const picture = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#00ff00' } })
      .png()
      .toBuffer()
    respond = json({ data: [{ b64_json: `data:image/jpeg;base64,${picture.toString('base64')}` }] })
    await use()
    const { post_id } = await makePublicPost(service, { title: 'Named as an address' })
    const { width, height } = await sharp((await read(await coverOf(post_id))).bytes).metadata()
    assert.deepEqual([width, height], [1200, 630])
  })

  const picture = (bytes: Buffer) => json({ data: [{ b64_json: bytes.toString('base64') }] })
  const bad: [what: string, answer: (response: ServerResponse) => void, error: RegExp][] = [
    [
      'a page',
      response => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>busy</html>'),
      /answered no picture as b64_json: choose a model/
    ],
    [
      'that the key is wrong',
      response => response.writeHead(401).end('key-123456'),
      /answered 401: check the setting image_api_key\.$/
    ],
    [
      'that it has no such model',
      response => response.writeHead(404).end(),
      /answered 404: check image_base_url, image_model \(pictures\) and image_size \(1536x1024\)\.$/
    ],
    [
      'no end of bytes',
      response => void response.writeHead(200).end(Buffer.alloc(20_000_000, 32)),
      /answered more than the 10 MB that a picture may have/
    ],
    [
      'an SVG',
      picture(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      /is no JPEG, PNG, WebP, AVIF or GIF picture\. Check the endpoint, or choose another image_model \(pictures\) or image_size \(1536x1024\)\.$/
    ],
    [
      'scripts in a data address',
      json({ data: [{ b64_json: `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}` }] }),
      /is no JPEG, PNG, WebP, AVIF or GIF picture\. Check the endpoint/
    ],
    ['two pixels', picture(pngOf(2, 2)), /has 2 × 2 pixels: at least 200 on a side are needed/],
    ['a huge PNG', picture(pngOf(20_000, 20_000)), /has 20000 × 20000 pixels: at most 40 million are taken/],
    ['a GIF bomb', picture(gifOf(60_000, 60_000)), /has 60000 × 60000 pixels/],
    ['an address of another host', json({ data: [{ url: 'http://127.0.0.1:1/secret' }] }), /answered no picture/],
    [
      'a redirect',
      response => response.writeHead(302, { location: '/elsewhere' }).end(),
      /answered 302 and redirects to http:\/\/[^ ]*\/elsewhere\. Redirects are not followed: set image_base_url/
    ]
  ]
  for (const [what, answer, error] of bad)
    test(`leaves the post as it is when the endpoint answers ${what}, and is asked for once`, async () => {
      respond = answer
      await use()
      const { post_id, slug } = await makePublicPost(service, { title: `Answered ${what}` })
      const media = async () => (await service.bearer('GET', `/api/posts/${post_id}`)).body.media
      await until(async () => (await media()).state === 'failed')
      assert.match((await media()).error, error)
      assert.equal((await service.anonymous('GET', `/api/posts/${slug}`)).status, 200)
      assert.equal(await addressOf(post_id), null)
      assert.deepEqual(
        requests.map(each => each.path),
        ['/v1/images/generations']
      )
      await allDone()
    })

  test('that is asked for by hand is asked for once, too', async () => {
    respond = response => response.writeHead(400).end()
    await set({ media_on_publish: '' })
    await use()
    const { post_id } = await makePublicPost(service, { title: 'By hand' })
    const { job_id } = (await service.bearer('POST', `/generate/${post_id}`, { media: ['image'] })).body
    const job = async () => (await service.bearer('GET', `/api/media/jobs/${job_id}`)).body
    await until(async () => (await job()).state === 'failed')
    assert.match((await job()).error, /answered 400: check image_base_url/)
    assert.equal(requests.length, 1)
    await allDone()
  })

  const mediaOf = async (post_id: string) => (await service.bearer('GET', `/api/posts/${post_id}`)).body.media
  const titles = () => requests.map(({ body }) => /"(.*?)"/.exec(String(body.prompt))?.[1])
  for (const status of [408, 429, 503])
    test(`is asked for again after ${status}, and its fault is told of until it is there`, async () => {
      const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#0000ff' } })
        .png()
        .toBuffer()
      respond = response =>
        requests.length === 1
          ? response.writeHead(status).end()
          : json({ data: [{ b64_json: picture.toString('base64') }] })(response)
      await use()
      const { post_id } = await makePublicPost(service, { title: `Answered ${status}` })
      const jobs = async () => JSON.parse((await service.run('media', 'list', '--post', post_id, '--json')).out).items
      await until(async () => (await mediaOf(post_id)).error !== null)
      const { state, error } = await mediaOf(post_id)
      assert.deepEqual([state, /answered (\d+)/.exec(error)?.[1]], ['pending', String(status)])
      assert.deepEqual(
        (await jobs()).map((job: { state: string; error: string }) => [job.state, job.error]),
        [['running', error]]
      )
      await until(async () => {
        await service.db.query(tryNow)
        return (await addressOf(post_id)) !== null
      })
      await until(async () => (await mediaOf(post_id)).state === 'done')
      assert.equal((await mediaOf(post_id)).error, null)
      assert.deepEqual(
        (await jobs()).map((job: { state: string; error: string }) => [job.state, job.error]),
        [['done', null]]
      )
      assert.deepEqual(titles(), Array(2).fill(`Answered ${status}`))
      await allDone()
    })

  const waiting = `name = 'media.cover' and state = 'created' and data ->> 'post_id' = $1`
  const waitOf = async (post_id: string) => {
    const sql = `select extract(epoch from start_after - now())::float8 as seconds from jobs.job where ${waiting}`
    return (await service.db.query<{ seconds: number }>(sql, [post_id]))[0]?.seconds ?? 0
  }
  const endWaiting = (post_id: string) =>
    service.db.query(`update jobs.job set start_after = now() where ${waiting}`, [post_id])

  test('is asked for again when the endpoint has said, and not before', async () => {
    const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#00ffff' } })
      .png()
      .toBuffer()
    respond = response =>
      requests.length === 1 ? response.writeHead(429, { 'retry-after': '1800' }).end() : picture(bytes)(response)
    await use()
    const { post_id } = await makePublicPost(service, { title: 'Asked to wait' })
    await until(async () => (await waitOf(post_id)) > 0)
    const seconds = await waitOf(post_id)
    // An hour of waiting for the machine at most.
    assert.ok(seconds <= 1801, String(seconds))
    const { state, error } = await mediaOf(post_id)
    assert.deepEqual([state, /answered (\d+)/.exec(error)?.[1], requests.length], ['pending', '429', 1])
    await endWaiting(post_id)
    await until(async () => (await addressOf(post_id)) !== null)
    assert.equal(requests.length, 2)
    await allDone()
  })

  test('that has to be waited for again and again fails in the end', async () => {
    respond = response =>
      response.writeHead(503, { 'retry-after': new Date(Date.now() + 7_200_000).toUTCString() }).end()
    await use()
    const { post_id } = await makePublicPost(service, { title: 'Refused for an hour each time' })
    await until(async () => (await waitOf(post_id)) > 0)
    // Nobody waits for longer than an hour.
    assert.ok((await waitOf(post_id)) <= 3601)
    await until(async () => {
      await endWaiting(post_id)
      await service.db.query(tryNow)
      return (await mediaOf(post_id)).state === 'failed'
    })
    assert.match((await mediaOf(post_id)).error, /answered 503: try again later\.$/)
    // Five waits, and the tries of every job after them.
    assert.equal(requests.length, 5 + 4)
    await allDone()
  })

  test('that cannot be had does not hold up the audio that is asked for with it', async () => {
    respond = response => response.writeHead(400).end()
    await set({ media_on_publish: '' })
    await use()
    const { post_id } = await makePublicPost(service, { title: 'Heard without a cover' })
    // What follows a publication would ask for what has failed by then.
    await allDone()
    const { job_id } = (await service.bearer('POST', `/generate/${post_id}`, { media: ['image', 'podcast'] })).body
    await until(async () => (await mediaOf(post_id)).state === 'failed')
    // That the audio is offered now is no reason to ask for the cover again.
    await allDone()
    const { podcast_url, error } = await mediaOf(post_id)
    assert.match(error, /answered 400: check image_base_url/)
    assert.equal((await read(podcast_url)).status, 200)
    assert.equal((await service.bearer('GET', `/api/media/jobs/${job_id}`)).body.state, 'failed')
    assert.equal(requests.length, 1)
    // Asked for again it is the cover alone that is made, and the tag shows it.
    await set({ cover_driver: 'template' })
    await service.bearer('POST', `/generate/${post_id}`, { media: ['image', 'podcast'] })
    await until(async () => (await mediaOf(post_id)).state === 'done')
    assert.equal((await read(await coverOf(post_id))).status, 200)
    assert.ok((await read(podcast_url)).bytes.subarray(0, 100_000).includes('APIC'))
    await allDone()
  })

  for (const [what, status] of [
    ['its fault', 503],
    ['its failure', 400]
  ] as const)
    test(`has a job that tells of ${what} only together with its post`, async () => {
      respond = response => response.writeHead(status).end()
      await use()
      // As killed between the two.
      await service.db.query(`create function refuse_fault() returns trigger language plpgsql as
        $$ begin raise exception 'killed'; end $$`)
      await service.db.query(`create trigger refuse_fault before update on posts for each row
        when (new.media_error is not null) execute function refuse_fault()`)
      const { post_id } = await makePublicPost(service, { title: `Tells of ${what}` })
      const jobs = async () => JSON.parse((await service.run('media', 'list', '--post', post_id, '--json')).out).items
      const isTriedAgain = `select from jobs.job where name = 'media.cover' and state = 'retry' and data ->> 'post_id' = $1`
      await until(async () => (await service.db.query(isTriedAgain, [post_id])).length === 1)
      assert.deepEqual(await jobs(), [])
      await service.db.query('drop function refuse_fault cascade')
      await until(async () => {
        await service.db.query(tryNow)
        return (await mediaOf(post_id)).state === 'failed'
      })
      const { error } = await mediaOf(post_id)
      assert.deepEqual(
        (await jobs()).map((job: { state: string; error: string }) => [job.state, job.error]),
        [['failed', error]]
      )
      await allDone()
    })

  for (const [what, begin, error] of [
    ['breaks off', (response: ServerResponse) => response.destroy(), /broke off \(/],
    ['is not all there in time', () => undefined, /did not answer within 1 s \(image_timeout_seconds\)/]
  ] as const)
    test(`is asked for again after an answer that ${what}`, async () => {
      const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#ff0000' } })
        .png()
        .toBuffer()
      respond = response => {
        if (requests.length > 1) return picture(bytes)(response)
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{"data":', () => begin(response))
      }
      await use()
      await set({ image_timeout_seconds: '1' })
      const { post_id } = await makePublicPost(service, { title: `An answer that ${what}` })
      await until(async () => (await mediaOf(post_id)).error !== null)
      const { state, error: noted } = await mediaOf(post_id)
      assert.equal(state, 'pending')
      assert.match(noted, error)
      await set({ image_timeout_seconds: '120' })
      await until(async () => {
        await service.db.query(tryNow)
        return (await addressOf(post_id)) !== null
      })
      assert.equal(requests.length, 2)
      await allDone()
    })

  test('that cannot be had is told of: in the chat, by doctor, and in the media of the post for who has a token', async t => {
    const telegram = await startTelegramServer()
    t.after(() => telegram.close())
    await set(telegram.settings())
    respond = response => response.writeHead(500).end()
    await use()
    const { post_id, slug } = await makePublicPost(service, { title: 'No cover' })
    const media = async () => (await service.bearer('GET', `/api/posts/${post_id}`)).body.media
    await until(async () => {
      await service.db.query(tryNow)
      return (await media()).state === 'failed'
    })
    const reason = `${baseUrl()}/images/generations answered 500: try again later.`
    assert.equal((await media()).error, reason)
    assert.equal('error' in (await service.anonymous('GET', `/api/posts/${slug}`)).body.media, false)
    await until(() => telegram.messages.some(({ text }) => text.startsWith('No media could be made of: No cover')))
    const { out } = await service.run('media', 'list', '--post', post_id, '--json')
    const [{ media: kinds, error }] = JSON.parse(out).items
    assert.deepEqual([kinds, error], [['image'], reason])
    const { status, found: text } = await found('media jobs')
    assert.deepEqual([status, text.endsWith(reason)], ['degraded', true])
    // A picture of the operator's own ends it.
    const other = await makePublicPost(service, { title: 'No cover either' })
    await until(async () => (await mediaOf(other.post_id)).error !== null)
    const own = 'https://example.org/own.png'
    await service.bearer('PATCH', `/api/posts/${other.post_id}`, { featured_image_url: own })
    await until(async () => {
      await service.db.query(tryNow)
      return (await mediaOf(other.post_id)).state === 'done'
    })
    // Nor is it asked for again, by what follows the job.
    await allDone()
    const { state, error: fault } = await mediaOf(other.post_id)
    assert.deepEqual([state, fault], ['done', null])
    // What is made of other kinds does not hide that it is missing.
    await service.bearer('POST', `/generate/${post_id}`, { media: ['podcast'] })
    await until(async () => (await media()).podcast_url !== null)
    await until(async () => (await media()).error === reason)
    await set({ cover_driver: 'template' })
    await service.run('media', 'generate', post_id)
    assert.match(await coverOf(post_id), /^http/)
    await until(async () => {
      await service.db.query(tryNow)
      return (await media()).state === 'done'
    })
    const left = JSON.parse((await service.run('media', 'list', '--post', post_id, '--json')).out).items
    assert.deepEqual(
      left.filter(({ state }: { state: string }) => !['done', 'replaced'].includes(state)),
      []
    )
  })
})

/** A few bytes that say they are a picture of this size, as the next. */
function gifOf(width: number, height: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  const noColours = Buffer.from([0, 0, 0])
  const place = Buffer.from([0x2c, 0, 0, 0, 0])
  return Buffer.concat([Buffer.from('GIF89a'), size, noColours, place, size, Buffer.from([0, 2, 2, 0x4c, 1, 0, 0x3b])])
}

function pngOf(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
    const length = Buffer.alloc(4)
    const check = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, check])
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(9))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}
