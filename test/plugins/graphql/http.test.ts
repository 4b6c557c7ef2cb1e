// Not on a server: requests are taken apart and answered, whatever the fields read.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
  await makePublicPost(service, { title: 'A public post' })
})
after(() => service.close())

test('a start loads neither mercurius nor graphql-js', () => {
  const loaded = Object.keys(createRequire(import.meta.url).cache)
  assert.ok(loaded.length > 0)
  assert.deepEqual(
    loaded.filter(file => /node_modules\/(mercurius|graphql)\//.test(file)),
    []
  )
})

const graphqlType = 'application/graphql-response+json'
const sendBody = (body: unknown, headers: Record<string, string> = {}) =>
  service.anonymous('POST', '/graphql', body, headers)
const get = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
  service.anonymous('GET', `/graphql?${new URLSearchParams(parameters)}`, undefined, headers)

const accepted: readonly [accept: string | undefined, type: string][] = [
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['text/html', 'application/json'],
  [graphqlType, graphqlType],
  [`${graphqlType}; charset=utf-8, application/json;q=0.9`, graphqlType],
  [`application/json, ${graphqlType}`, graphqlType],
  [`application/json, ${graphqlType};q=0.5`, 'application/json'],
  [`${graphqlType};q=0, application/json`, 'application/json']
]
for (const [accept, type] of accepted) {
  test(`who accepts ${accept ?? 'nothing in particular'} is answered ${type}`, async () => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    for (const send of [
      () => sendBody({ query: '{ __typename }' }, headers),
      () => get({ query: '{ __typename }' }, headers)
    ]) {
      const { status, headers: answered, body } = await send()
      assert.equal(status, 200)
      assert.equal(answered.get('content-type'), `${type}; charset=utf-8`)
      assert.equal(answered.get('vary')?.includes('Accept'), true)
      assert.deepEqual(body, { data: { __typename: 'Query' } })
    }
  })
}

test('an answer depends on the origin, too, where pages of some origins may ask', async () => {
  await service.kernel.settings.set('cors_origins', 'https://a.example')
  const answer = await get({ query: '{ __typename }' }, { origin: 'https://a.example' })
  assert.equal(answer.headers.get('access-control-allow-origin'), 'https://a.example')
  assert.equal(answer.headers.get('vary'), 'Origin, Accept')
  await service.kernel.settings.unset('cors_origins')
})

/** Well-formed requests that GraphQL refuses: 200 in the older media type, 400 in the newer. */
const refused: Readonly<Record<string, object>> = {
  'a syntax error': { query: '{' },
  'an unknown field': { query: '{ nothing }' },
  'a field without its selection': { query: '{ posts }' },
  'a wrong argument': { query: '{ posts(first: "ten") { totalCount } }' },
  'an unknown argument': { query: '{ posts(last: 3) { totalCount } }' },
  'a missing variable': { query: 'query Q($slug: String!) { post(slug: $slug) { title } }' },
  'a wrong variable': { query: 'query Q($n: Int!) { posts(first: $n) { totalCount } }', variables: { n: 'ten' } },
  'null for what must not be null': {
    query: 'query Q($n: Int) { posts(first: $n) { totalCount } }',
    variables: { n: null }
  },
  'an unknown operation': { query: 'query A { __typename }', operationName: 'B' },
  'several operations and no name': { query: 'query A { __typename } query B { __typename }' },
  'no operation': { query: 'fragment f on Query { __typename }' },
  'a mutation': { query: 'mutation { __typename }' },
  'a subscription': { query: 'subscription { __typename }' },
  'an unknown hash': { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }
}
for (const [title, body] of Object.entries(refused)) {
  test(`${title} is refused with a code, and the status the media type wants`, async () => {
    for (const [accept, status] of [
      ['application/json', 200],
      [graphqlType, title === 'an unknown hash' ? 404 : 400]
    ] as const) {
      const answer = await sendBody(body, { accept })
      assert.equal(answer.status, status)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal('data' in answer.body, false)
      const [{ message, extensions }] = answer.body.errors
      assert.ok(message.length > 5)
      assert.match(extensions.code, /^(VALIDATION_ERROR|NOT_FOUND)$/)
      assert.match(extensions.request_id, /^[0-9a-f-]{36}$/)
    }
  })
}

/** What is no GraphQL request at all is refused as on every other route. */
const malformed: Readonly<
  Record<string, readonly [body: unknown, headers: Record<string, string>, status: number, errors?: object]>
> = {
  'no body': [undefined, { 'content-type': 'application/json' }, 400, { query: 'is required' }],
  'broken JSON': ['{"query"', { 'content-type': 'application/json' }, 400],
  'no query': [{ variables: {} }, {}, 400, { query: 'is required' }],
  'a query that is a number': [{ query: 0 }, {}, 400, { query: 'must be a string' }],
  'an operation name that is a list': [
    { query: '{ a }', operationName: ['a'] },
    {},
    400,
    { operationName: 'must be a string or null' }
  ],
  'variables that are a list': [{ query: '{ a }', variables: [] }, {}, 400, { variables: 'must be an object or null' }],
  'extensions that are text': [
    { query: '{ a }', extensions: 'x' },
    {},
    400,
    { extensions: 'must be an object or null' }
  ],
  'an unknown field': [{ query: '{ a }', batch: true }, {}, 400, { batch: 'is not a known field' }],
  'a batch': [[{ query: '{ __typename }' }], {}, 400],
  'text as JSON': ['{ __typename }', { 'content-type': 'application/graphql' }, 415],
  'a form': ['query=%7B__typename%7D', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  'another charset': ['{"query":"{ __typename }"}', { 'content-type': 'application/json; charset=iso-8859-1' }, 415],
  'a large body': [{ query: '{ __typename }', variables: { x: 'x'.repeat(140_000) } }, {}, 413]
}
for (const [title, [body, headers, status, errors]] of Object.entries(malformed)) {
  test(`${title} is answered ${status} as on every route`, async () => {
    const answer = await sendBody(body, headers)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    assert.equal(typeof answer.body.error_code, 'string')
    if (errors !== undefined) assert.deepEqual(answer.body.errors, errors)
  })
}

test('GET takes the query, the operation and the variables from the address', async () => {
  const query = 'query A { __typename } query B($slug: String!) { post(slug: $slug) { title } }'
  const { status, headers, body } = await get({ query, operationName: 'B', variables: '{"slug":"a-public-post"}' })
  assert.equal(status, 200)
  assert.deepEqual(body, { data: { post: { title: 'A public post' } } })
  assert.equal(headers.get('cache-control'), 'public, max-age=0, must-revalidate')
  const etag = headers.get('etag') ?? ''
  const again = await get(
    { query, operationName: 'B', variables: '{"slug":"a-public-post"}' },
    { 'if-none-match': etag }
  )
  assert.equal(again.status, 304)
})

const badUrls: readonly [parameters: Record<string, string>, errors: object][] = [
  [{}, { query: 'is required' }],
  [{ query: '{ __typename }', variables: '[1]' }, { variables: 'must be a JSON object' }],
  [{ query: '{ __typename }', variables: '{' }, { variables: 'is not JSON' }],
  [{ query: '{ __typename }', extensions: '1' }, { extensions: 'must be a JSON object' }],
  [{ query: '{ __typename }', limit: '1' }, { limit: 'is not a known parameter' }]
]
for (const [parameters, errors] of badUrls) {
  test(`the address parameters ${JSON.stringify(parameters)} are refused`, async () => {
    const { status, body } = await get(parameters)
    assert.equal(status, 400)
    assert.deepEqual(body.errors, errors)
  })
}

test('a mutation or subscription by GET is not possible, whatever it asks for', async () => {
  for (const query of [
    'mutation { __typename }',
    'subscription { __typename }',
    'query A { __typename } mutation B { nothing }'
  ]) {
    const { status, headers, body } = await get({ query, ...(query.includes('B') ? { operationName: 'B' } : {}) })
    assert.equal(status, 405)
    assert.equal(headers.get('allow'), 'POST')
    assert.equal(body.errors[0].extensions.code, 'METHOD_NOT_ALLOWED')
  }
})

test('other methods are told which there are', async () => {
  const { status, headers } = await service.anonymous('PUT', '/graphql', { query: '{ __typename }' })
  assert.equal(status, 405)
  assert.equal(headers.get('allow'), 'GET, HEAD, POST')
})

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const persisted = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } })

test('a query sent once with its hash is found by the hash alone, by POST and by GET', async () => {
  const query = '{ posts { edges { node { title } } } }'
  const extensions = persisted(hashOf(query))
  const unknown = await sendBody({ extensions })
  assert.equal(unknown.body.errors[0].message, 'PersistedQueryNotFound')
  const first = await sendBody({ query, extensions })
  assert.equal(first.body.data.posts.edges[0].node.title, 'A public post')
  assert.deepEqual((await sendBody({ extensions })).body, first.body)
  assert.deepEqual((await get({ extensions: JSON.stringify(extensions) })).body, first.body)
})

test('a hash that is not of the query, or a query that is refused, is not remembered', async () => {
  const wrong = await sendBody({ query: '{ __typename }', extensions: persisted('b'.repeat(64)) })
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.errors[0].extensions.errors.extensions, /is not the hash/)
  const query = '{ nothing }'
  await sendBody({ query, extensions: persisted(hashOf(query)) })
  assert.equal(
    (await sendBody({ extensions: persisted(hashOf(query)) })).body.errors[0].message,
    'PersistedQueryNotFound'
  )
  const form = await sendBody({ query, extensions: { persistedQuery: { version: 2, sha256Hash: 'x' } } })
  assert.match(form.body.errors.extensions, /^persistedQuery must be/)
})

test('a field that fails is null, with its cause named and nothing told of the inside', async () => {
  const original = service.db.query
  service.db.query = () => Promise.reject(new Error('relation "inside" does not exist'))
  const { status, body } = await sendBody({ query: '{ __typename missing: post(slug: "x") { title } }' })
  service.db.query = original
  assert.equal(status, 200)
  assert.deepEqual(body.data, { __typename: 'Query', missing: null })
  const [{ message, path, extensions }] = body.errors
  assert.equal(extensions.code, 'INTERNAL_ERROR')
  assert.deepEqual(path, ['missing'])
  assert.doesNotMatch(JSON.stringify(body), /inside/)
  assert.match(message, /request_id/)
})
