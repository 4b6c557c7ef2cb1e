import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buildClientSchema, getIntrospectionQuery } from 'graphql'
import { MemoryService } from '#plugins/memory'
import { ClientProvisionerService } from '../../../core/contract/client-provisioner.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
  for (const topic of ['How tides follow the moon', 'Why harbours silt up', 'What moles are made of'])
    await service.bearer('POST', '/api/tasks', { topic, tags: ['sea'], metadata: { from: 'a test' } })
  await makePublicPost(service, { title: 'A public post' })
})
after(() => service.close())

const asBearer = async (query: string, variables: object = {}) => {
  const { status, body } = await service.bearer('POST', '/graphql', { query, variables })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.errors, undefined, JSON.stringify(body.errors))
  return body.data
}
const camel = (name: string) => name.replace(/_[a-z]/g, part => part.slice(1).toUpperCase())
const camelKeys = (item: object) =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [camel(name), value]))

const protectedQueries = [
  '{ tasks { totalCount } }',
  '{ task(taskId: "00000000") { topic } }',
  '{ pipelineEvents { totalCount } }',
  '{ settings { totalCount } }',
  '{ setting(key: "public_url") { value } }',
  '{ memorySearch(q: "tides") { degraded } }',
  '{ memoryStats { total } }',
  '{ posts { edges { node { metadata } } } }',
  '{ post(slug: "a-public-post") { title awaitingGate } }',
  '{ posts { totalCount } ...hidden } fragment hidden on Query { ... on Query { tasks { totalCount } } }'
]
for (const query of protectedQueries) {
  test(`without a token nothing is answered: ${query}`, async () => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const { status, headers, body } = await service.anonymous('POST', '/graphql', { query }, { accept })
      assert.equal(status, 401)
      assert.match(headers.get('www-authenticate') ?? '', /^Bearer/)
      assert.equal('data' in body, false)
      assert.equal(body.errors[0].extensions.code, 'UNAUTHORIZED')
    }
    const { status } = await service.bearer('POST', '/graphql', { query })
    assert.equal(status, 200)
  })
}

test('an operation that is not asked for needs no token', async () => {
  const query = 'query Open { posts { totalCount } } query Closed { tasks { totalCount } }'
  const open = await service.anonymous('POST', '/graphql', { query, operationName: 'Open' })
  assert.deepEqual(open.body, { data: { posts: { totalCount: 1 } } })
  assert.equal((await service.anonymous('POST', '/graphql', { query, operationName: 'Closed' })).status, 401)
})

const conditional: Readonly<Record<string, string>> = {
  'a field': '{ posts { edges { node { title metadata @include(if: $isKnown) } } } }',
  'an inline fragment': '{ posts { edges { node { title ... @include(if: $isKnown) { metadata } } } } }',
  'a fragment':
    '{ posts { edges { node { title ...more @include(if: $isKnown) } } } } fragment more on Post { metadata }',
  'a field of Query': '{ posts { edges { node { title } } } tasks @include(if: $isKnown) { totalCount } }',
  'one of two of a field':
    '{ posts { edges { node { title metadata @skip(if: true) metadata @include(if: $isKnown) } } } }'
}
for (const [what, selection] of Object.entries(conditional))
  test(`${what} that is left out needs no token, and needs one otherwise`, async () => {
    const query = `query Some($isKnown: Boolean = true) ${selection}`
    const ask = (variables: object) => service.anonymous('POST', '/graphql', { query, variables })
    const posts = { edges: [{ node: { title: 'A public post' } }] }
    assert.deepEqual((await ask({ isKnown: false })).body, { data: { posts } })
    for (const variables of [{}, { isKnown: true }]) assert.equal((await ask(variables)).status, 401)
  })

test('the message of a field that refuses its arguments says why', async () => {
  for (const [query, message] of [
    ['{ task(taskId: "abc") { topic } }', /^Not valid: task\.taskId is not an id: give a UUID or /],
    ['{ posts(after: "abc") { totalCount } }', /^Not valid: posts\.after is not a cursor of this list: /],
    ['{ search(q: "x", from: "someday") { totalCount } }', /^Not valid: search\.from is no day, such as /],
    [
      `{ search(q: "x", tag: "${'x'.repeat(101)}") { totalCount } }`,
      /^Not valid: search\.tag must have 1 to 100 characters/
    ]
  ] as const) {
    const { body } = await service.bearer('POST', '/graphql', { query })
    assert.match(body.errors[0].message, message)
  }
})

test('tasks are those of REST in camelCase, page by page', async () => {
  const { items, total, next_cursor } = (await service.bearer('GET', '/api/tasks?limit=2&status=pending')).body
  const names = Object.keys(items[0])
    .filter(name => name !== 'qa')
    .map(camel)
  const query = `query Page($after: String) {
    tasks(first: 2, after: $after, status: pending) {
      totalCount pageInfo { hasNextPage endCursor } edges { cursor node { ${names.join(' ')} qa { score passed rails { name } } content } }
    }
  }`
  const { tasks } = await asBearer(query)
  assert.equal(tasks.totalCount, total)
  assert.deepEqual(tasks.pageInfo, { hasNextPage: true, endCursor: next_cursor })
  assert.deepEqual(
    tasks.edges.map(({ node }: { node: object }) => node),
    items.map((item: object) => ({ ...camelKeys(item), qa: null, content: null }))
  )
  const rest = (await asBearer(query, { after: next_cursor })).tasks
  assert.equal(rest.edges.length, 1)
  assert.equal(rest.pageInfo.hasNextPage, false)
  const { task, none } = await asBearer(
    `{ task(taskId: "${items[0].task_id.slice(0, 13)}") { topic content } none: task(taskId: "00000000-0000-0000-0000-000000000000") { topic } }`
  )
  assert.deepEqual(task, { topic: items[0].topic, content: null })
  assert.equal(none, null)
})

test('pipeline events are those of REST, of all tasks and of one', async () => {
  const fields = 'totalCount pageInfo { hasNextPage } edges { node { id at taskId type from to actor detail } }'
  const all = (await service.bearer('GET', '/api/pipeline/events?limit=2')).body
  const { task_id } = all.items[0]
  const one = (await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)).body
  const data = await asBearer(
    `{ all: pipelineEvents(first: 2) { ${fields} } one: pipelineEvents(taskId: "${task_id}") { ${fields} } }`
  )
  for (const [found, expected] of [
    [data.all, all],
    [data.one, one]
  ]) {
    assert.equal(found.totalCount, expected.total)
    assert.deepEqual(
      found.edges.map(({ node }: { node: object }) => node),
      expected.items.map((item: { id: number }) => ({ ...camelKeys(item), id: String(item.id) }))
    )
  }
})

test('settings are those of REST, secrets masked', async () => {
  await service.kernel.settings.set('llm_api_key', 'sk-very-secret')
  const { items } = (await service.bearer('GET', '/api/settings')).body
  const names = Object.keys(items[0]).map(camel).join(' ')
  const query = `query Page($after: String) {
    settings(after: $after) { totalCount pageInfo { hasNextPage endCursor } edges { node { ${names} } } }
    setting(key: "llm_api_key") { value default isSecret } none: setting(key: "no_such_setting") { key }
  }`
  const found: object[] = []
  for (let after: string | null = null, more = true; more; ) {
    const { settings, setting, none } = await asBearer(query, { after })
    assert.deepEqual(setting, { value: '********', default: '', isSecret: true })
    assert.equal(none, null)
    assert.equal(settings.totalCount, items.length)
    found.push(...settings.edges.map(({ node }: { node: object }) => node))
    more = settings.pageInfo.hasNextPage
    after = settings.pageInfo.endCursor
  }
  assert.deepEqual(found, items.map(camelKeys))
  assert.doesNotMatch(JSON.stringify(found), /sk-very-secret/)
})

test('memory answers what REST answers', async () => {
  const memory = service.kernel.service(MemoryService)
  await memory?.store({
    source_table: 'memory',
    source_id: 'tides',
    writer: 'operator',
    text: 'Tides follow the moon.',
    tags: ['sea']
  })
  const { items, total, degraded } = (
    await service.bearer('GET', '/api/memory/search?q=tides%20follow%20the%20moon&min_similarity=0.2&tags=sea')
  ).body
  const stats = (await service.bearer('GET', '/api/memory/stats')).body
  const passage = 'sourceTable sourceId chunk writer text similarity tags metadata createdAt'
  const count = '{ key count oldest newest }'
  const data = await asBearer(`{
    memorySearch(q: "tides follow the moon", minSimilarity: 0.2, tags: ["sea"]) { items { ${passage} } totalCount degraded }
    near: memorySearch(q: "moon harbour masters pilots ledgers", minSimilarity: 0.9) { totalCount }
    hybrid: memorySearch(q: "moon harbour masters pilots ledgers", minSimilarity: 0.9, mode: hybrid) { items { sourceId } }
    none: memorySearch(q: "tides follow the moon", writer: "nobody", sourceTable: issues) { items { text } }
    untagged: memorySearch(q: "tides follow the moon", tags: ["sea", "land"]) { items { text } }
    memoryStats { total pending fault refused refusals { sourceId } model servingModel dimensions bySourceTable ${count} byWriter ${count} }
  }`)
  assert.ok(items.length > 0)
  assert.deepEqual(data.memorySearch, { items: items.map(camelKeys), totalCount: total, degraded })
  assert.deepEqual([data.near.totalCount, data.hybrid.items], [0, [{ sourceId: 'tides' }]])
  assert.deepEqual([data.none.items, data.untagged.items], [[], []])
  assert.deepEqual(data.memoryStats, camelKeys(stats))
})

test('all that is wrong with a question of the memory is told at once, as its arguments are named', async () => {
  const { status, body } = await service.bearer('POST', '/graphql', {
    query: `query Q($q: String!, $tags: [String!]) {
      memorySearch(q: $q, minSimilarity: 2, limit: 0, writer: "${'x'.repeat(201)}", tags: $tags) { degraded }
      posts(first: 0) { totalCount }
    }`,
    variables: { q: 'x'.repeat(2001), tags: Array.from({ length: 51 }, (_, at) => `tag-${at}`) }
  })
  assert.deepEqual([status, 'data' in body], [400, false])
  const { code, errors } = body.errors[0].extensions
  assert.equal(code, 'VALIDATION_ERROR')
  assert.deepEqual(errors, {
    'memorySearch.q': 'has 2001 characters; at most 2000 are allowed',
    'memorySearch.minSimilarity': 'must be a number from 0 to 1',
    'memorySearch.limit': 'must be 1 to 100',
    'memorySearch.writer': 'has 201 characters; at most 200 are allowed',
    'memorySearch.tags': 'has 51 tags; at most 50 are allowed',
    'posts.first': 'must be 1 to 100'
  })
})

test('a question of the memory may have 2,000 characters, as by REST', async () => {
  const variables = { q: '🌊'.repeat(2000) }
  const query = 'query Q($q: String!) { memorySearch(q: $q) { degraded } }'
  const { body } = await service.bearer('POST', '/graphql', { query, variables })
  assert.deepEqual(body, { data: { memorySearch: { degraded: false } } })
})

test('with a token a post has what REST shows to it', async () => {
  const { body } = await service.bearer('GET', '/api/posts/a-public-post')
  const data = await asBearer(
    '{ post(slug: "a-public-post") { metadata awaitingGate } posts { edges { node { metadata awaitingGate } } } }'
  )
  const expected = { metadata: body.metadata, awaitingGate: body.awaiting_gate }
  assert.deepEqual(data, { post: expected, posts: { edges: [{ node: expected }] } })
})

const introspection = '{ __schema { queryType { name } types { name } } }'

test('the schema is shown to a client with a token', async () => {
  const { __schema } = await asBearer(introspection)
  assert.equal(__schema.queryType.name, 'Query')
})

test('tools read the schema with the query that they all send', async () => {
  const everything = {
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true
  }
  for (const options of [{}, everything]) {
    const schema = buildClientSchema(await asBearer(getIntrospectionQuery(options)))
    assert.ok(schema.getQueryType()?.getFields().posts)
  }
})

test('an anonymous reader sees the schema where the setting says so; by default not on PostgreSQL', async () => {
  const readers = { auto: service.db.kind === 'pglite', on: true, off: false }
  for (const [rule, isShown] of Object.entries(readers)) {
    await service.kernel.settings.set('graphql_introspection', rule)
    // A client with a token has asked the same before: what it was answered is not for all.
    await asBearer(introspection)
    const { status, body } = await service.anonymous('POST', '/graphql', { query: introspection })
    assert.equal(status, 200)
    assert.equal(body.data !== null, isShown, rule)
    if (!isShown) assert.equal(body.errors[0].extensions.code, 'UNAUTHORIZED')
    const named = await service.anonymous('POST', '/graphql', {
      query:
        'query T($n: String!) { a: __type(name: $n) { name } ...f __typename } fragment f on Query { __type(name: "Post") { name } }',
      variables: { n: 'Task' }
    })
    assert.equal(named.body.errors, undefined)
    const type = (name: string) => (isShown ? { name } : null)
    assert.deepEqual(named.body.data, { a: type('Task'), __type: type('Post'), __typename: 'Query' }, rule)
  }
})

test('a misspelt value of a variable is not answered with the values there are', async () => {
  const query = 'query T($s: TaskStatus) { tasks(status: $s) { totalCount } }'
  const { body } = await service.anonymous('POST', '/graphql', { query, variables: { s: 'pendin' } })
  assert.match(body.errors[0].message, /Value "pendin" does not exist in "TaskStatus" enum\.$/)
})

test('a misspelt field is not answered with the names there are', async () => {
  const { body } = await service.anonymous('POST', '/graphql', { query: '{ post(slug: "x") { titel } }' })
  assert.equal(body.errors[0].message, 'Cannot query field "titel" on type "Post".')
  assert.equal(body.errors[0].extensions.code, 'VALIDATION_ERROR')
})

test('a token that is no token, or has not the scope, is refused as on every route', async () => {
  const body = { query: '{ posts { totalCount } }' }
  const bad = await service.anonymous('POST', '/graphql', body, { authorization: 'Bearer nonsense' })
  assert.equal(bad.status, 401)
  assert.equal(bad.body.error_code, 'UNAUTHORIZED')
  // Ends the token of the tests above: this one comes last.
  const client = await service.kernel.service(ClientProvisionerService)?.provision({ rotate: true })
  const response = await fetch(`${service.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'api:write', ...(client as object) })
  })
  const { access_token } = (await response.json()) as { access_token: string }
  const weak = await service.anonymous('POST', '/graphql', body, { authorization: `Bearer ${access_token}` })
  assert.equal(weak.status, 403)
  assert.equal(weak.body.error_code, 'INSUFFICIENT_SCOPE')
})
