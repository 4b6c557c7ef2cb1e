import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { access } from '../../../core/contract/access.ts'
import type { FailedRead } from '../../../core/contract/error-pages.ts'
import { prefersHtml } from '../../../core/http/errors/prefers-html.ts'
import { startApp } from './app-under-test.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

const accepted: [accept: string | undefined, isHtml: boolean][] = [
  [browser, true],
  ['text/html', true],
  ['application/json;q=0.5, TEXT/HTML', true],
  ['text/*, application/json;q=0.2', false],
  ['text/*;q=0.9, application/json;q=0.2, text/html', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/html, application/json', false],
  ['text/html;q=0.4, */*', false],
  ['text/html;q=0', false],
  [`text/html,${'a/b,'.repeat(400)}`, false]
]
for (const [accept, isHtml] of accepted)
  test(`Accept: ${String(accept).slice(0, 60)} ${isHtml ? 'prefers' : 'does not prefer'} HTML`, () =>
    assert.equal(prefersHtml(accept), isHtml))

describe('an app with pages for failures', () => {
  const shown: FailedRead[] = []
  let isBroken = false
  let app: Awaited<ReturnType<typeof startApp>>
  before(async () => {
    const pageOf = async (failed: FailedRead) => {
      if (isBroken) throw new TypeError('no template')
      shown.push(failed)
      return { html: `<p>${failed.status}`, headers: { 'content-security-policy': "default-src 'self'" } }
    }
    const config = { access: access.public }
    const routes: FastifyPluginAsync = async scope => {
      scope.get('/header', { config, schema: { operationId: 'header' } }, async (_request, reply) =>
        reply.header('x-tide', 'high\r\nx-moon: full').send({})
      )
    }
    const forms: FastifyPluginAsync = async scope => {
      await routes(scope, {})
      const ofJson = { operationId: 'json', response: { 200: Type.Object({}) } }
      scope.post('/json', { config, schema: ofJson }, async () => ({}))
      const ofBoth = {
        200: { content: { 'application/json': { schema: Type.Object({}) }, 'text/html': { schema: Type.String() } } }
      }
      scope.post('/both', { config, schema: { operationId: 'both', response: ofBoth } }, async () => ({}))
    }
    app = await startApp({ routes: forms, errorPages: { pageOf } })
  })
  after(() => app.close())
  const asBrowser = { headers: { accept: browser } }

  test('shows one to a browser', async () => {
    const answer = await app.fetch('/nowhere', asBrowser)
    assert.equal(answer.status, 404)
    assert.equal(await answer.text(), '<p>404')
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(answer.headers.get('content-security-policy'), "default-src 'self'")
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    const { request_id, ...failed } = shown.at(-1) as FailedRead
    assert.equal(request_id, answer.headers.get('x-request-id'))
    assert.deepEqual([failed.error_code, failed.status], ['NOT_FOUND', 404])
  })

  test('says what is wrong with the address, which a page has no list of', async () => {
    const answer = await app.fetch('/%zz', asBrowser)
    assert.equal(answer.status, 400)
    assert.equal(shown.at(-1)?.message, 'path is not a well-formed URL path: check its percent escapes.')
  })

  test('shows one to a browser that sent a form', async () => {
    const form = { ...asBrowser.headers, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await app.fetch('/nowhere', { method: 'POST', headers: form, body: 'a=b' })
    assert.deepEqual([answer.status, await answer.text()], [404, '<p>404'])
    const unread = await app.fetch('/%zz', { method: 'POST', headers: form, body: 'a=b' })
    assert.deepEqual([unread.status, await unread.text()], [400, '<p>400'])
    const program = await app.fetch('/nowhere', { method: 'POST', headers: { ...form, accept: '*/*' }, body: 'a=b' })
    assert.match(program.headers.get('content-type') ?? '', /^application\/json/)
  })

  test('answers a form in JSON where the route answers programs only, some of which accept pages first', async () => {
    const accept = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'
    const headers = { accept, 'content-type': 'application/x-www-form-urlencoded' }
    const types = []
    for (const path of ['/json', '/both']) {
      const answer = await app.fetch(path, { method: 'POST', headers, body: 'a=b' })
      types.push([answer.status, answer.headers.get('content-type')?.split(';', 1)[0]])
    }
    const expected = [
      [415, 'application/json'],
      [415, 'text/html']
    ]
    assert.deepEqual(types, expected)
  })

  test('answers JSON to everybody else, and to what is no read and no form', async () => {
    for (const init of [{}, { method: 'POST', ...asBrowser }, { headers: { accept: 'application/json' } }])
      assert.match((await app.fetch('/nowhere', init)).headers.get('content-type') ?? '', /^application\/json/)
  })

  test('answers JSON when no page can be sent', async () => {
    const answer = await app.fetch('/header', asBrowser)
    const { error_code } = (await answer.json()) as { error_code: string }
    assert.deepEqual([answer.status, error_code, answer.headers.get('x-tide')], [500, 'INTERNAL_ERROR', null])
  })

  test('answers JSON when the page itself fails', async () => {
    isBroken = true
    const answer = await app.fetch('/nowhere', asBrowser)
    assert.deepEqual([answer.status, ((await answer.json()) as { error_code: string }).error_code], [404, 'NOT_FOUND'])
  })
})
