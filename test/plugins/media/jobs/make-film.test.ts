// Not on a server: a film is made of files. generation.test.ts runs such jobs on both databases.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import sharp from 'sharp'
import { makePublicPost } from '../../../helpers/public-post.ts'
import { startService, type TestService } from '../../../helpers/service.ts'
import { until } from '../../../helpers/until.ts'
import { createSpeakingPlugin } from './speaking-plugin.ts'

const engine = createSpeakingPlugin()
let service: TestService
before(async () => {
  service = await startService({
    plugins: [engine.plugin],
    settings: { speech_driver: 'test', site_title: 'The Tides', qa_rail_near_duplicate: 'off' }
  })
})
after(() => service.close())

const content = 'The sea rises.\n\n## The Moon\n\nIt pulls.\n\n## الشمس\n\nIt pulls less.'
const publish = (title: string) => makePublicPost(service, { title, content })
const postOf = async (slug: string) => (await service.anonymous('GET', `/api/posts/${slug}`)).body
const isDone = (job_id: string) =>
  until(async () => {
    const { state, error } = (await service.bearer('GET', `/api/media/jobs/${job_id}`)).body
    assert.notEqual(state, 'failed', error)
    return state === 'done'
  })
async function make(post_id: string, media: readonly string[]) {
  const { status, body } = await service.bearer('POST', `/generate/${post_id}`, { media })
  assert.equal(status, 202, JSON.stringify(body))
  await isDone(body.job_id)
  return body
}
const etagOf = async (address: string) =>
  (await fetch(`${service.url}${address}`, { method: 'HEAD' })).headers.get('etag')

async function film(address: string) {
  const answer = await fetch(`${service.url}${address}`)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'video/mp4'])
  const bytes = await answer.arrayBuffer()
  using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const video = await input.getPrimaryVideoTrack()
  assert.ok(video)
  const moments: number[] = []
  let first: Uint8Array | undefined
  for await (const { timestamp, data } of new EncodedPacketSink(video).packets()) {
    moments.push(timestamp)
    first ??= data
  }
  const { codedWidth, codedHeight } = video
  return { bytes, moments, first, size: [codedWidth, codedHeight], seconds: await input.computeDuration() }
}

describe('the films of a post', () => {
  let post: { post_id: string; slug: string }
  before(async () => {
    post = await publish('How tides follow the moon')
  })

  test('are made of the audio that is there, and offered', async () => {
    const { post_id, slug } = post
    await make(post_id, ['podcast'])
    engine.reset()
    const { media } = await make(post_id, ['video_short', 'video'])
    assert.deepEqual([media, engine.spoken], [['podcast', 'video', 'video_short'], []])
    const url = `${service.url}/episodes/${post_id}`
    assert.deepEqual((await postOf(slug)).media, { podcast_url: `${url}.mp3`, video_url: `${url}.mp4` })
    const { items } = (await service.anonymous('GET', '/episodes')).body
    assert.equal(items[0].video_url, `${url}.mp4`)
  })

  test('are told of while they are encoded', async t => {
    await service.db.script(`create table reported (percent int);
      create function note_percent() returns trigger language plpgsql as
        $$ begin insert into reported values (new.progress); return new; end $$;
      create trigger note_percent after update of progress on media_jobs for each row
        when (new.state = 'running') execute function note_percent()`)
    t.after(() => service.db.script('drop table reported; drop function note_percent cascade'))
    const { post_id } = await publish('A film in the making')
    await make(post_id, ['video'])
    const rows = await service.db.query<{ percent: number }>('select percent from reported')
    // The audio is the first half, and a film has 95 of its 100 percent when it is encoded.
    const ofFilm = rows.map(({ percent }) => percent).filter(percent => percent > 50 && percent < 97)
    assert.ok(ofFilm.length >= 3, `${rows.map(({ percent }) => percent)}`)
  })

  test('show the cover, and a card from the first word of each chapter on', async () => {
    const { moments, size, seconds } = await film(`/episodes/${post.post_id}.mp4`)
    const { chapters } = (await service.anonymous('GET', `/episodes/${post.post_id}.chapters.json`)).body
    const starts = chapters.map(({ startTime }: { startTime: number }) => startTime)
    assert.deepEqual(size, [1280, 720])
    assert.deepEqual(
      moments.map(moment => Math.round(moment * 1000)),
      [0, ...starts].map(moment => Math.round(moment * 1000))
    )
    assert.ok(seconds > starts[1])
  })

  test('for phones show each sentence as it is heard', async () => {
    const { moments, size, seconds } = await film(`/episodes/${post.post_id}.short.mp4`)
    const { segments } = (await service.anonymous('GET', `/episodes/${post.post_id}.json`)).body
    assert.deepEqual(size, [1080, 1920])
    assert.deepEqual(
      moments.map(moment => Math.round(moment * 1000)),
      segments.map(({ startTime }: { startTime: number }) => Math.round(startTime * 1000))
    )
    assert.ok(Math.abs(seconds - segments.at(-1).endTime) < 0.1, String(seconds))
  })

  test('are sent in ranges, with a strong ETag', async () => {
    const address = `/episodes/${post.post_id}.short.mp4`
    const { bytes } = await film(address)
    const headers = { range: 'bytes=4-7', 'if-range': (await etagOf(address)) ?? '' }
    const part = await fetch(`${service.url}${address}`, { headers })
    assert.deepEqual([part.status, await part.text()], [206, 'ftyp'])
    assert.equal(part.headers.get('content-range'), `bytes 4-7/${bytes.byteLength}`)
  })

  test('show a cover that was drawn here in their own shape, as they do without one', async () => {
    const { post_id, slug } = post
    const before = await film(`/episodes/${post_id}.mp4`)
    await make(post_id, ['image', 'video'])
    assert.match((await postOf(slug)).featured_image_url, /images\/generated/)
    assert.deepEqual((await film(`/episodes/${post_id}.mp4`)).first, before.first)
  })

  test('are made again for another picture only where it is seen, and nothing is spoken again', async () => {
    const { post_id } = post
    const addresses = [`/episodes/${post_id}.mp4`, `/episodes/${post_id}.short.mp4`, `/episodes/${post_id}.vtt`]
    const before = await Promise.all(addresses.map(etagOf))
    engine.reset()
    await service.bearer('PATCH', `/api/posts/${post_id}`, { tags: ['sea'] })
    const body = await sharp({ create: { width: 400, height: 700, channels: 3, background: '#c04020' } })
      .jpeg()
      .toBuffer()
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'image/jpeg' }
    const uploaded = await fetch(`${service.url}/api/images`, { method: 'POST', headers, body })
    const { url } = (await uploaded.json()) as { url: string }
    await service.bearer('PATCH', `/api/posts/${post_id}`, { featured_image_url: url })
    await until(async () => (await etagOf(addresses[0] ?? '')) !== before[0])
    const { body: jobs } = await service.bearer('GET', `/api/media/jobs?post_id=${post_id}`)
    await isDone(jobs.items[0].job_id)
    assert.deepEqual((await Promise.all(addresses.map(etagOf))).slice(1), before.slice(1))
    assert.deepEqual([jobs.total, engine.spoken], [4, []])
  })

  test('have the voice of the audio, also where only that is made again', async () => {
    const { post_id } = post
    const lastStart = async () => {
      const { segments } = (await service.anonymous('GET', `/episodes/${post_id}.json`)).body
      return Math.round(segments.at(-1).startTime * 1000)
    }
    const lastCaption = async () =>
      Math.round(((await film(`/episodes/${post_id}.short.mp4`)).moments.at(-1) ?? 0) * 1000)
    const before = await lastStart()
    assert.equal(await lastCaption(), before)
    await service.kernel.settings.set('speech_driver', 'slow')
    await make(post_id, ['podcast'])
    assert.ok((await lastStart()) > before)
    assert.equal(await lastCaption(), await lastStart())
    const { seconds } = await film(`/episodes/${post_id}.mp4`)
    assert.ok(seconds * 1000 > (await lastStart()), String(seconds))
    // What is there is not made again.
    const etag = await etagOf(`/episodes/${post_id}.mp4`)
    await make(post_id, ['podcast', 'video'])
    assert.equal(await etagOf(`/episodes/${post_id}.mp4`), etag)
    await service.kernel.settings.set('speech_driver', 'test')
  })

  test('are gone with the post, and come again with it', async () => {
    const { post_id, slug } = post
    const statuses = () =>
      Promise.all(
        ['mp4', 'short.mp4'].map(async end => (await fetch(`${service.url}/episodes/${post_id}.${end}`)).status)
      )
    await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
    assert.deepEqual(await statuses(), [404, 404])
    assert.equal((await service.run('posts', 'publish', post_id, '--force')).status, 0)
    await until(async () => (await statuses()).every(status => status === 200))
    assert.equal((await postOf(slug)).media.video_url, `${service.url}/episodes/${post_id}.mp4`)
  })
})

test('the one for phones alone is the video of the post, and is removed with the audio', async () => {
  await service.kernel.settings.set('media_on_publish', 'video_short')
  const { post_id, slug } = await publish('For phones')
  const url = `${service.url}/episodes/${post_id}`
  await until(async () => (await postOf(slug)).media.video_url !== null)
  assert.deepEqual((await postOf(slug)).media, { podcast_url: `${url}.mp3`, video_url: `${url}.short.mp4` })
  assert.equal((await fetch(`${url}.mp4`)).status, 404)
  assert.equal((await service.run('media', 'remove', post_id, '--json')).status, 0)
  assert.equal((await fetch(`${url}.short.mp4`)).status, 404)
  assert.deepEqual((await postOf(slug)).media, { podcast_url: null, video_url: null })
})
