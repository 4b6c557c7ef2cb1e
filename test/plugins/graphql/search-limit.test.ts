// Not on a server: searches are counted before anything is read.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
let time = Date.now()
before(async () => {
  const settings = { rate_limit_search_per_minute: '3' }
  service = await startService({ worker: false, settings, now: () => new Date(time) })
})
beforeEach(() => {
  time += 60_000
})
after(() => service.close())

const send = async (query: string, who: 'anonymous' | 'bearer' = 'anonymous') => {
  const { status, headers, body } = await service[who]('POST', '/graphql', { query })
  const { message: _, ...error } = body.errors?.[0] ?? {}
  return { status, left: headers.get('ratelimit-remaining'), after: headers.get('retry-after'), error, body }
}
const searches = (count: number) =>
  Array.from({ length: count }, (_, n) => `s${n}: search(q: "tide ${n}") { totalCount }`).join(' ')

test('each search of a query is counted, beside those of REST', async () => {
  assert.deepEqual([(await send(`{ ${searches(2)} }`)).left, (await send('{ __typename }')).left], ['1', null])
  assert.equal((await service.anonymous('GET', '/api/posts/search?q=tide')).status, 200)
  const { status, left, after, error, body } = await send('{ search(q: "tide") { totalCount } }')
  assert.deepEqual([status, left, error.extensions.code, 'data' in body], [429, '0', 'RATE_LIMITED', false])
  assert.match(after ?? '', /^\d+$/)
  assert.equal((await service.anonymous('GET', '/api/posts/search?q=ebb')).status, 429)
  // No token is looked at there: it is public.
  assert.equal((await service.bearer('GET', '/api/posts/search?q=flow')).status, 429)
  assert.equal((await send(`{ ${searches(9)} }`, 'bearer')).status, 200)
})

const counted: Readonly<Record<string, readonly [query: string, left: string | null]>> = {
  'related posts': ['{ related(slug: "tide") { degraded } }', '2'],
  'a field that is asked for twice': ['{ search(q: "a") { totalCount } search(q: "a") { degraded } }', '2'],
  'fields of fragments': [
    `{ ...f ... { b: search(q: "b") { totalCount } } } fragment f on Query { a: search(q: "a") { totalCount } }`,
    '1'
  ],
  'the named operation': [`query Two { ${searches(2)} }`, '1'],
  'a search that is refused for its words': ['{ search(q: " ") { totalCount } }', '2'],
  'a search that is left out': ['{ search(q: "a") @include(if: false) { totalCount } posts { totalCount } }', null],
  'a search that a default leaves out': [
    'query ($is: Boolean = false) { search(q: "a") @include(if: $is) { totalCount } posts { totalCount } }',
    null
  ],
  'searches of a fragment that is left out': [
    `query ($is: Boolean! = true) { posts { totalCount } ...f @skip(if: $is) } fragment f on Query { ${searches(2)} }`,
    null
  ],
  'a search of a fragment that is left out once': [
    '{ ...f @skip(if: true) ... { ...f } } fragment f on Query { search(q: "a") { totalCount } }',
    '2'
  ],
  'no search': ['{ posts { totalCount } search: __typename }', null]
}
for (const [what, [query, left]] of Object.entries(counted))
  test(`what counts: ${what}`, async () => assert.equal((await send(query)).left, left))

test('those who ask the same at the same time are counted each', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => send('{ search(q: "tide") { totalCount } }')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 429, 429])
})

test('a query for more than a minute has is refused for that, and leaves the minute to others', async () => {
  const { status, left, after, error } = await send(`{ ${searches(4)} }`)
  assert.deepEqual([status, left, after, error.extensions.code], [400, null, null, 'VALIDATION_ERROR'])
  assert.equal(
    error.extensions.errors.query,
    'asks for 4 searches; at most 3 a minute are allowed (setting rate_limit_search_per_minute): ask for fewer in one query'
  )
  assert.equal((await send(`{ ${searches(3)} }`)).status, 200)
})
