import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { InputError } from '../../../core/errors.ts'
import { encodeCursor, pageRequest, sendPage } from '../../../core/http/pagination.ts'

test('a cursor holds the sort values it was made of', () => {
  const values = ['2026-01-02T03:04:05.000Z', 'né']
  assert.deepEqual(pageRequest({ cursor: encodeCursor(values) }, 2).after, values)
})

const encoded = (text: string) => Buffer.from(text).toString('base64url')
const wrong: Readonly<Record<string, string>> = {
  'no JSON': encoded('x'),
  'no list': encoded('"x"'),
  'too few values': encoded('["x"]'),
  'another value than text': encoded('["x",1]'),
  'NUL, which PostgreSQL does not take': encoded('["x","\\u0000"]'),
  'half a surrogate pair': encoded('["x","\\ud800"]')
}
for (const [title, cursor] of Object.entries(wrong)) {
  test(`a cursor that holds ${title} is refused`, () => {
    assert.throws(() => pageRequest({ cursor }, 2), InputError)
  })
}

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
