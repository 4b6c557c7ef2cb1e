import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import sharp from 'sharp'
import { type Db, UnavailableError } from '#core'
import { PostsService, PublishedPostsService } from '#plugins/posts'
import { createLog } from '../../../../cli/log/json-log.ts'
import { tagLength } from '../../../../plugins/media/audio/id3.ts'
import { createProgressReports } from '../../../../plugins/media/jobs/job-progress.ts'
import { createMediaRequests } from '../../../../plugins/media/jobs/media-requests.ts'
import { runWithSources } from '../../../../plugins/media/jobs/with-sources.ts'
import { findJob, isSpokenByAnother } from '../../../../plugins/media/repository/jobs.ts'
import { findingOf } from '../../../helpers/finding.ts'
import { makePublicPost } from '../../../helpers/public-post.ts'
import { type Answer, startService, type TestService } from '../../../helpers/service.ts'
import { startTelegramServer } from '../../../helpers/telegram-server.ts'
import { until } from '../../../helpers/until.ts'
import { makeWav, tone } from '../../../helpers/wav.ts'
import { createSpeakingPlugin } from './speaking-plugin.ts'

const engine = createSpeakingPlugin()
let service: TestService
let clock = () => new Date()
const logged: string[] = []
const logOf = (post_id: string) => logged.filter(line => line.includes(post_id)).map(line => JSON.parse(line))
before(async () => {
  service = await startService({
    now: () => clock(),
    log: createLog('warn', { write: line => void logged.push(line) }),
    plugins: [engine.plugin],
    settings: { speech_driver: 'test', site_title: 'The Tides', qa_rail_near_duplicate: 'off' }
  })
})
after(() => service.close())
beforeEach(async () => {
  engine.reset()
  await service.kernel.settings.set('media_on_publish', '')
  await service.kernel.settings.set('speech_driver', 'test')
})

const content = '# Tides\n\nThe sea rises.\n\n## The Moon\n\nIt pulls.\n\n## The Sun\n\nIt pulls less.'
const publish = (title: string, text = content) => makePublicPost(service, { title, content: text })
const generate = (post_id: string, body: object = {}) => service.bearer('POST', `/generate/${post_id}`, body)
const jobOf = async (job_id: string) => (await service.bearer('GET', `/api/media/jobs/${job_id}`)).body
const reaches = async (job_id: string, state: string) => {
  // Looked at dozens of times: a request takes far more of a processor.
  const hasEnded = async () => {
    const [row] = await service.db.query<{ state: string }>('select state from media_jobs where job_id = $1', [job_id])
    return row !== undefined && !['pending', 'running'].includes(row.state)
  }
  await until(hasEnded)
  const job = await jobOf(job_id)
  assert.equal(job.state, state, job.error)
  return job
}
const made = async (post_id: string, media?: string[]) => {
  const { status, body } = await generate(post_id, media && { media })
  assert.equal(status, 202)
  return reaches(body.job_id, 'done')
}
/** The engine waits before it speaks a text, until it is released. */
function holdAt(held: string) {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  engine.before(text => {
    if (text !== held) return
    reach()
    return released
  })
  return { reached, release }
}
/** One episode for all that only look at it. */
let ready: Promise<{ post_id: string; slug: string; job_id: string }> | undefined
const readyPost = () =>
  (ready ??= publish('Times').then(async post => ({ ...post, job_id: (await made(post.post_id)).job_id })))
const bytesOf = async (post_id: string) =>
  Buffer.from(await (await fetch(`${service.url}/episodes/${post_id}.mp3`)).arrayBuffer())
const hasPicture = async (post_id: string) => {
  const bytes = await bytesOf(post_id)
  return bytes.subarray(0, tagLength(bytes)).includes('APIC')
}
/** The address of a picture that is uploaded. */
async function upload(): Promise<string> {
  const body = await sharp({ create: { width: 1200, height: 630, channels: 3, background: '#135' } })
    .png()
    .toBuffer()
  const image = await fetch(`${service.url}/api/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'image/png' },
    body
  })
  return ((await image.json()) as { url: string }).url
}
/** No job of such a name is left to do. */
const areDone = async (...names: string[]) =>
  (await service.db.query(`select from jobs.job where name = any($1) and state < 'completed'`, [names])).length === 0
/** The media have followed all edits. */
const haveFollowed = () => areDone('posts.edited/media')
/** Until the end of the test, no picture of the podcast can be drawn. @returns the folder that is missing */
async function breakFonts(t: TestContext): Promise<string> {
  const missing = path.join(service.home, 'no-fonts')
  await service.kernel.settings.set('cover_fonts', missing)
  t.after(() => service.kernel.settings.set('cover_fonts', ''))
  return missing
}
const read = (address: string, headers?: Record<string, string>) =>
  service.anonymous('GET', address, undefined, headers)
const postOf = async (slug: string) => (await service.bearer('GET', `/api/posts/${slug}`)).body
/** What `galley doctor` says of one thing. */
const found = (name: string) => findingOf(service.kernel, name)
const storedFiles = () => readdirSync(path.join(service.home, 'media', 'episodes')).sort()

const mediaQuery = 'query ($slug: String!) { post(slug: $slug) { media { podcastUrl videoUrl state error } } }'
const files = ['mp3', 'vtt', 'srt', 'json', 'chapters.json']
/** Where readers find the media of a post. */
async function surfacesWith(post_id: string, slug: string): Promise<string[]> {
  const query = `{ post(slug: "${slug}") { media { podcastUrl } } }`
  const answers = new Map<string, Answer>()
  // One after the other: at once, a slow machine refuses some as too much.
  for (const extension of files) answers.set(extension, await read(`/episodes/${post_id}.${extension}`))
  const list = await read('/episodes?limit=100')
  const feed = await read('/podcast.xml')
  const graphql = await service.anonymous('POST', '/graphql', { query })
  const others = {
    list: list.body.items.some((item: { post_id: string }) => item.post_id === post_id),
    feed: feed.body.includes(post_id),
    graphql: graphql.body.data.post !== null
  }
  const found = files.filter(extension => answers.get(extension)?.status === 200)
  return [...found, ...Object.entries(others).flatMap(([name, isThere]) => (isThere ? [name] : []))]
}

/** The length in the feed is that of what is sent; where the feed changed while it was asked for, it is asked again. */
async function requireSameLength(post_id: string): Promise<void> {
  const stated = async () => {
    const item = (await read('/podcast.xml')).body.split('<item>').find((each: string) => each.includes(post_id)) ?? ''
    assert.match(item, new RegExp(`<guid isPermaLink="false">urn:uuid:${post_id}</guid>`))
    return Number(/<enclosure[^>]* length="(\d+)"/.exec(item)?.[1])
  }
  for (;;) {
    const before = await stated()
    const sent = (await (await fetch(`${service.url}/episodes/${post_id}.mp3`)).arrayBuffer()).byteLength
    if ((await stated()) !== before) continue
    assert.equal(sent, before)
    return
  }
}

/** Its sentences are gone, and the try that speaks them goes on with `release`. */
async function withdrawWhileSpoken(title: string) {
  const { post_id } = await publish(title)
  const { reached, release } = holdAt('It pulls less.')
  const { job_id } = (await generate(post_id)).body
  await reached
  await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
  await until(() => !existsSync(path.join(service.home, 'work', 'media', post_id)))
  return { post_id, job_id, release }
}

describe('the audio of a post', () => {
  test('is made at its publication where the setting says so, and offered everywhere', async () => {
    await service.kernel.settings.set('media_on_publish', 'podcast')
    const { post_id, slug } = await publish('How tides follow the moon')
    await until(async () => (await postOf(slug)).media.state === 'done')
    assert.deepEqual(engine.spoken, [
      'How tides follow the moon',
      'The sea rises.',
      'The Moon',
      'It pulls.',
      'The Sun',
      'It pulls less.'
    ])
    const url = `${service.url}/episodes/${post_id}`
    const { media } = (await read(`/api/posts/${slug}`)).body
    assert.deepEqual(media, { podcast_url: `${url}.mp3`, video_url: null })
    const { items } = (await read('/episodes')).body
    assert.equal(items.find((item: { post_id: string }) => item.post_id === post_id).podcast_url, `${url}.mp3`)
    const feed = (await read('/podcast.xml')).body
    for (const part of [`${url}.mp3`, `${url}.vtt`, `${url}.srt`, `${url}.json`, `${url}.chapters.json`])
      assert.ok(feed.includes(part), part)
    assert.match(feed, /<itunes:duration>7<\/itunes:duration>/)
    const length = /<enclosure[^>]* length="(\d+)"/.exec(feed)?.[1]
    assert.equal((await fetch(`${url}.mp3`, { method: 'HEAD' })).headers.get('content-length'), length)
  })

  test('is told of percent by percent, also while its MP3 is written', async t => {
    const { post_id } = await publish(
      'Percent by percent',
      Array.from({ length: 40 }, (_, at) => `Wave ${at}.`).join('\n\n')
    )
    await service.db.script(`create table reported (percent int);
      create function note_percent() returns trigger language plpgsql as
        $$ begin insert into reported values (new.progress); return new; end $$;
      create trigger note_percent after update of progress on media_jobs for each row
        when (new.post_id = '${post_id}' and new.state = 'running') execute function note_percent()`)
    // A second passes between any two looks at the clock.
    let seconds = 0
    clock = () => new Date(Date.now() + 1000 * seconds++)
    t.after(async () => {
      clock = () => new Date()
      await service.db.script('drop table reported; drop function note_percent cascade')
    })
    await made(post_id)
    const reported = (await service.db.query<{ percent: number }>('select distinct percent from reported')).map(
      row => row.percent
    )
    // The file is written between 85 and 95.
    for (let percent = 86; percent <= 95; percent++) assert.ok(reported.includes(percent), `${percent} of ${reported}`)
  })

  test('is told of in order, also when the database is late with the first percent', async () => {
    const { promise: isOnTime, resolve: answer } = Promise.withResolvers<void>()
    const written: unknown[] = []
    const query: Db['query'] = async (sql, params) => {
      if (params?.[1] === 10) await isOnTime
      written.push(params?.[1])
      return service.db.query(sql, params)
    }
    const { job_id } = await readyPost()
    await service.db.query(`update media_jobs set state = 'running', progress = 0 where job_id = $1`, [job_id])
    const db = { ...service.db, query }
    const job = await findJob(service.db, job_id)
    assert.ok(job)
    const report = createProgressReports({ db, now: () => new Date() }, job, 'speech')
    const reports = [report(10), report(50)]
    answer()
    await Promise.all(reports)
    assert.deepEqual(written, [10, 50])
    assert.equal((await jobOf(job_id)).progress, 50)
    await service.db.query(`update media_jobs set state = 'done', progress = 100 where job_id = $1`, [job_id])
  })

  test('has transcripts and chapters of the same times', async () => {
    const { post_id } = await readyPost()
    const vtt = await read(`/episodes/${post_id}.vtt`)
    assert.match(vtt.headers.get('content-type') ?? '', /^text\/vtt/)
    assert.match(
      vtt.body,
      /^WEBVTT\n\n00:00:00\.000 --> 00:00:00\.500\nTimes\n\n00:00:00\.950 --> 00:00:01\.450\nThe sea rises\.\n/
    )
    const srt = await read(`/episodes/${post_id}.srt`)
    assert.match(srt.body, /^1\n00:00:00,000 --> 00:00:00,500\nTimes\n/)
    const { segments } = (await read(`/episodes/${post_id}.json`)).body
    const { chapters } = (await read(`/episodes/${post_id}.chapters.json`)).body
    assert.deepEqual(
      chapters.map(({ title }: { title: string }) => title),
      ['The Moon', 'The Sun']
    )
    assert.equal(chapters[0].startTime, segments.find(({ body }: { body: string }) => body === 'The Moon').startTime)
    const { headers } = await read(`/episodes/${post_id}.chapters.json`)
    assert.match(headers.get('content-type') ?? '', /^application\/json\+chapters/)
  })

  test('is sent in ranges, with a strong ETag', async () => {
    const { post_id } = await readyPost()
    const whole = await fetch(`${service.url}/episodes/${post_id}.mp3`)
    const bytes = Buffer.from(await whole.arrayBuffer())
    assert.equal(bytes.subarray(0, 3).toString(), 'ID3')
    // For the page that a browser makes of the address.
    assert.match(whole.headers.get('content-security-policy') ?? '', /^default-src 'none'; media-src 'self';/)
    const etag = whole.headers.get('etag') ?? ''
    assert.match(etag, /^"[^"]+"$/)
    const part = await fetch(`${service.url}/episodes/${post_id}.mp3`, {
      headers: { range: 'bytes=100-199', 'if-range': etag }
    })
    assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, bytes.subarray(100, 200)])
    assert.equal(
      (
        await read(`/episodes/${post_id}.vtt`, {
          'if-none-match': (await read(`/episodes/${post_id}.vtt`)).headers.get('etag') ?? ''
        })
      ).status,
      304
    )
  })

  test('has the picture of the post in its tag, else that of the podcast; the sound stays as it is', async () => {
    const { post_id } = await readyPost()
    const tagOf = async () => {
      const bytes = await bytesOf(post_id)
      const length = tagLength(bytes)
      return { tag: bytes.subarray(0, length).toString('latin1'), audio: bytes.subarray(length).toString('latin1') }
    }
    const before = await tagOf()
    const ofPodcast = before.tag.slice(before.tag.indexOf('APIC'), before.tag.indexOf('CTOC'))
    assert.match(ofPodcast, /^APIC[\s\S]*image\/jpeg/)
    engine.reset()
    const url = await upload()
    await service.bearer('PATCH', `/api/posts/${post_id}`, { featured_image_url: url })
    await until(async () => !(await tagOf()).tag.includes(ofPodcast))
    const after = await tagOf()
    assert.equal(after.audio, before.audio)
    assert.match(after.tag, /APIC[\s\S]*image\/jpeg/)
    assert.ok(after.tag.includes('The Moon') && after.tag.includes('CHAP'))
    await service.bearer('PATCH', `/api/posts/${post_id}`, { featured_image_url: null })
    await until(async () => (await tagOf()).tag.includes(ofPodcast))
    assert.deepEqual(engine.spoken, [])
  })

  test('has the picture that its post got meanwhile, also where that of the podcast cannot be drawn', async t => {
    const { post_id } = await publish('Pictured late')
    await breakFonts(t)
    await made(post_id)
    await until(() => areDone('posts.edited/media', 'media.make'))
    const { reached, release } = holdAt('The sea falls.')
    await service.bearer('PATCH', `/api/posts/${post_id}`, { content: 'The sea falls.' })
    await reached
    await service.bearer('PATCH', `/api/posts/${post_id}`, { featured_image_url: await upload() })
    await until(haveFollowed)
    release()
    await until(() => areDone('media.make'))
    assert.match((await read(`/episodes/${post_id}.vtt`)).body, /The sea falls/)
    assert.equal(await hasPicture(post_id), true)
  })

  test('without the picture of the podcast is made once, and stays as it is after an edit of anything else', async t => {
    const { post_id } = await publish('Never drawn')
    await breakFonts(t)
    const { job_id } = await made(post_id)
    await until(() => areDone('posts.edited/media', 'media.make'))
    assert.equal(logOf(post_id).length, 1)
    const { updated_at } = await jobOf(job_id)
    await service.bearer('PATCH', `/api/posts/${post_id}`, { tags: ['sea'] })
    await until(haveFollowed)
    assert.equal((await jobOf(job_id)).updated_at, updated_at)
    assert.equal(logOf(post_id).length, 1)
  })

  test('is one job for the same text, also when fifty ask at once', async () => {
    const { post_id } = await publish('Fifty')
    const answers = await Promise.all(Array.from({ length: 50 }, () => generate(post_id, { media: ['podcast'] })))
    const ids = new Set(answers.map(({ body }) => body.job_id))
    assert.deepEqual([ids.size, new Set(answers.map(({ status }) => status))], [1, new Set([202])])
    assert.deepEqual(answers[0]?.body, { job_id: [...ids][0], post_id, media: ['podcast'] })
    await reaches([...ids][0] ?? '', 'done')
    const again = await generate(post_id)
    assert.equal(again.body.job_id, [...ids][0])
    assert.equal(engine.spoken.filter(text => text === 'Fifty').length, 1)
  })

  test('waits while another worker speaks the same text for other kinds', async () => {
    const { post_id } = await publish('Two workers')
    const first = (await generate(post_id, { media: ['podcast'] })).body.job_id
    await reaches(first, 'done')
    assert.equal((await service.run('media', 'remove', post_id, '--json')).status, 0)
    engine.reset()
    // As another worker has it.
    await service.db.query(`update media_jobs set state = 'running' where job_id = $1`, [first])
    const second = (await generate(post_id, { media: ['podcast', 'image'] })).body.job_id
    const waits = `name = 'media.make' and state = 'created' and start_after > now() and data ->> 'job_id' = $1`
    await until(async () => (await service.db.query(`select from jobs.job where ${waits}`, [second])).length === 1)
    assert.equal((await jobOf(second)).state, 'pending')
    assert.deepEqual(engine.spoken, [])
    await service.db.query(`update media_jobs set state = 'done' where job_id = $1`, [first])
    await service.db.query(`update jobs.job set start_after = now() where ${waits}`, [second])
    await reaches(second, 'done')
    assert.equal(engine.spoken.length, 6)
  })

  test('waits for another worker an hour after its last sign of life', async () => {
    const { post_id } = await publish('A worker that was lost')
    const { job_id } = (await generate(post_id, { media: ['podcast'] })).body
    await reaches(job_id, 'done')
    const [row] = await service.db.query<{ hash: string }>('select hash from media_jobs where job_id = $1', [job_id])
    const other = { post_id, job_id: randomUUID(), hash: row?.hash ?? '' }
    for (const [age, isWaitedFor] of [
      ['59 minutes', true],
      ['61 minutes', false]
    ] as const) {
      await service.db.query(
        `update media_jobs set state = 'running', updated_at = now() - $2::interval where job_id = $1`,
        [job_id, age]
      )
      assert.equal(await isSpokenByAnother(service.db, other), isWaitedFor, age)
    }
    await service.db.query(`update media_jobs set state = 'done' where job_id = $1`, [job_id])
  })

  test('does not keep the cover of another post waiting', async () => {
    const { post_id } = await publish('Slowly spoken')
    const other = await publish('A cover alone')
    const { reached, release } = holdAt('Slowly spoken')
    const episode = (await generate(post_id, { media: ['podcast'] })).body.job_id
    await reached
    await reaches((await generate(other.post_id, { media: ['image'] })).body.job_id, 'done')
    assert.equal((await jobOf(episode)).state, 'running')
    release()
    await reaches(episode, 'done')
  })

  test('of a long text does not keep that of a short one waiting', async () => {
    // Its length counts, whether it is read aloud or not.
    const { post_id } = await publish('A book', `The sea rises.\n\n\`\`\`\n${'tide\n'.repeat(4500)}\`\`\``)
    const other = await publish('A page')
    await service.kernel.settings.set('speech_driver', 'slow')
    const { reached, release } = holdAt('A book')
    const book = (await generate(post_id)).body.job_id
    await reached
    await reaches((await generate(other.post_id)).body.job_id, 'done')
    assert.equal((await jobOf(book)).state, 'running')
    release()
    await reaches(book, 'done')
  })

  test('leaves the cached answers to readers as they are until it is there', async () => {
    const { post_id, slug } = await publish('Cached')
    const misses = async () =>
      /http_cache_misses_total (\d+)/.exec((await service.bearer('GET', '/metrics')).body)?.[1] ?? assert.fail()
    const { reached, release } = holdAt('Cached')
    // Those who follow the publication change what readers see.
    await until(async () => {
      const before = await misses()
      await read(`/api/posts/${slug}`)
      return before === (await misses())
    })
    const before = await misses()
    const { job_id } = (await generate(post_id, { media: ['podcast'] })).body
    await reached
    await until(async () => (await postOf(slug)).media.state === 'pending')
    assert.equal((await read(`/api/posts/${slug}`)).body.media.podcast_url, null)
    assert.equal(await misses(), before)
    release()
    await reaches(job_id, 'done')
    assert.notEqual((await read(`/api/posts/${slug}`)).body.media.podcast_url, null)
  })

  test('is made anew after an edit of the text, at the same address; the old one is heard until then', async () => {
    const { post_id, slug } = await publish('Edited')
    await made(post_id)
    const address = `/episodes/${post_id}.vtt`
    const before = await read(address)
    engine.reset()
    engine.before(async () => assert.equal((await read(address)).body, before.body))
    await service.bearer('PATCH', `/api/posts/${post_id}`, { content: `${content}\n\nAnd the wind.` })
    await until(async () => {
      await requireSameLength(post_id)
      return (await read(address)).body.includes('And the wind.')
    })
    await requireSameLength(post_id)
    assert.notEqual((await read(address)).headers.get('etag'), before.headers.get('etag'))
    await until(async () => (await postOf(slug)).media.state === 'done')
  })

  test('has only the new sentences spoken after an edit, unless no room is given to those spoken before', async () => {
    const edit = async (post_id: string, text: string) => {
      engine.reset()
      await service.bearer('PATCH', `/api/posts/${post_id}`, { content: `${content}\n\n${text}` })
      await until(async () => (await read(`/episodes/${post_id}.vtt`)).body.includes(text))
      return engine.spoken
    }
    const { post_id } = await publish('Revised')
    await made(post_id)
    assert.deepEqual(await edit(post_id, 'And the wind.'), ['And the wind.'])
    await service.kernel.settings.set('speech_cache_mb', '0')
    await edit(post_id, 'And the rain.')
    await until(() => readdirSync(path.join(service.home, 'work', 'media')).length === 0)
    assert.equal((await edit(post_id, 'And the snow.')).length, 7)
    await service.kernel.settings.set('speech_cache_mb', '500')
  })

  test('leaves its sentences for thirty days', async () => {
    const old = await publish('Old', 'One.')
    const recent = await publish('Recent', 'Another.')
    const folderOf = ({ post_id }: { post_id: string }) => path.join(service.home, 'work', 'media', post_id)
    await made(old.post_id)
    await made(recent.post_id)
    const used = new Date(Date.now() - 31 * 86_400_000)
    utimesSync(folderOf(old), used, used)
    await made((await publish('Newest', 'A third.')).post_id)
    await until(() => !existsSync(folderOf(old)))
    assert.equal(readdirSync(folderOf(recent)).length, 2)
  })

  test('is spoken anew once it was removed: the voice may sound otherwise now', async () => {
    const { post_id } = await publish('Once more')
    await made(post_id)
    assert.equal((await service.run('media', 'remove', post_id, '--json')).status, 0)
    engine.reset()
    await made(post_id)
    assert.equal(engine.spoken.length, 6)
  })

  test('is made again, without speaking it again, when it is asked for and its files are gone from the store', async () => {
    const { post_id } = await publish('Files removed by hand')
    const { job_id } = await made(post_id, ['podcast', 'image'])
    const stored = `select key from media_files where post_id = $1
      union select 'images/' || filename from media_covers where post_id = $1`
    const rows = await service.db.query<{ key: string }>(stored, [post_id])
    assert.equal(rows.length, 6)
    const lost = rows.map(({ key }) => path.join(service.home, 'media', key))
    for (const file of lost) rmSync(file)
    engine.reset()
    assert.equal((await made(post_id, ['podcast', 'image'])).job_id, job_id)
    assert.deepEqual(
      lost.filter(file => !existsSync(file)),
      []
    )
    assert.deepEqual(engine.spoken, [])
  })

  test('is not spoken for a post that lost its cover alone: what is gone comes again, whoever asked for it', async () => {
    await service.kernel.settings.set('media_on_publish', 'image')
    const { post_id } = await publish('Cover removed by hand')
    const file = 'select filename from media_covers where post_id = $1'
    await until(async () => (await service.db.query(file, [post_id])).length > 0)
    // The post has its picture by then, and whoever follows that looks at the cover, too.
    await until(async () => (await service.kernel.jobs.stats()).every(({ ready, active }) => ready + active === 0))
    await service.kernel.settings.set('media_on_publish', '')
    const [row] = await service.db.query<{ filename: string }>(file, [post_id])
    const cover = path.join(service.home, 'media', 'images', row?.filename ?? '')
    rmSync(cover)
    engine.reset()
    const { media } = await made(post_id)
    assert.deepEqual(media, ['image'])
    assert.ok(existsSync(cover))
    assert.deepEqual(engine.spoken, [])
  })

  test('stays removed when somebody looked just before what the post should have', async () => {
    const { post_id } = await publish('Removed meanwhile')
    await made(post_id)
    const posts = service.kernel.service(PostsService)
    const published = service.kernel.service(PublishedPostsService)
    assert.ok(posts !== undefined && published !== undefined)
    const requests = createMediaRequests({
      db: {
        ...service.db,
        query: (...asked) => service.db.query(...asked),
        transaction: async decide => {
          assert.equal((await service.run('media', 'remove', post_id, '--json')).status, 0)
          return service.db.transaction(decide)
        }
      },
      enqueue: () => assert.fail('nothing is asked for'),
      posts,
      published,
      speech: { chosen: () => assert.fail('nothing is spoken') },
      images: { find: async () => null },
      covers: { designKey: () => [], isLost: async () => false },
      store: { stat: () => assert.fail('nobody looks') },
      kindsOnPublish: () => []
    })
    await requests.follow(post_id, { isNew: false })
    const states = await service.db.query('select state from media_jobs where post_id = $1', [post_id])
    assert.deepEqual(states, [{ state: 'removed' }])
  })

  test('is made of the picture that the post has once it is locked', async () => {
    const { post_id } = await publish('Two pictures')
    const posts = service.kernel.service(PostsService)
    assert.ok(posts !== undefined)
    const later = 'https://images.example/later.jpg'
    const looked: (string | null)[] = []
    const find = async (url: string | null) => {
      looked.push(url)
      if (looked.length === 1) await service.bearer('PATCH', `/api/posts/${post_id}`, { featured_image_url: later })
      return url === later ? 'later.jpg' : null
    }
    const covers = { designKey: () => [] }
    const speech = { chosen: () => ({ voice: 'Test voice', speak: () => assert.fail('nothing is spoken') }) }
    const deps = { db: service.db, posts, speech, images: { find }, covers }
    const picture = await runWithSources(deps, post_id, async (tx, sourcesOf) => {
      await posts.lock(tx, post_id)
      const post = await posts.read(tx, post_id)
      assert.ok(post !== undefined)
      return sourcesOf(post).picture
    })
    assert.equal(picture, 'later.jpg')
    assert.deepEqual(looked, [null, later])
  })

  test('stays as it is after an edit of anything else', async () => {
    const { post_id, job_id } = await readyPost()
    engine.reset()
    await service.bearer('PATCH', `/api/posts/${post_id}`, { tags: ['sea'], excerpt: 'Why' })
    assert.equal((await generate(post_id)).body.job_id, job_id)
    assert.deepEqual(engine.spoken, [])
  })

  test('stays as it is after a change of public_url, which names the pictures of its text', async () => {
    const { settings } = service.kernel
    const picture = `${service.url}/images/generated/${'0'.repeat(64)}.png`
    const { post_id, slug } = await publish('Tides at other addresses', `${content}\n\n![The sea](${picture})`)
    const { job_id } = await made(post_id)
    engine.reset()
    await settings.set('public_url', 'https://new.example')
    const textOf = async () => (await (await fetch(`${service.url}/api/posts/${slug}`)).json()).content
    await until(async () => (await textOf()).includes('https://new.example/images/generated/'))
    const asked = await service.run('media', 'generate', post_id, '--json')
    await settings.set('public_url', '')
    assert.equal(JSON.parse(asked.out).job_id, job_id)
    assert.deepEqual(engine.spoken, [])
  })

  test('is made of the new text where that is edited while it is made', async () => {
    const { post_id } = await publish('Overtaken', 'The first text.')
    const { reached, release } = holdAt('The first text.')
    const { job_id } = (await generate(post_id)).body
    await reached
    await service.bearer('PATCH', `/api/posts/${post_id}`, { content: 'The second text.' })
    await until(async () => (await jobOf(job_id)).state === 'replaced')
    release()
    await until(async () => (await read(`/episodes/${post_id}.vtt`)).status === 200)
    assert.match((await read(`/episodes/${post_id}.vtt`)).body, /The second text/)
  })

  test('is made by the new voice where that is set while it is made', async () => {
    const { post_id, slug } = await publish('Another voice')
    const { reached, release } = holdAt('It pulls less.')
    const { job_id } = (await generate(post_id)).body
    await reached
    await service.kernel.settings.set('speech_driver', 'slow')
    release()
    await reaches(job_id, 'replaced')
    await until(async () => (await postOf(slug)).media.state === 'done')
    assert.match((await read(`/episodes/${post_id}.vtt`)).body, /^WEBVTT\n\n00:00:00\.000 --> 00:00:00\.750\n/)
  })

  test('is spoken once where its post is withdrawn while it is made, and published again', async () => {
    const { post_id, job_id, release } = await withdrawWhileSpoken('Taken back')
    release()
    const active = `select from jobs.job where name = 'media.make' and state = 'active'`
    await until(async () => (await service.db.query(active)).length === 0)
    assert.ok(await areDone('media.make'), 'a try is left, which would speak beside the new one')
    assert.equal((await jobOf(job_id)).state, 'withdrawn')
    engine.reset()
    assert.equal((await service.run('posts', 'publish', post_id, '--force')).status, 0)
    await until(async () => (await read(`/episodes/${post_id}.mp3`)).status === 200)
    assert.deepEqual(engine.spoken, [...new Set(engine.spoken)])
  })

  for (const state of ['pending', 'running'])
    test(`is left to the new try where it is ${state} while the former one speaks`, async () => {
      const { post_id, job_id, release } = await withdrawWhileSpoken(`Back at once, ${state}`)
      assert.equal((await service.run('posts', 'publish', post_id, '--force')).status, 0)
      await until(async () => (await jobOf(job_id)).state === 'pending')
      // As a second process leaves it that has begun the new one.
      await service.db.query('update media_jobs set state = $2 where job_id = $1', [job_id, state])
      release()
      await reaches(job_id, 'done')
      const tries = `select from jobs.job where name = 'media.make' and data->>'job_id' = $1 and retry_count > 0`
      assert.deepEqual(await service.db.query(tries, [job_id]), [])
      assert.deepEqual(logOf(post_id), [])
    })

  test('is gone at once with its post, its files after it, and comes again with it', async () => {
    const { post_id, slug } = await publish('Withdrawn')
    // A job removes what others replaced.
    await until(async () => (await service.kernel.jobs.stats()).every(({ ready, active }) => ready + active === 0))
    const before = storedFiles()
    await made(post_id)
    // What is asked for again lies in memory.
    for (let times = 0; times < 3; times += 1)
      assert.deepEqual(await surfacesWith(post_id, slug), [...files, 'list', 'feed', 'graphql'])
    await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
    assert.deepEqual(await surfacesWith(post_id, slug), [])
    await until(() => JSON.stringify(storedFiles()) === JSON.stringify(before))
    await until(async () => (await service.bearer('GET', `/api/posts/${post_id}`)).body.media.state === null)
    assert.equal((await service.run('posts', 'publish', post_id, '--force')).status, 0)
    await until(async () => (await read(`/episodes/${post_id}.mp3`)).status === 200)
    await until(async () => (await postOf(slug)).media.state === 'done')
    assert.deepEqual(await surfacesWith(post_id, slug), [...files, 'list', 'feed', 'graphql'])
    const archived = await service.bearer('DELETE', `/api/posts/${post_id}`)
    assert.deepEqual(archived.body.media, { podcast_url: null, video_url: null, state: null, error: null })
    assert.deepEqual(await surfacesWith(post_id, slug), [])
    await until(() => JSON.stringify(storedFiles()) === JSON.stringify(before))
  })
})

describe('media over GraphQL', () => {
  test('has the addresses for everybody, and its state for clients with a token', async () => {
    const { post_id, slug } = await readyPost()
    const podcastUrl = `${service.url}/episodes/${post_id}.mp3`
    const bearer = await service.bearer('POST', '/graphql', { query: mediaQuery, variables: { slug } })
    const media = { podcastUrl, videoUrl: null, state: 'done', error: null }
    assert.deepEqual(bearer.body, { data: { post: { media } } })
    const open = 'query ($slug: String!) { post(slug: $slug) { media { podcastUrl videoUrl } } }'
    const anonymous = await service.anonymous('POST', '/graphql', { query: open, variables: { slug } })
    assert.deepEqual(anonymous.body, { data: { post: { media: { podcastUrl, videoUrl: null } } } })
    for (const field of ['state', 'error']) {
      const secret = `query ($slug: String!) { post(slug: $slug) { media { ${field} } } }`
      const { body } = await service.anonymous('POST', '/graphql', { query: secret, variables: { slug } })
      assert.match(JSON.stringify(body.errors), /token/, field)
    }
  })
})

describe('an engine that fails', () => {
  test('leaves the post published, and says so to clients with a token, to doctor, in the list and in the chat', async t => {
    const telegram = await startTelegramServer()
    t.after(async () => {
      await service.kernel.settings.set('telegram_bot_token', '')
      await telegram.close()
    })
    for (const [key, value] of Object.entries(telegram.settings())) await service.kernel.settings.set(key, value)
    const { post_id, slug } = await publish('Refused')
    await service.kernel.settings.set('speech_driver', 'command')
    const { job_id } = (await generate(post_id)).body
    const { error } = await reaches(job_id, 'failed')
    assert.match(error, /speech_command is empty: set it/)
    await until(async () => (await postOf(slug)).media.state === 'failed')
    assert.deepEqual((await postOf(slug)).media, { podcast_url: null, video_url: null, state: 'failed', error })
    const { body } = await service.bearer('POST', '/graphql', { query: mediaQuery, variables: { slug } })
    assert.deepEqual(body.data.post.media, { podcastUrl: null, videoUrl: null, state: 'failed', error })
    const public_post = (await read(`/api/posts/${slug}`)).body
    assert.deepEqual([public_post.status, public_post.media], ['published', { podcast_url: null, video_url: null }])
    await until(() => telegram.messages.length > 0)
    assert.ok(telegram.messages[0]?.text.startsWith(`No media could be made of: Refused\n`), telegram.messages[0]?.text)
    assert.ok(telegram.messages[0]?.text.includes(error))
    // A post counts once, however many of its jobs failed.
    await reaches((await generate(post_id, { media: ['video'] })).body.job_id, 'failed')
    assert.match((await found('media jobs')).found, /Posts without the media that were asked for: 1; the latest/)
    assert.match((await found('speech')).found, /No audio can be made: The setting speech_driver is command/)
    await service.kernel.settings.set('speech_driver', 'test')
    assert.deepEqual(await found('speech'), { status: 'ok', found: 'Test voice speaks' })
    engine.reset()
    assert.equal((await made(post_id)).error, null)
    assert.equal((await found('media jobs')).status, 'ok')
  })

  test('by silence is told of at once, and asked anew once it was corrected', async () => {
    const { post_id } = await publish('Silent')
    engine.silence()
    const { error } = await reaches((await generate(post_id)).body.job_id, 'failed')
    assert.match(error, /^The engine Test voice gave no sound: a WAV without samples for "Silent"/)
    engine.reset()
    await made(post_id)
    assert.equal(engine.spoken.length, 6)
  })

  test('by silence for one sentence is told of, and only a text of signs may be silent', async () => {
    const { post_id } = await publish('Hardly silent', 'The sea rises.\n\n🌊\n\nIt must be heard.\n\nIt falls.')
    engine.silence(text => text === 'It must be heard.')
    const { error } = await reaches((await generate(post_id)).body.job_id, 'failed')
    assert.match(error, /gave no sound: a WAV without samples for "It must be heard\."/)
    engine.reset()
    engine.silence(text => text === '🌊')
    await made(post_id)
    assert.match(
      (await read(`/episodes/${post_id}.vtt`)).body,
      /The sea rises\.\n.*It must be heard\.\n.*It falls\.\n/s
    )
  })

  test('because its voice is that of another engine fails at once, and doctor says which setting to correct', async () => {
    const { post_id } = await publish('Left over')
    await service.kernel.settings.set('speech_driver', 'embedded')
    await service.kernel.settings.set('speech_voice', 'alloy')
    try {
      const { error } = await reaches((await generate(post_id)).body.job_id, 'failed')
      assert.match(error, /^The setting speech_voice is alloy, which is no voice of espeak-ng: set one/)
      const { status, found: text } = await found('speech')
      assert.equal(status, 'degraded')
      assert.match(text, /No audio can be made: The setting speech_voice is alloy/)
    } finally {
      await service.kernel.settings.set('speech_voice', '')
    }
    assert.equal((await found('speech')).status, 'ok')
    assert.equal((await made(post_id)).error, null)
  })

  test('by silence is what doctor hears', async () => {
    engine.silence()
    assert.match(
      (await found('speech')).found,
      /No audio can be made: The engine Test voice gave no sound: a WAV without samples for "One/
    )
  })

  test('says so while it is asked again, and its first fault is not hidden by the last one', async () => {
    const { post_id, slug } = await publish('Failing')
    let tries = 0
    // What is made of another post meanwhile does not count.
    engine.before(text => {
      if (text === 'Failing') throw new UnavailableError(`Fault ${++tries}.`)
    })
    const { job_id } = (await generate(post_id)).body
    await until(async () => (await jobOf(job_id)).error !== null)
    const { state, error } = await jobOf(job_id)
    assert.deepEqual([state, error], ['running', 'Fault 1.'])
    assert.deepEqual((await postOf(slug)).media, {
      podcast_url: null,
      video_url: null,
      state: 'pending',
      error: 'Fault 1.'
    })
    await until(async () => {
      await service.db.query(`update jobs.job set start_after = now() where name = 'media.make' and state = 'retry'`)
      return (await jobOf(job_id)).state === 'failed'
    })
    const reason = `Fault 1. The last try failed otherwise: Fault ${tries}.`
    assert.equal((await jobOf(job_id)).error, reason)
    assert.equal((await postOf(slug)).media.error, reason)
    assert.match((await found('media jobs')).found, new RegExp(`because: ${reason}$`))
    engine.reset()
    assert.equal((await made(post_id)).error, null)
  })

  test('as nobody foresaw is a sentence everywhere; its words are for the log', async () => {
    const { post_id, slug } = await publish('Unforeseen')
    engine.before(text => {
      if (text === 'Unforeseen') throw new TypeError(`x is undefined\n    at file://${service.home}/engine.js:1:2`)
    })
    const { job_id } = (await generate(post_id)).body
    await until(async () => (await jobOf(job_id)).error !== null)
    const sentence = 'The media could not be made: the log of the service says why. Ask again once that is mended.'
    assert.equal((await postOf(slug)).media.error, sentence)
    const [line] = logOf(post_id)
    assert.deepEqual([line.post_id, line.job_id], [post_id, job_id])
    assert.match(line.err.message, /x is undefined/)
    await until(async () => {
      await service.db.query(`update jobs.job set start_after = now() where name = 'media.make' and state = 'retry'`)
      return (await jobOf(job_id)).state === 'failed'
    })
    assert.equal((await jobOf(job_id)).error, sentence)
    assert.match((await found('media jobs')).found, new RegExp(`because: ${sentence}$`))
    engine.reset()
    await made(post_id)
  })

  test('is not what ends an episode: one has no picture where that of the podcast cannot be drawn', async t => {
    const { post_id } = await publish('No picture')
    const missing = await breakFonts(t)
    await made(post_id)
    assert.equal((await read(`/episodes/${post_id}.mp3`)).status, 200)
    const [{ err, msg }] = logOf(post_id)
    assert.match(msg, /has no picture/)
    assert.match(err.message, new RegExp(`^The folder of fonts ${missing} cannot be read`))
    assert.equal(await hasPicture(post_id), false)
    // Asked for again, it gets the picture, and nothing is spoken again.
    await service.kernel.settings.set('cover_fonts', '')
    engine.reset()
    await made(post_id)
    assert.deepEqual([await hasPicture(post_id), engine.spoken], [true, []])
  })

  test('and says when it may be asked again is asked then', async () => {
    const { post_id, slug } = await publish('Busy for half an hour')
    let waits = 0
    // Each sentence that was spoken begins the count of the waits anew.
    const refused = () => ['It pulls.', 'The Sun'].slice(waits < 3 ? 0 : 1)
    engine.before(text => {
      if (waits < 7 && refused().includes(text))
        throw Object.assign(new UnavailableError('The engine is busy.'), { retryAfterMs: 1_800_000 })
    })
    const { job_id } = (await generate(post_id)).body
    const waiting = `name = 'media.make' and state = 'created' and data ->> 'job_id' = $1 and start_after > now() + interval '1 minute'`
    const isWaiting = async () =>
      (await service.db.query(`select from jobs.job where ${waiting}`, [job_id])).length === 1
    while (waits < 7) {
      await until(isWaiting)
      assert.deepEqual(
        [(await jobOf(job_id)).error, (await postOf(slug)).media.state],
        ['The engine is busy.', 'pending']
      )
      waits += 1
      // It waits no more from here on, and may wait again before anybody looks.
      await service.db.query(`update jobs.job set start_after = now() where ${waiting}`, [job_id])
    }
    await reaches(job_id, 'done')
  })

  test('has all that failed asked for again by one command', async () => {
    // What tests before have left behind would be asked for, too.
    const unfinished = "select from media_jobs where state in ('pending', 'running')"
    await until(async () => (await service.db.query(unfinished)).length === 0)
    await service.db.query("delete from media_jobs where state = 'failed'")
    const posts = [await publish('First of three'), await publish('Second of three'), await publish('Third of three')]
    await service.kernel.settings.set('speech_driver', 'command')
    for (const { post_id } of posts) await reaches((await generate(post_id)).body.job_id, 'failed')
    await service.kernel.settings.set('speech_driver', 'test')
    const first = JSON.parse((await service.run('media', 'generate', '--failed', '--limit', '2', '--json')).out)
    assert.deepEqual([first.asked.length, first.refused, first.left], [2, [], 1])
    assert.match((await service.run('media', 'generate', '--failed')).out, /^Asked again: 1\. No other failed\./)
    for (const { slug } of posts) await until(async () => (await postOf(slug)).media.state === 'done')
    assert.match((await service.run('media', 'generate', '--failed')).out, /^Asked again: 0\. No other failed\./)
    for (const [argv, fault] of [
      [[], /post_id.* is required, or --failed/],
      [[posts[0]?.post_id ?? '', '--failed'], /cannot be combined/],
      [['--failed', '--media', 'video'], /cannot be combined with --failed/],
      [[posts[0]?.post_id ?? '', '--limit', '3'], /limit is for --failed alone/]
    ] as const) {
      const { status, err } = await service.run('media', 'generate', ...argv)
      assert.equal(status, 2)
      assert.match(err, fault)
    }
  })

  test('for a moment is asked again, and not for what it has spoken', async () => {
    const { post_id } = await publish('Interrupted')
    let fails = true
    engine.before(text => {
      if (text !== 'It pulls.' || !fails) return
      fails = false
      throw new UnavailableError('The engine is busy.')
    })
    await made(post_id)
    assert.deepEqual(
      engine.spoken.toSorted(),
      ['Interrupted', 'It pulls less.', 'It pulls.', 'The Moon', 'The Sun', 'The sea rises.'].toSorted()
    )
  })
})

describe('a program that opens its text and its sound by path', () => {
  const byPath = `const fs = require('node:fs')
    if (fs.readFileSync('/dev/stdin', 'utf8') !== '') fs.writeFileSync('/dev/stdout', fs.readFileSync(process.argv[1]))`
  const wav = () => {
    const file = path.join(service.home, 'tone.wav')
    writeFileSync(file, makeWav(tone(0.5, 16_000), { sampleRate: 16_000 }))
    return file
  }
  const hasFlite = spawnSync('flite', ['--version']).error === undefined
  const programs: [name: string, command: () => string[], skip: string | false][] = [
    ['of a test', () => [process.execPath, '-e', byPath, wav()], false],
    [
      'flite',
      () => ['flite', '-voice', 'slt', '-f', '/dev/stdin', '-o', '/dev/stdout'],
      !hasFlite && 'flite is not installed'
    ]
  ]
  for (const [name, command, skip] of programs)
    test(`makes an episode: ${name}`, { skip }, async () => {
      await service.kernel.settings.set('speech_command', JSON.stringify(command()))
      await service.kernel.settings.set('speech_driver', 'command')
      const { files: found } = await made((await publish(`Spoken by ${name}`)).post_id)
      assert.ok(found.some(({ duration_ms }: { duration_ms: number | null }) => (duration_ms ?? 0) > 3000))
      await service.kernel.settings.set('speech_command', '[]')
    })
})

describe('what is refused', () => {
  const rows: [
    what: string,
    send: () => Promise<{ status: number; body: unknown }>,
    status: number,
    message: RegExp
  ][] = [
    ['an unknown kind', async () => generate((await publish('Opera')).post_id, { media: ['opera'] }), 400, /media/],
    ['a post that is not there', () => generate(randomUUID()), 404, /There is no post/],
    [
      'a job that is not there',
      () => service.bearer('GET', `/api/media/jobs/${randomUUID()}`),
      404,
      /There is no media job/
    ],
    ['a stranger', () => service.anonymous('POST', `/generate/${randomUUID()}`, {}), 401, /token/]
  ]
  for (const [what, send, status, message] of rows)
    test(what, async () => {
      const answer = await send()
      assert.equal(answer.status, status)
      assert.match(JSON.stringify(answer.body), message)
    })

  test('a post that is not public', async () => {
    const { post_id } = await publish('Draft')
    await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
    const { status, body } = await generate(post_id)
    assert.equal(status, 409)
    assert.match(body.message, /media are made of public posts only\. Publish it first/)
  })
})

describe('galley media', () => {
  test('generate, status, list and remove', async () => {
    const { post_id, slug } = await publish('By hand')
    const { status, out } = await service.run('media', 'generate', post_id.slice(0, 13), '--media', 'podcast', '--json')
    assert.equal(status, 0)
    const { job_id } = JSON.parse(out)
    await reaches(job_id, 'done')
    const shown = JSON.parse((await service.run('media', 'status', job_id.slice(0, 8), '--json')).out)
    assert.deepEqual([shown.state, shown.progress, shown.files.length], ['done', 100, 5])
    const listed = JSON.parse((await service.run('media', 'list', '--post', post_id, '--json')).out)
    assert.deepEqual([listed.total, listed.items[0].job_id], [1, job_id])
    assert.match((await service.run('media', 'list')).out, new RegExp(job_id.slice(0, 8)))
    assert.equal((await service.run('media', 'remove', post_id, '--json')).status, 0)
    assert.equal((await read(`/episodes/${post_id}.mp3`)).status, 404)
    assert.deepEqual((await postOf(slug)).media, { podcast_url: null, video_url: null, state: null, error: null })
    assert.equal((await service.run('media', 'remove', post_id)).status, 1)
    assert.equal((await service.run('media', 'generate', post_id, '--media', 'opera')).status, 2)
  })

  test('makes what posts create asked for, once the post is public', async () => {
    const created = await service.bearer('POST', '/api/posts', {
      content: 'Sea.',
      title: 'Asked',
      status: 'awaiting_approval',
      media: ['podcast']
    })
    const { post_id, slug } = created.body
    assert.equal((await service.run('posts', 'publish', post_id, '--force')).status, 0)
    await until(async () => (await postOf(slug)).media?.state === 'done')
  })
})

describe('any text', () => {
  const rows: [what: string, post: { title: string; content?: string; language?: string }, heard: RegExp][] = [
    [
      'of code alone',
      { title: 'Code', content: '```sh\nrm -rf /\n```' },
      /\nCode\n.*\nThe text has a code example here\.\n/s
    ],
    ['with a title of 200 characters', { title: `${'The tide turns '.repeat(13)}again` }, /The tide turns again\n/],
    ['with a title of emoji', { title: '🌊🌙', content: 'The sea rises.' }, /\n🌊🌙\n.*\nThe sea rises\.\n/s],
    ['with a title that begins unseen', { title: '\u200b\u200d Zulu' }, /\nThe sea rises\.\n/],
    ['in Arabic', { title: 'المد والجزر', content: 'يرتفع البحر مرتين في اليوم.', language: 'ar' }, /يرتفع البحر/],
    ['in Chinese', { title: '潮汐', content: '海水每天上涨两次。', language: 'zh' }, /海水每天上涨两次。/]
  ]
  test('is heard and has its picture, whatever its script', async () => {
    await service.kernel.settings.set('speech_driver', 'embedded')
    const asked: { job_id: string; post_id: string; heard: RegExp }[] = []
    for (const [, { title, content = 'The sea rises.', language }, heard] of rows) {
      const { post_id } = await publish(title, content)
      if (language !== undefined) await service.bearer('PATCH', `/api/posts/${post_id}`, { language })
      asked.push({ ...(await generate(post_id, { media: ['podcast', 'image'] })).body, heard })
    }
    for (const { job_id, post_id, heard } of asked) {
      await reaches(job_id, 'done')
      assert.match((await read(`/episodes/${post_id}.vtt`)).body, heard)
      assert.equal((await fetch(`${service.url}/episodes/${post_id}.mp3`)).status, 200)
      const { featured_image_url } = (await service.bearer('GET', `/api/posts/${post_id}`)).body
      assert.equal((await fetch(featured_image_url)).status, 200)
    }
  })

  test('in letters of another language is refused before it is spoken, with what to do', async () => {
    const { post_id } = await publish('الجزر والمد', 'يرتفع البحر مرتين في اليوم بسبب القمر.')
    const { job_id } = (await generate(post_id)).body
    const { error } = await reaches(job_id, 'failed')
    assert.match(error, /The language of the post is en, .*galley posts edit \w{8} --language, as ar for Arabic/)
    assert.equal(engine.spoken.includes('الجزر والمد'), false)
  })

  test('without a word is told of at once', async () => {
    const { job_id } = (await generate((await publish('— —', '* * *')).post_id)).body
    assert.match((await reaches(job_id, 'failed')).error, /has no words that can be read aloud/)
  })
})
