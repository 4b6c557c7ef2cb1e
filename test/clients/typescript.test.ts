// Not on a server: the client is made from the description, and speaks to whatever serves it.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { after, before, describe, it, test } from 'node:test'
import sharp from 'sharp'
import type { GalleyClient } from '../../clients/typescript/index.ts'
import { markOf } from '../../clients/typescript/mark.ts'
import { ClientProvisionerService } from '../../core/contract/client-provisioner.ts'
import { packageRoot } from '../../core/paths.ts'
import { makePublicPost } from '../helpers/public-post.ts'
import { startService, type TestService } from '../helpers/service.ts'

const folder = path.join(packageRoot, 'clients', 'typescript')
const description = readFileSync(path.join(packageRoot, 'docs', 'openapi.json'), 'utf8')
const types = readFileSync(path.join(folder, 'openapi.ts'), 'utf8')
const has = (name: string): boolean => {
  try {
    createRequire(path.join(folder, 'index.ts')).resolve(name)
    return true
  } catch {
    return false
  }
}

test("the client's types were made from the description as it is", () => {
  assert.equal(types.split('\n', 1)[0], markOf(description), 'run npm run client')
})

// What makes and checks files stands in the client's own folder: it needs a compiler that the service does not.
const tools = { skip: !has('openapi-typescript') && 'npm ci in clients/typescript' }
const load = (file: string) => import(new URL(`../../clients/typescript/${file}`, import.meta.url).href)

test("the client's types are what would be made now", tools, async () => {
  const { typesOf } = (await load('types-of.ts')) as { typesOf(description: string): Promise<string> }
  assert.ok(types === (await typesOf(description)), 'run npm run client')
})

test('the description is linted clean', tools, async () => {
  const { lint } = (await load('lint.ts')) as { lint(description: string): Promise<string[]> }
  assert.deepEqual(await lint(description), [])
  const broken = JSON.parse(description)
  delete broken.paths['/api/tags'].get.responses
  assert.notDeepEqual(await lint(JSON.stringify(broken)), [])
})

describe('a typed client', { skip: !has('openapi-fetch') && 'openapi-fetch is not installed' }, () => {
  let service: TestService
  let galley: GalleyClient
  let anonymous: GalleyClient
  let tokens = 0
  before(async () => {
    service = await startService({ worker: false })
    const { createClient } = await import('../../clients/typescript/index.ts')
    const client = await service.kernel.service(ClientProvisionerService)?.provision({ rotate: true })
    assert.ok(typeof client?.client_secret === 'string')
    const { client_id, client_secret } = client
    const counting: typeof fetch = (input, init) => {
      if (String(input).endsWith('/token')) tokens += 1
      return fetch(input, init)
    }
    galley = createClient({ baseUrl: `${service.url}/`, client_id, client_secret, fetch: counting })
    anonymous = createClient({ baseUrl: service.url })
  })
  after(() => service.close())

  it('creates a task, reads it back and finds it in the list and in the events', async () => {
    const { data: task, response } = await galley.POST('/api/tasks', {
      body: { topic: 'How tides follow the moon', category: 'science', tags: ['tides'] }
    })
    assert.ok(task)
    assert.equal(response.headers.get('location'), `/api/tasks/${task.task_id}`)
    const { data: read } = await galley.GET('/api/tasks/{task_id}', { params: { path: { task_id: task.task_id } } })
    assert.deepEqual([read?.topic, read?.status, read?.tags], ['How tides follow the moon', 'pending', ['tides']])
    const { data: list } = await galley.GET('/api/tasks', { params: { query: { status: 'pending', limit: 5 } } })
    assert.deepEqual([list?.total, list?.items[0]?.task_id], [1, task.task_id])
    const { data: events } = await galley.GET('/api/pipeline/events/task/{task_id}', {
      params: { path: { task_id: task.task_id } }
    })
    assert.equal(events?.items[0]?.to, 'pending')
  })

  it('repeats a request under its key, and is told when the key is used for another', async () => {
    const send = (topic: string) =>
      galley.POST('/api/tasks', { params: { header: { 'Idempotency-Key': 'twice' } }, body: { topic } })
    const first = await send('Why leaves turn red')
    const second = await send('Why leaves turn red')
    assert.equal(second.data?.task_id, first.data?.task_id)
    assert.equal(second.response.headers.get('idempotency-replayed'), 'true')
    assert.equal((await send('Why leaves fall')).error?.error_code, 'IDEMPOTENCY_KEY_REUSED')
  })

  it('names what is wrong with a request', async () => {
    const { error, response } = await galley.POST('/api/tasks', { body: { topic: 'x', target_length: 1 } })
    assert.equal(response.status, 400)
    assert.deepEqual(
      [error?.error_code, Object.keys(error?.errors ?? {}).sort()],
      ['VALIDATION_ERROR', ['target_length', 'topic']]
    )
    const missing = await galley.GET('/api/tasks/{task_id}', {
      params: { path: { task_id: '00000000-0000-4000-8000-000000000000' } }
    })
    assert.equal(missing.error?.error_code, 'NOT_FOUND')
  })

  it('reads posts without a token, edits one with its ETag, and is refused with another', async () => {
    const { post_id } = await makePublicPost(service, { title: 'Tides' })
    const bySlug = { params: { path: { slug: 'tides' } } }
    const { data: post, response } = await anonymous.GET('/api/posts/{slug}', bySlug)
    assert.equal(post?.title, 'Tides')
    const etag = response.headers.get('etag') ?? ''
    const known = await anonymous.GET('/api/posts/{slug}', {
      params: { ...bySlug.params, header: { 'If-None-Match': etag } }
    })
    assert.equal(known.response.status, 304)
    const edit = (ifMatch: string, title: string) =>
      galley.PATCH('/api/posts/{slug}', {
        params: { path: { slug: post_id }, header: { 'If-Match': ifMatch } },
        body: { title }
      })
    assert.equal((await edit(etag, 'Why tides')).data?.title, 'Why tides')
    const late = await edit(etag, 'Tides again')
    assert.deepEqual([late.response.status, late.error?.error_code], [412, 'PRECONDITION_FAILED'])
  })

  it('sends a picture, reads it and the sound of a post, and asks for media', async () => {
    const { post_id } = await makePublicPost(service, { title: 'Heard' })
    mkdirSync(path.join(service.home, 'media', 'episodes'), { recursive: true })
    writeFileSync(path.join(service.home, 'media', 'episodes', `${post_id}.mp3`), 'sound')
    writeFileSync(path.join(service.home, 'media', 'episodes', `${post_id}.json`), '{"version":"1.0.0","segments":[]}')
    const picture = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#c04020' } })
      .png()
      .toBuffer()
    const body = new Blob([new Uint8Array(picture)], { type: 'image/png' })
    const { data: image, error } = await galley.POST('/api/images', { body })
    assert.deepEqual([image?.width, image?.height, image?.content_type], [6, 4, 'image/png'], error?.message)
    const params = { path: { filename: image?.filename ?? '' } }
    const shown = await anonymous.GET('/images/generated/{filename}', { params, parseAs: 'blob' })
    assert.equal(shown.data?.size, image?.bytes)
    const ofPost = { params: { path: { post_id } } }
    const heard = await anonymous.GET('/episodes/{post_id}.mp3', { ...ofPost, parseAs: 'blob' })
    assert.deepEqual([heard.data?.type, await heard.data?.text()], ['audio/mpeg', 'sound'])
    const part = await anonymous.GET('/episodes/{post_id}.mp3', {
      params: { ...ofPost.params, header: { Range: 'bytes=1-2' } },
      parseAs: 'text'
    })
    assert.deepEqual([part.response.status, part.data], [206, 'ou'])
    const { data: transcript } = await anonymous.GET('/episodes/{post_id}.json', ofPost)
    assert.deepEqual(transcript?.segments, [])
    const { data: started } = await galley.POST('/generate/{post_id}', { ...ofPost, body: { media: ['podcast'] } })
    const { data: job } = await galley.GET('/api/media/jobs/{job_id}', {
      params: { path: { job_id: started?.job_id ?? '' } }
    })
    assert.deepEqual([job?.post_id, job?.state, job?.media], [post_id, 'pending', ['podcast']])
  })

  it('reads and changes settings', async () => {
    const { data } = await galley.PUT('/api/settings/{key}', {
      params: { path: { key: 'publish_quiet_hours' } },
      body: { value: '22:00-07:00' }
    })
    assert.deepEqual([data?.value, data?.default], ['22:00-07:00', ''])
  })

  it('is refused without a token, and asks for one token for all its requests', async () => {
    const { error, response } = await anonymous.GET('/api/settings')
    assert.deepEqual(
      [error?.error_code, response.headers.get('www-authenticate')],
      ['UNAUTHORIZED', 'Bearer realm="galley"']
    )
    await Promise.all([galley.GET('/api/settings'), galley.GET('/api/schedule')])
    assert.equal(tokens, 1)
  })

  it('says why it got no token', async () => {
    const { createClient, TokenError } = await import('../../clients/typescript/index.ts')
    const stranger = createClient({ baseUrl: service.url, client_id: 'gly_stranger', client_secret: 'guess' })
    await assert.rejects(
      stranger.GET('/api/settings'),
      error => error instanceof TokenError && error.error === 'invalid_client' && error.status === 401
    )
  })
})
