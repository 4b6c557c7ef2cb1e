import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it, test } from 'node:test'
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { access } from '../../../core/contract/access.ts'
import { openapiRoutes } from '../../../plugins/openapi/routes.ts'
import { startApp } from '../../core/http/app-under-test.ts'

interface Described {
  security: object
  responses: object
  operationId: string
  requestBody?: { required: boolean }
}

const routes: FastifyPluginAsync = async app => {
  const body = Type.Object({ topic: Type.String() })
  app.post(
    '/tasks/:id',
    { config: { access: access.bearer('api:write') }, schema: { operationId: 'startTask', body } },
    async () => ({})
  )
  const wish = Type.Object({ media: Type.Optional(Type.String()) }, { examples: [{ media: 'film' }, {}] })
  app.post(
    '/films',
    { config: { access: access.bearer('api:write') }, schema: { operationId: 'makeFilms', body: wish } },
    async () => ({})
  )
  app.get('/posts', { config: { access: access.optional() }, schema: { operationId: 'listPosts' } }, async () => ({}))
  app.get('/hidden', { config: { access: access.public }, schema: { hide: true } }, async () => ({}))
}

const documentRoutes = openapiRoutes({ baseUrl: () => 'http://localhost', version: '0.0.0' })
const startDocumented = () =>
  startApp({
    pluginRoutes: [
      { name: 'example', routes },
      { name: 'openapi', routes: documentRoutes }
    ]
  })

describe('the API document', () => {
  it('is OpenAPI 3.1 with the access and the failures of every route', async t => {
    const app = await startDocumented()
    t.after(app.close)
    const document = (await (await app.fetch('/openapi.json')).json()) as {
      openapi: string
      paths: Record<string, Record<string, Described>>
    }
    assert.equal(document.openapi, '3.1.0')
    assert.deepEqual(Object.keys(document.paths).sort(), [
      '/api/health',
      '/films',
      '/health',
      '/openapi.json',
      '/posts',
      '/tasks/{id}'
    ])
    assert.deepEqual(
      ['/tasks/{id}', '/films'].map(path => document.paths[path]?.post?.requestBody?.required),
      [true, false]
    )
    const start = document.paths['/tasks/{id}']?.post
    assert.deepEqual(start?.security, [{ bearer: ['api:write'] }])
    assert.deepEqual(Object.keys(start?.responses ?? {}), [
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '429',
      '500',
      '503'
    ])
    assert.deepEqual(document.paths['/posts']?.get?.security, [{}, { bearer: ['api:read'] }])
    for (const operations of Object.values(document.paths))
      for (const { operationId } of Object.values(operations)) assert.match(operationId, /^[a-z]\w+$/)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path as string)
    for (const path of new Set(references)) {
      const target = path.split('/').reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], document)
      assert.ok(target, path)
    }
  })

  it('has the schemas that routes share by their $id', async t => {
    const sharing: FastifyPluginAsync = async app => {
      app.addSchema({ $id: 'opening-hours', type: 'object', properties: { from: { type: 'string' } } })
      const response = { 200: { $ref: 'opening-hours#' } }
      app.get(
        '/hours',
        { config: { access: access.public }, schema: { operationId: 'getHours', response } },
        async () => ({})
      )
    }
    const app = await startApp({
      pluginRoutes: [
        { name: 'example', routes: sharing },
        { name: 'openapi', routes: documentRoutes }
      ]
    })
    t.after(app.close)
    const { status } = await app.fetch('/openapi.json')
    assert.equal(status, 200)
    assert.match(await (await app.fetch('/openapi.json')).text(), /"from"/)
  })

  it('is where an address without a route sends its reader', async t => {
    const app = await startDocumented()
    t.after(app.close)
    assert.match(await (await app.fetch('/nothing')).text(), /see \/docs for what there is/)
  })

  it('has a page whose scripts its own policy admits', async t => {
    const app = await startDocumented()
    t.after(app.close)
    const page = await app.fetch('/docs')
    assert.match(page.headers.get('content-security-policy') as string, /default-src 'self'/)
    const html = await page.text()
    assert.doesNotMatch(html, /<script(?![^>]*src=)/)
    for (const [, source] of html.matchAll(/<script[^>]*src="([^"]+)"/g)) {
      assert.equal((await app.fetch(new URL(source as string, page.url).pathname)).status, 200, source)
    }
    const [shown, document] = await Promise.all(
      ['/docs/json', '/openapi.json'].map(async at => (await (await app.fetch(at)).json()) as { paths: object })
    )
    assert.deepEqual(shown?.paths, document?.paths)
    const file = await app.fetch('/docs/static/swagger-ui.css')
    const etag = file.headers.get('etag') as string
    const again = await app.fetch('/docs/static/swagger-ui.css', { headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    const head = await app.fetch('/docs/static/swagger-ui.css', { method: 'HEAD' })
    assert.equal(Number(head.headers.get('content-length')), (await file.arrayBuffer()).byteLength)
  })
})

test('the page asks for everything below the path that a proxy puts before it', async t => {
  const app = await startDocumented()
  t.after(app.close)
  for (const page of ['/docs', '/docs/']) {
    const answer = await app.fetch(page)
    const html = await answer.text()
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, found = '']) => found)
    assert.ok(addresses.length >= 5, html)
    for (const address of addresses) {
      const { pathname } = new URL(address, `http://proxy/blog${new URL(answer.url).pathname}`)
      assert.match(pathname, /^\/blog\/docs\/static\/./, address)
      assert.equal((await app.fetch(pathname.replace('/blog', ''))).status, 200, address)
    }
  }
  const documentAt = async (at: string) => {
    const { servers, components } = (await (await app.fetch(at)).json()) as Described
    return [servers[0]?.url ?? '', components.securitySchemes.bearer.flows.clientCredentials.tokenUrl] as const
  }
  const [server, token] = await documentAt('/docs/json')
  assert.equal(new URL(server, 'http://proxy/blog/docs/json').href, 'http://proxy/blog/')
  // Swagger UI asks for it from the page.
  const moved = await app.fetch('/docs', { redirect: 'manual' })
  const page = new URL(moved.headers.get('location') ?? '', 'http://proxy/blog/docs')
  assert.deepEqual([page.href, new URL(token, page).href], ['http://proxy/blog/docs/', 'http://proxy/blog/token'])
  const [address, ofTokens] = await documentAt('/openapi.json')
  assert.equal(ofTokens, `${address}/token`)
})

interface Described {
  servers: { url: string }[]
  components: { securitySchemes: { bearer: { flows: { clientCredentials: { tokenUrl: string } } } } }
}

test('a start loads neither the libraries of the API document nor the client behind fetch', () => {
  const source = new URL('../../core/http/app-under-test.ts', import.meta.url).href
  const plugin = new URL('../../../plugins/openapi/plugin.ts', import.meta.url).href
  const program = `
    const { startApp } = await import(${JSON.stringify(source)})
    const { default: openapi } = await import(${JSON.stringify(plugin)})
    const app = await startApp({ routes: openapi.setup({ installation: { baseUrl: () => '', version: '0.0.0' } }).routes })
    const loaded = process.moduleLoadList.filter(name => name.includes('deps/undici'))
    const page = Object.keys(process.getBuiltinModule('node:module').createRequire(${JSON.stringify(source)}).cache)
    console.log(JSON.stringify([...loaded, ...page.filter(name => name.includes('swagger'))]))
    process.exit()`
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(loaded), [])
})
