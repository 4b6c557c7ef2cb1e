import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answerFor } from '../../../../plugins/media/serving/file-answer.ts'
import { httpDate } from '../../../../plugins/media/serving/http-date.ts'

const etag = '"a-1"'
const other = '"a-2"'
/** Of the file; headers tell whole seconds. */
const modifiedAt = new Date('2020-11-21T02:15:15.700Z')
const date = 'Sat, 21 Nov 2020 02:15:15 GMT'
const before = 'Sat, 21 Nov 2020 02:15:14 GMT'
const later = 'Sat, 21 Nov 2020 02:15:16 GMT'
const file = { key: 'episodes/a.mp3', bytes: 10, etag, modifiedAt }
const options = { type: 'audio/mpeg', cacheControl: 'public' }
const range = 'bytes=2-4'

/** What RFC 9110 §13.2.2 and §14.2 say of each, in their order. */
const rows: [headers: Record<string, string>, get: number, head: number][] = [
  [{}, 200, 200],
  [{ range }, 206, 200],
  [{ range: 'bytes=10-' }, 416, 200],
  [{ 'if-match': etag }, 200, 200],
  [{ 'if-match': '*' }, 200, 200],
  [{ 'if-match': `${other}, ${etag}`, range }, 206, 200],
  [{ 'if-match': other }, 412, 412],
  [{ 'if-match': other, range: 'bytes=10-' }, 412, 412],
  // A weak tag never matches strongly.
  [{ 'if-match': `W/${etag}` }, 412, 412],
  [{ 'if-match': '' }, 412, 412],
  [{ 'if-unmodified-since': date }, 200, 200],
  [{ 'if-unmodified-since': later }, 200, 200],
  [{ 'if-unmodified-since': before }, 412, 412],
  [{ 'if-unmodified-since': 'yesterday' }, 200, 200],
  // By tag, then the date is not looked at.
  [{ 'if-match': etag, 'if-unmodified-since': before }, 200, 200],
  [{ 'if-match': other, 'if-unmodified-since': later }, 412, 412],
  [{ 'if-none-match': etag }, 304, 304],
  [{ 'if-none-match': `W/${etag}` }, 304, 304],
  [{ 'if-none-match': `${other},${etag}` }, 304, 304],
  [{ 'if-none-match': '*' }, 304, 304],
  [{ 'if-none-match': other }, 200, 200],
  [{ 'if-none-match': etag, range }, 304, 304],
  [{ 'if-none-match': other, range }, 206, 200],
  [{ 'if-modified-since': date }, 304, 304],
  [{ 'if-modified-since': later }, 304, 304],
  [{ 'if-modified-since': before }, 200, 200],
  [{ 'if-modified-since': before, range }, 206, 200],
  [{ 'if-modified-since': date, range }, 304, 304],
  [{ 'if-modified-since': '1' }, 200, 200],
  [{ 'if-modified-since': '2030-01-01' }, 200, 200],
  [{ 'if-modified-since': 'Saturday, 21-Nov-20 02:15:15 GMT' }, 304, 304],
  [{ 'if-modified-since': 'Sat Nov 21 02:15:15 2020' }, 304, 304],
  [{ 'if-none-match': other, 'if-modified-since': later }, 200, 200],
  [{ 'if-none-match': etag, 'if-modified-since': before }, 304, 304],
  [{ 'if-match': other, 'if-none-match': etag }, 412, 412],
  [{ 'if-match': etag, 'if-none-match': etag }, 304, 304],
  [{ 'if-unmodified-since': before, 'if-modified-since': later }, 412, 412],
  [{ 'if-range': etag, range }, 206, 200],
  [{ 'if-range': other, range }, 200, 200],
  [{ 'if-range': other, range: 'bytes=10-' }, 200, 200],
  [{ 'if-range': `W/${etag}`, range }, 200, 200],
  [{ 'if-range': date, range }, 206, 200],
  [{ 'if-range': 'Sat Nov 21 02:15:15 2020', range }, 206, 200],
  [{ 'if-range': later, range }, 200, 200],
  [{ 'if-range': before, range }, 200, 200],
  [{ 'if-range': 'rubbish', range }, 200, 200],
  [{ 'if-range': other }, 200, 200],
  [{ 'if-range': other, 'if-none-match': etag, range }, 304, 304],
  [{ range: 'bytes=0-1,5-6' }, 200, 200],
  [{ range: `bytes=0-${'9'.repeat(21)}` }, 206, 200]
]

describe('a request for a file', () => {
  for (const [headers, get, head] of rows)
    test(`with ${JSON.stringify(headers)} gets ${get}, and HEAD ${head}`, () => {
      assert.equal(answerFor({ method: 'GET', headers }, file, options).status, get)
      assert.equal(answerFor({ method: 'HEAD', headers }, file, options).status, head)
    })

  test('that is refused tells nothing that a cache would store it for', () => {
    const refused = answerFor({ method: 'GET', headers: { range: 'bytes=10-' } }, file, options)
    assert.deepEqual(refused.ownHeaders, { 'accept-ranges': 'bytes', 'content-range': 'bytes */10' })
    assert.deepEqual(answerFor({ method: 'GET', headers: { 'if-match': other } }, file, options).headers, {})
  })

  test('by date gets the range of a file that is two seconds old, not of a newer one', () => {
    const dated = (ms: number) => {
      const changed = { ...file, modifiedAt: new Date(ms) }
      const headers = { range, 'if-range': changed.modifiedAt.toUTCString() }
      return answerFor({ method: 'GET', headers }, changed, options).status
    }
    assert.equal(dated(Date.now() - 60_000), 206)
    assert.equal(dated(Date.now() + 60_000), 200)
  })

  test('gets the name under which it is saved', () => {
    const { ownHeaders } = answerFor({ method: 'GET', headers: {} }, file, { ...options, filename: 'tides.mp3' })
    assert.equal(ownHeaders['content-disposition'], 'inline; filename="tides.mp3"')
  })
})

test('dates in headers have one of three forms, whatever the time zone of the machine is', () => {
  const ms = Date.parse('1994-11-06T08:49:37Z')
  for (const text of [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    ' Sun, 06 Nov 1994 08:49:37 GMT '
  ])
    assert.equal(httpDate(text), ms, text)
  for (const text of [
    undefined,
    '',
    '0',
    '1994-11-06',
    '1994-11-06T08:49:37Z',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 CET',
    'Sun, 06 Nov 1994 28:49:37 GMT',
    'sun, 06 nov 1994 08:49:37 gmt'
  ])
    assert.equal(httpDate(text), undefined, text)
})
