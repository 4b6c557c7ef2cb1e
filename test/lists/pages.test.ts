import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { InputError } from '../../core/contract/errors.ts'
import type { CursorValue } from '../../lists/cursor.ts'
import { encodeCursor, type ListIdentity, pageRequest, sendPage } from '../../lists/index.ts'
import { openTestDatabase } from '../helpers/database.ts'

test('a cursor holds the sort values it was made of', () => {
  const values = ['2026-01-02T03:04:05.000Z', 'né']
  const { list } = pageRequest({}, ['timestamp', 'text'], ['notes'])
  const { after } = pageRequest({ cursor: encodeCursor(values, { list }) }, ['timestamp', 'text'], ['notes'])
  assert.deepEqual(after, values)
})

test('a cursor of another list, or of other filters, is refused', () => {
  const values = ['2026-01-02T03:04:05.000Z']
  const { list } = pageRequest({}, ['timestamp'], ['notes', 'open', undefined])
  const cursor = encodeCursor(values, { list })
  const read = (...of: ListIdentity) => pageRequest({ cursor }, ['timestamp'], of).after
  assert.deepEqual(read('notes', 'open', null), values)
  for (const other of [
    ['notes', 'open', 'mine'],
    ['notes', 'closed', null],
    ['letters', 'open', null],
    ['notes']
  ] as const)
    assert.throws(() => read(...(other as unknown as ListIdentity)), { name: 'InputError' }, other.join())
})

const encoded = (text: string) => Buffer.from(text).toString('base64url')
const wrong: Readonly<Record<string, string>> = {
  'no JSON': encoded('x'),
  'no mark of its list': encoded('["x","y"]'),
  'no list': encoded('"x"'),
  'too few values': encoded('["x"]'),
  'another value than text': encoded('["x",1]'),
  'NUL, which PostgreSQL does not take': encoded('["x","\\u0000"]'),
  'half a surrogate pair': encoded('["x","\\ud800"]')
}
for (const [title, cursor] of Object.entries(wrong)) {
  test(`a cursor that holds ${title} is refused`, () => {
    assert.throws(() => pageRequest({ cursor }, ['text', 'text'], ['notes']), InputError)
  })
}

const values: readonly [kind: CursorValue, value: string, fits: boolean][] = [
  ['timestamp', '2026-01-02T03:04:05.000Z', true],
  ['timestamp', '2026-01-02 03:04:05.123456+00', true],
  ['timestamp', '12026-01-02 03:04:05+00', true],
  ['timestamp', '2024-02-29T00:00:00Z', true],
  ['timestamp', '2000-02-29T00:00:00Z', true],
  ['timestamp', '2026-02-29T00:00:00Z', false],
  ['timestamp', '1900-02-29T00:00:00Z', false],
  ['timestamp', '2026-04-31T00:00:00Z', false],
  ['timestamp', '2026-01-00T00:00:00Z', false],
  ['timestamp', '2026-13-01T00:00:00Z', false],
  ['timestamp', '2026-01-01T24:00:00Z', false],
  ['timestamp', '2026-01-01T00:60:00Z', false],
  ['timestamp', '0000-01-01T00:00:00Z', false],
  ['timestamp', '294276-01-01T00:00:00Z', false],
  ['timestamp', '2026-01-02', false],
  ['timestamp', 'infinity', false],
  ['timestamp', 'x', false],
  ['uuid', '00000000-0000-4000-8000-00000000000a', true],
  ['uuid', '00000000-0000-4000-8000-00000000000g', false],
  ['uuid', '', false],
  ['integer', '0', true],
  ['integer', '999999999999999', true],
  ['integer', '9999999999999999', false],
  ['integer', '-1', false],
  ['integer', '1.5', false],
  ['integer', '', false],
  ['text', '', true]
]
for (const [kind, value, fits] of values) {
  test(`a cursor with ${JSON.stringify(value)} ${fits ? 'is one' : 'is none'} of a list by ${kind}`, () => {
    const { list } = pageRequest({}, [kind], ['notes'])
    const read = () => pageRequest({ cursor: encodeCursor([value], { list }) }, [kind], ['notes'])
    if (fits) assert.deepEqual(read().after, [value])
    else assert.throws(read, InputError)
  })
}

test('what is taken for a timestamp is one for the database', async () => {
  const db = await openTestDatabase()
  try {
    for (const [kind, value, fits] of values)
      if (kind === 'timestamp' && fits) await db.query('select $1::timestamptz', [value])
  } finally {
    await db.close()
  }
})

const previous: [offset: number, limit: number, total: number, prev: number | undefined][] = [
  [0, 20, 45, undefined],
  [7, 20, 45, 0],
  [40, 20, 45, 20],
  [50, 20, 45, 30],
  [40, 20, 40, 20],
  [1000, 20, 45, 40],
  [1000, 20, 40, 20],
  [1000, 20, 1, 0],
  [1000, 20, 0, undefined]
]
for (const [offset, limit, total, prev] of previous) {
  test(`before offset ${offset} of ${total} comes ${prev === undefined ? 'nothing' : `offset ${prev}`}`, async () => {
    const app = Fastify()
    app.get('/list', (request, reply) =>
      sendPage(request, reply, { items: [], total, limit, offset, next_cursor: null })
    )
    const { headers } = await app.inject({ method: 'GET', url: `/list?limit=${limit}&offset=${offset}` })
    const link = prev === undefined ? undefined : `</list?limit=${limit}&offset=${prev}>; rel="prev"`
    assert.equal(headers.link, link)
  })
}
