// Not on a server: parts of the schema are put together before anything is read.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { BatchRead, GraphqlContext, GraphqlModule } from '#core'
import { BootError } from '../../../core/contract/boot-error.ts'
import type { CheckContext } from '../../../core/contract/check.ts'
import { ClientProvisionerService } from '../../../core/contract/client-provisioner.ts'
import { CONTRACT, definePlugin, type Plugin } from '../../../core/contract/plugin.ts'
import type { LoadedPlugin } from '../../../core/kernel/contribution-rules.ts'
import type { Kernel } from '../../../core/kernel/kernel.ts'
import { setLoadedFrom } from '../../../core/kernel/origin.ts'
import { bootPlugins, loadConfigured } from '../../helpers/kernel.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'

const pluginWith = (load: () => Promise<GraphqlModule>, name = 'reactions'): Plugin =>
  definePlugin({
    name,
    contract: CONTRACT,
    describe: 'Reactions to posts, for the tests',
    setup: () => ({ services: {}, graphql: load })
  })

let reads: (readonly string[])[] = []
const readReactions: BatchRead<number> = async ids => {
  reads.push(ids)
  return new Map(ids.map((id, place) => [id, place]))
}
const reactions = pluginWith(async () => ({
  schema: `
    extend type Post { reactions: Int! reactionWord(word: String! = "like"): String! }
    extend type Query { reactionWords(first: Int! = 3): [String!]! @public reactionSecrets: String @bearer(scope: "api:write") }`,
  resolvers: {
    Post: {
      reactions: (post: { post_id: string }, _: unknown, context: GraphqlContext) =>
        context.load(readReactions, post.post_id),
      reactionWord: (post: { title: string }, { word }: { word: string }) => `${word} ${post.title}`
    },
    Query: {
      reactionWords: (_: undefined, { first }: { first: number }) => ['like', 'dislike', 'wonder'].slice(0, first),
      reactionSecrets: () => 'written'
    }
  }
}))

let service: TestService
before(async () => {
  service = await startService({ worker: false, plugins: [reactions] })
  for (const title of ['First', 'Second', 'Third']) await makePublicPost(service, { title })
})
after(() => service.close())

test('a plugin of a third party adds fields to Query and to the types of others', async () => {
  reads = []
  const query =
    '{ reactionWords(first: 2) a: posts { edges { node { reactions reactionWord(word: "love") } } } b: posts(first: 1) { edges { node { reactions } } } }'
  const { body } = await service.anonymous('POST', '/graphql', { query })
  assert.deepEqual(body.data.reactionWords, ['like', 'dislike'])
  assert.deepEqual(
    body.data.a.edges.map(({ node }: { node: { reactionWord: string } }) => node.reactionWord),
    ['love Third', 'love Second', 'love First']
  )
  assert.equal(reads.flat().length, 3, 'each key is read once')
  assert.ok(reads.length <= 2)
})

test('a field below another that would count as a search is refused: it would not be counted', async () => {
  const near = pluginWith(async () => ({ schema: 'extend type Post { near: String @rateLimited }' }), 'near')
  await assert.rejects(startService({ worker: false, plugins: [near] }), (error: unknown) => {
    assert.match(String((error as BootError).problems[0]?.cause), /limits near, which is no field of Query/)
    return true
  })
})

test('its field states the scope it needs', async () => {
  const query = '{ reactionSecrets }'
  assert.equal((await service.anonymous('POST', '/graphql', { query })).status, 401)
  assert.deepEqual((await service.bearer('POST', '/graphql', { query })).body, { data: { reactionSecrets: 'written' } })
  // Ends the token of the tests above: this one comes last.
  const client = await service.kernel.service(ClientProvisionerService)?.provision({ rotate: true })
  const response = await fetch(`${service.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'api:read', ...(client as object) })
  })
  const { access_token } = (await response.json()) as { access_token: string }
  const reader = { authorization: `Bearer ${access_token}` }
  const refused = await service.anonymous('POST', '/graphql', { query }, reader)
  assert.equal(refused.status, 403)
  assert.equal('data' in refused.body, false)
  assert.equal(refused.body.errors[0].extensions.code, 'INSUFFICIENT_SCOPE')
})

const wrongParts: Readonly<Record<string, readonly [part: GraphqlModule | Error, cause: RegExp]>> = {
  'cannot be loaded': [new Error('no such file'), /cannot be read \(no such file\)/],
  'is no schema': [{ schema: 'type {' }, /cannot be read \(Syntax Error/],
  'defines a type that there is': [{ schema: 'type Post { x: Int }' }, /defines Post, which posts brings already/],
  'defines a field that there is': [
    { schema: 'extend type Query { posts: Int @public }' },
    /defines Query\.posts, which posts brings already/
  ],
  'extends a type that there is not': [
    { schema: 'extend type Podcast { x: Int }' },
    /does not fit the others .*Podcast/
  ],
  'names a type that there is not': [
    { schema: 'extend type Query { x: Podcast @public }' },
    /does not fit the others .*Podcast/
  ],
  'does not say who may ask': [{ schema: 'extend type Query { x: Int }' }, /does not say who may ask for x/],
  'asks for a scope that there is not': [
    { schema: 'extend type Query { x: Int @bearer(scope: "api:reed") }' },
    /asks for the unknown scope api:reed at x/
  ],
  'changes something': [{ schema: 'type Mutation { x: Int }' }, /has a type Mutation: it is read only/],
  'resolves a field that it does not define': [
    { schema: 'extend type Query { x: Int @public }', resolvers: { Query: { y: () => 1 } } },
    /resolves Query\.y, which it does not define/
  ],
  'checks a field that it does not define': [
    { schema: 'extend type Query { x: Int @public }', checks: { Query: { posts: () => ({}) } } },
    /checks Query\.posts, which it does not define/
  ]
}
for (const [title, [part, cause]] of Object.entries(wrongParts)) {
  test(`a plugin whose part ${title} stops the boot by its name`, async () => {
    const wrong = pluginWith(async () => {
      if (part instanceof Error) throw part
      return part
    }, 'wrong')
    const kernel = bootPlugins([...(await loadConfigured()), wrong])
    const error = await kernel.createApp().then(
      () => undefined,
      (failure: unknown) => failure
    )
    assert.ok(error instanceof BootError)
    assert.deepEqual(
      error.problems.map(({ plugin }) => plugin),
      ['wrong'],
      error.message
    )
    assert.match(error.problems[0]?.cause ?? '', cause)
  })
}

test('without the plugin graphql there is no such route, and no part is loaded', async () => {
  let loads = 0
  const part = pluginWith(async () => {
    loads += 1
    return { schema: 'extend type Query { x: Int @public }' }
  })
  const others = (await loadConfigured()).filter(({ name }) => name !== 'graphql')
  const app = await bootPlugins([...others, part]).createApp()
  const { statusCode } = await app.inject({ method: 'POST', url: '/graphql', payload: { query: '{ x }' } })
  await app.close()
  assert.equal(statusCode, 404)
  assert.equal(loads, 0)
})

/** What `galley doctor` finds about the schema. */
const lookAt = async (kernel: Kernel, context: Partial<CheckContext> = {}) => {
  const { contribution } = kernel.plugins.find(({ plugin }) => plugin.name === 'graphql') as LoadedPlugin
  return contribution.checks?.[0]?.run(context as CheckContext)
}

test('every plugin but those that others need can be left out, and the rest is one schema', async () => {
  const all = await loadConfigured()
  for (const left of ['tasks', 'memory', 'export', 'notify', 'media', 'search']) {
    const rest = all.filter(({ name }) => name !== left)
    const kernel = await Promise.resolve(rest)
      .then(bootPlugins)
      .catch((error: Error) => error)
    if (kernel instanceof Error) assert.doesNotMatch(kernel.message, /GraphQL/)
    else assert.equal((await lookAt(kernel))?.status, 'ok', left)
  }
})

test('the worker’s own look builds no schema: readers would wait for it', async () => {
  const kernel = bootPlugins(await loadConfigured())
  assert.equal((await lookAt(kernel, { isUnattended: true }))?.status, 'skipped')
})

test('a start looks at the parts of third parties, and not at those of the package', async () => {
  let loads = 0
  const part = pluginWith(async () => {
    loads += 1
    return { schema: 'extend type Query { x: Int @public }' }
  })
  const started = async (plugins: readonly Plugin[]) => (await bootPlugins(plugins).createApp()).close()
  const shipped = await loadConfigured()
  const loaded = shipped.find(({ name }) => name === 'costs')
  assert.ok(loaded)
  const { setup } = loaded
  loaded.setup = context => ({ ...setup(context), graphql: () => part.setup(context).graphql?.() as never })
  await started(shipped).finally(() => Object.assign(loaded, { setup }))
  assert.equal(loads, 0)
  await started([...shipped, part])
  assert.equal(loads, 1)
})

test('a part of the package that is wrong is told by doctor, and GraphQL alone is not there', async () => {
  const name = 'memory'
  const wrong = { ...pluginWith(async () => ({ schema: 'extend type Query { x: Podcast @public }' }), 'costs'), name }
  setLoadedFrom(wrong, {
    entry: name,
    file: fileURLToPath(new URL('../../../plugins/memory/plugin.ts', import.meta.url))
  })
  const others = (await loadConfigured()).filter(plugin => ![name, 'costs'].includes(plugin.name))
  const kernel = bootPlugins([...others, wrong])
  const found = await lookAt(kernel)
  assert.equal(found?.status, 'critical')
  assert.match(found?.found ?? '', /^memory: its part of the GraphQL schema does not fit the others/)
  assert.match(found?.remedy ?? '', /Repair the plugin/)
  const app = await kernel.createApp()
  const response = await app.inject({ method: 'POST', url: '/graphql', payload: { query: '{ __typename }' } })
  await app.close()
  assert.equal(response.statusCode, 503)
  assert.equal(response.json().error_code, 'SERVICE_UNAVAILABLE')
})
