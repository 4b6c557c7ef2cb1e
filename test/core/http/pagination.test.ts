import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InputError } from '../../../core/errors.ts'
import { encodeCursor, pageRequest } from '../../../core/http/pagination.ts'

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
