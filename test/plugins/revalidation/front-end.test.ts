import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { RevalidationService, type TargetStatus } from '../../../plugins/revalidation/index.ts'
import { SendToTargets } from '../../../plugins/revalidation/queue.ts'
import { lockWaiting } from '../../../plugins/revalidation/repository.ts'
import { findingOf } from '../../helpers/finding.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { startTargetServer, status } from './target-server.ts'

const secret = 'a-secret-of-the-front-end'
let service: TestService
let frontEnd: Awaited<ReturnType<typeof startTargetServer>>
before(async () => {
  frontEnd = await startTargetServer()
  service = await startService()
})
after(async () => {
  await service.close()
  await frontEnd.close()
})
beforeEach(async () => {
  await service.kernel.settings.set('revalidate_url', `${frontEnd.url}/api/revalidate?from=galley`)
  await service.kernel.settings.set('revalidate_secret', secret)
  await service.db.transaction(async tx => {
    await lockWaiting(tx, 'front-end')
    await tx.query('delete from revalidation_waiting')
    await tx.query('delete from revalidation_targets')
  })
  frontEnd.answerWith(undefined)
  frontEnd.received.length = 0
})

const standing = async (): Promise<TargetStatus> => {
  const statuses = (await service.service(RevalidationService)?.statuses()) ?? []
  const found = statuses.find(({ target }) => target === 'front-end')
  assert.ok(found)
  return found
}
const pathsSent = () => frontEnd.bodies().flatMap(({ paths }) => paths as string[])
/** What `galley doctor` says. */
const look = () => findingOf(service.kernel, 'revalidation')
/** Nobody waits for the next attempt. */
const skipDelays = () =>
  service.db.transaction(async tx => {
    await lockWaiting(tx, 'front-end')
    await tx.query('update revalidation_waiting set not_before = now()')
    await tx.query('update revalidation_targets set not_before = now()')
    await service.kernel.jobs.enqueue(tx, SendToTargets, { target: 'front-end' }, { key: 'front-end' })
  })
/** Everything was sent. */
const allSent = () =>
  until(async () => {
    const jobs = await service.kernel.jobs.stats()
    const isIdle = jobs.every(({ queue, active, ready }) => !/revalidation/.test(queue) || active + ready === 0)
    return isIdle && (await standing()).waiting === 0
  })

test('a publication, an edit and a withdrawal are told, signed, with what they touch', async () => {
  const post = await makePublicPost(service, { title: 'Tides', category: 'science', tags: ['The moon'] })
  await until(() => pathsSent().includes('/posts/tides'))
  await allSent()
  const request = frontEnd.received[0]
  assert.ok(request)
  assert.deepEqual([request.method, request.path], ['POST', '/api/revalidate?from=galley'])
  assert.equal(request.headers['x-revalidate-secret'], secret)
  const timestamp = String(request.headers['x-revalidate-timestamp'])
  const signature = createHmac('sha256', secret).update(`${timestamp}.${request.body}`).digest('hex')
  assert.equal(request.headers['x-revalidate-signature'], `sha256=${signature}`)
  assert.ok(Math.abs(Number(timestamp) * 1000 - Date.now()) < 60_000)
  const [body] = frontEnd.bodies()
  assert.deepEqual(Object.keys(body), ['paths', 'tags'])
  const lists = ['/', '/archive', '/categories/science', '/posts/tides', '/sitemap.xml', '/tags/the-moon']
  const feeds = ['', '/categories/science', '/tags/the-moon'].flatMap(place =>
    ['feed.xml', 'atom.xml', 'feed.json'].map(file => `${place}/${file}`)
  )
  assert.deepEqual([...new Set(pathsSent())].sort(), [...lists, ...feeds].sort())
  assert.deepEqual(body.tags.sort(), ['category:science', 'post:tides', 'posts', 'tag:the-moon'])

  frontEnd.received.length = 0
  const patch = { slug: 'ebb', category: 'nature', tags: [] }
  await service.bearer('PATCH', `/api/posts/${post.post_id}`, patch)
  await until(() => pathsSent().includes('/posts/ebb'))
  await allSent()
  for (const path of ['/posts/tides', '/categories/science', '/categories/nature', '/tags/the-moon'])
    assert.ok(pathsSent().includes(path), path)

  frontEnd.received.length = 0
  await service.bearer('DELETE', `/api/posts/${post.post_id}`)
  await until(() => pathsSent().includes('/posts/ebb') && pathsSent().includes('/categories/nature'))
  await allSent()
  assert.equal((await standing()).last_status, 200)
})

test('all paths leave out that of public_url, and a new name of a category has a tag', async () => {
  const { set } = service.kernel.settings
  await set('public_url', 'https://news.example/blog')
  await makePublicPost(service, { title: 'Below a path', category: 'science' })
  await until(() => pathsSent().includes('/archive'))
  await allSent()
  assert.ok(pathsSent().includes('/posts/below-a-path'))
  assert.ok(pathsSent().every(path => !path.startsWith('/blog')))
  await set('post_url', 'https://news.example/blog/notes/{slug}')
  await makePublicPost(service, { title: 'With an address' })
  await until(() => pathsSent().includes('/blog/notes/with-an-address'))
  await allSent()
  for (const key of ['public_url', 'post_url']) await set(key, '')
  frontEnd.received.length = 0
  const named = { name: 'The sciences', description: '' }
  assert.equal((await service.bearer('PUT', '/api/categories/science', named)).status, 200)
  await until(() => pathsSent().includes('/categories/science'))
  await allSent()
  assert.ok(frontEnd.bodies().some(({ tags }) => tags.includes('category-name:science')))
})

test('an address of a post may have a query, or the path of a list', async () => {
  const { set } = service.kernel.settings
  await set('post_url', 'https://news.example/?p={slug}')
  await makePublicPost(service, { title: 'By a query' })
  await until(() => pathsSent().includes('/?p=by-a-query'))
  await allSent()
  await set('post_url', 'https://news.example/{slug}')
  await makePublicPost(service, { title: 'Archive' })
  await until(() => frontEnd.bodies().some(({ tags }) => tags.includes('post:archive')))
  await allSent()
  await set('post_url', '')
  assert.ok(pathsSent().includes('/archive'))
})

describe('the routes', () => {
  test('say in words what a path is', async () => {
    for (const path of ['nope', '', '//evil.example/x']) {
      const { status, body } = await service.bearer('POST', '/api/revalidate', { path })
      assert.equal(status, 400)
      assert.match(body.errors.path, /^must match its description: A path on the website: it begins with one \//)
    }
  })

  test('tell of a path, and of everything', async () => {
    const one = await service.bearer('POST', '/api/revalidate', { path: '/posts/über uns'.replace(' ', '-') })
    assert.deepEqual([one.status, one.body], [200, { revalidated: true }])
    assert.deepEqual(frontEnd.bodies(), [{ paths: ['/posts/über-uns'], tags: [] }])
    const all = await service.bearer('POST', '/revalidate-cache')
    assert.deepEqual([all.status, all.body], [200, { revalidated: true }])
    assert.deepEqual(frontEnd.bodies()[1], { paths: ['/'], tags: ['posts', 'settings'] })
  })

  test('say when nobody was told, and try it again', async () => {
    frontEnd.script(status(503))
    const { body } = await service.bearer('POST', '/api/revalidate', { path: '/posts/later' })
    assert.deepEqual(body, { revalidated: false })
    await skipDelays()
    await allSent()
    assert.deepEqual(frontEnd.bodies()[1], { paths: ['/posts/later'], tags: [] })
  })

  test('answer false where nobody is set up', async () => {
    await service.kernel.settings.set('revalidate_url', '')
    assert.deepEqual((await service.bearer('POST', '/api/revalidate', { path: '/' })).body, { revalidated: false })
    assert.deepEqual((await service.bearer('POST', '/revalidate-cache')).body, { revalidated: false })
    assert.equal((await standing()).is_set_up, false)
  })

  test('need a token, and a path', async () => {
    assert.equal((await service.anonymous('POST', '/api/revalidate', { path: '/' })).status, 401)
    assert.equal((await service.anonymous('POST', '/revalidate-cache')).status, 401)
    for (const path of ['', 'posts', '//evil.example/', '/a b', '/a#b', '/a\\b', `/${'x'.repeat(2000)}`, 1, null]) {
      const { status, body } = await service.bearer('POST', '/api/revalidate', { path })
      assert.deepEqual([status, Object.keys(body.errors)], [400, ['path']], String(path))
    }
    assert.equal(frontEnd.received.length, 0)
  })
})

describe('a front end that', () => {
  const faults = [
    ['redirects', status(307, { location: 'http://127.0.0.1:1/stolen' }), /answered 307: no redirect is followed/],
    ['has another secret', status(401), /answered 401: its secret is another one/],
    ['is not there', status(404), /answered 404: check revalidate_url/],
    ['is broken', status(500), /answered 500\./],
    ['hangs up', response => void response.destroy(), /broke off/]
  ] as const satisfies readonly (readonly [string, Parameters<typeof frontEnd.script>[0], RegExp])[]
  for (const [what, answer, error] of faults)
    test(`${what} is told again`, async () => {
      // A retry in the background, a second later, is answered so, too.
      frontEnd.answerWith(answer)
      assert.deepEqual((await service.bearer('POST', '/api/revalidate', { path: '/' })).body, { revalidated: false })
      assert.match((await standing()).last_error ?? '', error)
      frontEnd.answerWith(undefined)
      const refused = frontEnd.received.length
      await service.run('revalidation', 'retry')
      await allSent()
      assert.equal(frontEnd.received.length, refused + 1)
      assert.deepEqual([(await standing()).failures, (await standing()).last_error], [0, null])
    })

  test('asks to wait is left alone until then', async () => {
    frontEnd.script(status(429, { 'retry-after': '3600' }))
    await service.bearer('POST', '/api/revalidate', { path: '/' })
    const [row] = await service.db.query<{ seconds: number }>(
      'select extract(epoch from not_before - now())::float8 as seconds from revalidation_targets'
    )
    assert.ok(row && row.seconds > 3500, JSON.stringify(row))
    const { status: state, found } = await look()
    assert.equal(state, 'ok')
    assert.match(found, /The front-end was not notified of \d+ changes? yet, and is tried again: .* answered \d+/)
    const post = await makePublicPost(service, { title: 'Patience' })
    await until(async () => (await standing()).waiting >= 5)
    assert.equal(frontEnd.received.length, 1)
    assert.match((await service.run('revalidation', 'retry')).out, /sent again/)
    await until(() => pathsSent().includes(`/posts/${post.slug}`))
    await allSent()
  })

  test('asks to wait, or refuses the secret, is not waited for once its address or secret is corrected', async () => {
    const set = service.kernel.settings.set
    for (const [answer, correct] of [
      [status(429, { 'retry-after': '3600' }), () => set('revalidate_url', `${frontEnd.url}/new-address`)],
      [status(401, { 'retry-after': '3600' }), () => set('revalidate_secret', 'another-secret')]
    ] as const) {
      frontEnd.script(answer)
      frontEnd.received.length = 0
      await service.bearer('POST', '/api/revalidate', { path: '/posts/waits' })
      assert.equal((await standing()).waiting, 1)
      await correct()
      await until(() => frontEnd.received.length === 2)
      await allSent()
    }
  })

  test('refuses one path is notified of all others', async () => {
    frontEnd.answerWith(response => {
      const { paths } = frontEnd.bodies().at(-1)
      response.writeHead(paths.includes('/categories/odd') ? 422 : 200).end()
    })
    await makePublicPost(service, { title: 'Even', category: 'odd' })
    await until(async () => {
      await skipDelays()
      const accepted = frontEnd.bodies().filter(({ paths }) => !paths.includes('/categories/odd'))
      return accepted.flatMap(({ paths }) => paths).length >= 5
    })
    await until(async () => (await standing()).waiting === 1)
  })

  test('is down for a day: what waits is parked, told to the operator, and sent when it is back', async () => {
    const chat = await startTargetServer()
    await service.kernel.settings.set('chat_webhook_url', chat.url)
    frontEnd.answerWith(status(502))
    await service.bearer('POST', '/api/revalidate', { path: '/posts/old' })
    await service.db.script("update revalidation_waiting set waits_since = now() - interval '25 hours'")
    await service.run('revalidation', 'retry')
    await until(async () => (await standing()).parked === 1)
    await until(() => chat.received.length === 1)
    assert.match(chat.received[0]?.body ?? '', /The front-end was not notified of 1 change for a day/)
    assert.match(
      (await look()).found,
      /The front-end was not notified of 1 change since .*: The front end answered 502/
    )
    frontEnd.answerWith(undefined)
    await makePublicPost(service, { title: 'Back again' })
    await skipDelays()
    await until(() => pathsSent().includes('/posts/old') && pathsSent().includes('/posts/back-again'))
    await allSent()
    assert.equal((await standing()).parked, 0)
    assert.equal((await look()).status, 'ok')
    await service.kernel.settings.set('chat_webhook_url', '')
    await chat.close()
  })
})

test('what changes again while it is being told is told again afterwards, never at the same time', async () => {
  const held: ServerResponse[] = []
  frontEnd.answerWith(response => void held.push(response))
  const { post_id } = await makePublicPost(service, { title: 'Twice' })
  await until(() => held.length === 1)
  await service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'Twice or more' })
  await until(async () => {
    const rows = await service.db.query('select key from revalidation_waiting where has_changed_again')
    return rows.length > 0
  })
  const about = () => pathsSent().filter(path => path === '/posts/twice').length
  assert.equal(about(), 1)
  frontEnd.answerWith(undefined)
  held[0]?.end()
  await until(() => about() === 2)
  await allSent()
})

test('what a process was sender as it died is told by another', async () => {
  await service.db.script(
    `insert into revalidation_waiting (target, key, claim, claimed_at)
     values ('front-end', '/left', gen_random_uuid(), now() - interval '16 seconds'),
       ('front-end', '/under-way', gen_random_uuid(), now())`
  )
  await skipDelays()
  await until(() => pathsSent().includes('/left'))
  assert.deepEqual(pathsSent(), ['/left'])
})

test('processes that die while a front end does not answer leave no parked job', async () => {
  const parked = async () => (await service.kernel.jobs.stats()).find(({ queue }) => queue === SendToTargets.id)?.parked
  await service.db.query(
    `insert into jobs.job (name, data, state, started_on, heartbeat_on, heartbeat_seconds, output)
     values ($1, '{"target": "front-end"}', 'active', now(), now() - interval '11 s', 10, '{"process_died": true, "has_begun": true}')`,
    [SendToTargets.id]
  )
  const left = `select from jobs.job where name = $1 and output ? 'process_died' and state <> 'completed'`
  await until(async () => (await parked()) !== 0 || (await service.db.query(left, [SendToTargets.id])).length === 0)
  assert.equal(await parked(), 0)
})

test('a secret for another host is not sent, and that is said', async () => {
  const other = await startTargetServer(status(403))
  try {
    await service.kernel.settings.set('revalidate_url', other.url)
    await service.bearer('POST', '/api/revalidate', { path: '/' })
    assert.equal(other.received[0]?.headers['x-revalidate-secret'], undefined)
    assert.match((await standing()).last_error ?? '', /revalidate_secret was set for .* set it again/)
  } finally {
    await service.db.script('delete from revalidation_waiting')
    await other.close()
  }
})

test('many changes at once travel together; more than 20,000 become one for everything', async () => {
  frontEnd.answerWith(status(503, { 'retry-after': '600' }))
  await service.bearer('POST', '/api/revalidate', { path: '/first' })
  await service.db.script(
    `insert into revalidation_waiting (target, key) select 'front-end', '/p/' || n from generate_series(1, 20000) n`
  )
  await makePublicPost(service, { title: 'One too many' })
  await until(async () => (await standing()).waiting === 1)
  frontEnd.answerWith(undefined)
  frontEnd.received.length = 0
  await service.run('revalidation', 'retry')
  await until(() => frontEnd.received.length === 1)
  assert.deepEqual(frontEnd.bodies(), [{ paths: ['/'], tags: ['posts', 'settings'] }])
  await allSent()
})

test('the command tells, and shows how it stands', async () => {
  const one = await service.run('revalidation', 'send', '/posts/tides', '--json')
  assert.deepEqual([one.status, JSON.parse(one.out)], [0, { revalidated: true }])
  assert.equal((await service.run('revalidation', 'send', '--all')).status, 0)
  assert.equal((await service.run('revalidation', 'send')).status, 2)
  assert.equal((await service.run('revalidation', 'send', 'tides')).status, 2)
  assert.match((await service.run('revalidation', 'status')).out, /front-end +0 +0 +200/)
})
