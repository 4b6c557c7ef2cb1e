// Not on a server: what a document may ask for is counted before anything is read.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
})
after(() => service.close())

const send = (query: string, variables: object = {}) =>
  service.anonymous('POST', '/graphql', { query, variables }, { accept: 'application/graphql-response+json' })

const nested = (levels: number) => `{ ${'posts { edges { node { '.repeat(levels)} title ${'} } } '.repeat(levels)} }`
const chain = (length: number, last: string, body: (next: string) => string) =>
  Array.from({ length }, (_, n) => `fragment f${n} on Query { ${body(n + 1 < length ? `...f${n + 1}` : last)} }`).join(
    ' '
  )
const times = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => text(n)).join(' ')

const hostile: Readonly<Record<string, readonly [query: string, said: RegExp]>> = {
  'many levels': [nested(20), /^is 61 levels deep; at most 10/],
  'many levels through fragments': [
    `{ ...f0 } ${chain(12, '__typename', next => `posts { ${next} }`)}`,
    /^is 13 levels deep; at most 10/
  ],
  'many aliases': [`{ ${times(200, n => `a${n}: __typename`)} }`, /^has 200 aliases or repeated fields; at most 15/],
  'aliases in a fragment that is spread again and again': [
    `{ ...f0 } ${chain(10, 'a: __typename', next => `b: __typename ...on Query { c: __typename } ${next}`)}`,
    /^has 21 aliases/
  ],
  'one field repeated': [`{ ${'__typename '.repeat(900)} }`, /^has 899 aliases or repeated fields/],
  'one selection repeated': [`{ ${'posts { edges { cursor } } '.repeat(120)} }`, /^has 119 aliases/],
  'inline fragments that repeat a field': [`{ ${'... { posts { totalCount } } '.repeat(100)} }`, /^has 99 aliases/],
  'a fragment spread again and again': [
    `{ ${'...f0 '.repeat(300)} } fragment f0 on Query { __typename }`,
    /^has 299 aliases/
  ],
  'fragments that double one another': [
    `{ ...f0 } ${chain(60, '__typename', next => `${next} ... { ${next.startsWith('...f') ? next : 'b: __typename'} }`)}`,
    /aliases or repeated fields/
  ],
  'fragments in a circle': [
    '{ ...a } fragment a on Query { ...b } fragment b on Query { ...c } fragment c on Query { ...b }',
    /^spreads its fragments in a circle: b → c → b/
  ],
  'a circle that no operation uses': [
    '{ __typename } fragment a on Post { title ...a }',
    /^spreads its fragments in a circle: a → a/
  ],
  'a circle through fields': [
    '{ ...a } fragment a on Query { posts { edges { node { title } } } ...on Query { ...a } }',
    /circle/
  ],
  'a huge text': [`{ post(slug: "${'x'.repeat(60_000)}") { title } }`, /^has 600\d\d characters; at most 50000/],
  'a huge number': [`{ posts(first: ${'9'.repeat(60_000)}) { totalCount } }`, /^has 600\d\d characters/],
  'many tokens': [`{ ${times(2_000, n => `field${n}`)} }`, /^has more than 1000 tokens/],
  'many comments': [`${'#\n'.repeat(20_000)}{ __typename }`, /^has 2000\d tokens, comments included; at most 1000/],
  'brackets without end': [`{ posts(first: ${'['.repeat(20_000)}`, /^has more than 1000 tokens/],
  'braces without end': ['{ a '.repeat(12_000), /^has more than 1000 tokens/],
  'many directives': [`{ __typename ${'@include(if: true) '.repeat(300)} }`, /^has more than 1000 tokens/],
  'introspection in circles': [
    `{ __schema { types { ${'fields { type { '.repeat(12)} name ${'} }'.repeat(12)} } } }`,
    /^asks \d+ levels deep for the schema/
  ],
  'a fragment on posts that goes deep': [
    `{ __typename } fragment deep on Post { ${'related { post { '.repeat(6)} title ${'} }'.repeat(6)} }`,
    /^is 13 levels deep; at most 10/
  ],
  'a fragment on the schema in circles': [
    `{ __schema { types { ...deep } } } fragment deep on __Type { ${'fields { type { '.repeat(12)} name ${'} }'.repeat(12)} }`,
    /^asks 26 levels deep for the schema/
  ],
  'a fragment on the schema outside of it': [
    `{ ...deep } fragment deep on __Type { ${'ofType { '.repeat(12)} name ${'}'.repeat(12)} }`,
    /^is 13 levels deep; at most 10/
  ],
  'the schema under several names': [
    `{ ${times(4, n => `s${n}: __schema { types { name } }`)} }`,
    /^has 20 aliases or repeated fields; at most 15/
  ],
  'parts of the schema under several names': [
    `{ __schema { ${times(4, n => `t${n}: types { fields { name } }`)} } }`,
    /^has 20 aliases or repeated fields; at most 15/
  ],
  'too much at once': [
    `{ ${times(10, n => `p${n}: posts(first: 100) { edges { node { title content contentHtml tagDetails { name } } } }`)} }`,
    /^costs \d+; at most 10000 are allowed/
  ],
  'many searches': [
    `{ ${times(12, n => `s${n}: search(q: "tide ${n}") { totalCount }`)} }`,
    /^costs 12\d+; at most 10000/
  ]
}

for (const [title, [query, said]] of Object.entries(hostile)) {
  test(`a query with ${title} is refused before anything is resolved`, async () => {
    const { status, body } = await send(query)
    assert.equal(status, 400, JSON.stringify(body).slice(0, 500))
    assert.equal('data' in body, false)
    const [{ extensions }] = body.errors
    assert.equal(extensions.code, 'VALIDATION_ERROR')
    assert.match(extensions.errors.query, said)
  })
}

test('a refusal does not repeat what is long', async () => {
  for (const query of [`{ posts(first: ${'9'.repeat(40_000)}) { totalCount } }`, `{ ${'x'.repeat(40_000)} }`]) {
    const { status, body } = await send(query)
    assert.equal(status, 400)
    assert.ok(JSON.stringify(body).length < 1_000, JSON.stringify(body).slice(0, 2_000))
  }
  const { body } = await send('query L($n: Int!) { posts(first: $n) { totalCount } }', { n: 'x'.repeat(700) })
  assert.match(
    body.errors[0].message,
    /^Variable "\$n" got invalid value "x{9,50}….*cannot represent non-integer value/
  )
})

test('what a query may cost is counted from its variables', async () => {
  const query =
    'query L($n: Int!) { posts(first: $n) { edges { node { title content contentHtml tagDetails { name slug postCount } metadata: media { podcastUrl } } } } }'
  assert.equal((await send(query, { n: 2 })).status, 200)
  await service.kernel.settings.set('graphql_max_cost', '1000')
  const { status, body } = await send(query, { n: 100 })
  await service.kernel.settings.set('graphql_max_cost', '10000')
  assert.equal(status, 400)
  assert.match(body.errors[0].extensions.errors.query, /^costs \d{4}; at most 1000/)
})

test('a lowered limit holds for documents that were answered before', async () => {
  const query = '{ posts { edges { node { title } } } }'
  assert.equal((await send(query)).status, 200)
  await service.kernel.settings.set('graphql_max_depth', '3')
  assert.equal((await send(query)).status, 400)
  await service.kernel.settings.set('graphql_max_depth', '10')
  const long = `${query} ${'#\n'.repeat(100)}`
  assert.equal((await send(long)).status, 200)
  await service.kernel.settings.set('graphql_max_tokens', '100')
  assert.equal((await send(long)).status, 400)
  await service.kernel.settings.set('graphql_max_tokens', '1000')
  assert.equal((await send(query)).status, 200)
})

const wrongArguments: readonly [query: string, variables: object, errors: object][] = [
  ['{ posts(first: 0) { totalCount } }', {}, { 'posts.first': 'must be 1 to 100' }],
  ['{ posts(first: 101) { totalCount } }', {}, { 'posts.first': 'must be 1 to 100' }],
  [
    '{ posts(first: -1) { totalCount } tags(first: 1000) { slug } }',
    {},
    { 'posts.first': 'must be 1 to 100', 'tags.first': 'must be 1 to 100' }
  ],
  ['query Q($n: Int!) { few: posts(first: $n) { totalCount } }', { n: 1000 }, { 'few.first': 'must be 1 to 100' }],
  ['{ search(q: "  ") { totalCount } }', {}, { 'search.q': 'must not be blank' }],
  [
    'query Q($q: String!) { search(q: $q) { totalCount } }',
    { q: 'x'.repeat(501) },
    { 'search.q': 'must have at most 500 characters; it has 501' }
  ],
  [
    '{ post(slug: "\\u0000") { title } }',
    {},
    { 'post.slug': 'must not contain NUL or half a character (a lone surrogate)' }
  ],
  ['fragment f on Query { post(slug: "") { title } } { ...f }', {}, { 'post.slug': 'must not be blank' }]
]

for (const [query, variables, errors] of wrongArguments) {
  test(`arguments out of bounds are named: ${query} ${JSON.stringify(variables).slice(0, 30)}`, async () => {
    const { status, body } = await send(query, variables)
    assert.equal(status, 400)
    assert.equal(body.errors[0].extensions.code, 'VALIDATION_ERROR')
    assert.deepEqual(body.errors[0].extensions.errors, errors)
  })
}

test('a cursor of another list is refused by its name', async () => {
  const { body } = await send('{ posts(after: "abc") { totalCount } }')
  assert.equal(body.data, null)
  assert.deepEqual(Object.keys(body.errors[0].extensions.errors), ['posts.after'])
})

test('a page of all the fields of a post is within the limits', async () => {
  const { status } =
    await send(`{ posts(first: 100) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node {
    postId slug title excerpt content contentHtml status category categoryDetails { slug name description postCount } tags
    tagDetails { slug name } seoTitle seoDescription seoKeywords featuredImageUrl publishedAt nicheSlug media { podcastUrl videoUrl }
    wordCount readingMinutes createdAt updatedAt } } } }`)
  assert.equal(status, 200)
})

test('an answer has at most the bytes of its setting, whatever makes it large', async () => {
  await service.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     select 'long-' || n, 'Long ' || n, repeat('word ', 12000), repeat('html ', 12000), 'published', now() from generate_series(1, 30) n`
  )
  await service.kernel.settings.set('graphql_max_answer_mb', '1')
  const longAlias = 'a'.repeat(20_000)
  const rows: Readonly<Record<string, string>> = {
    'long texts': '{ posts(first: 100) { edges { node { content contentHtml } } } }',
    'one text under many names': `{ posts(first: 3) { edges { node { ${times(15, n => `a${n}: content`)} } } } }`,
    'one post again and again': `{ ${times(15, n => `p${n}: post(slug: "long-1") { content contentHtml }`)} }`,
    'a long name for each item': `{ posts(first: 100) { edges { node { ${longAlias}: slug ${longAlias}b: title } } } }`
  }
  for (const [title, query] of Object.entries(rows)) {
    const { status, body } = await send(query)
    assert.equal(status, 400, `${title}: ${JSON.stringify(body).slice(0, 300)}`)
    assert.match(body.errors?.[0].extensions.errors.query, /^answers more than 1 MB \(setting graphql_max_answer_mb\)/)
    assert.deepEqual([Object.keys(body), body.errors.length], [['errors'], 1])
  }
  const { status, body } = await send('{ posts(first: 5) { edges { node { content contentHtml } } } }')
  assert.deepEqual([status, body.data.posts.edges.length], [200, 5])
  await service.kernel.settings.set('graphql_max_answer_mb', '8')
  assert.equal((await send(rows['long texts'] as string)).status, 200)
  await service.db.query(`delete from posts where slug like 'long-%'`)
})
