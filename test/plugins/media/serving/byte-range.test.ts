import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { byteRange } from '../../../../plugins/media/serving/byte-range.ts'

describe('a Range header', () => {
  const cases: [header: string | undefined, size: number, expected: unknown][] = [
    [undefined, 10, 'whole'],
    ['bytes=0-3', 10, { start: 0, end: 3 }],
    ['bytes=0-0', 10, { start: 0, end: 0 }],
    ['bytes=4-', 10, { start: 4, end: 9 }],
    ['bytes=4-400', 10, { start: 4, end: 9 }],
    ['bytes=-4', 10, { start: 6, end: 9 }],
    ['bytes=-400', 10, { start: 0, end: 9 }],
    ['Bytes=1-2', 10, { start: 1, end: 2 }],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-1', 0, 'unsatisfiable'],
    ['bytes=4-2', 10, 'whole'],
    ['bytes=-', 10, 'whole'],
    ['bytes=a-b', 10, 'whole'],
    ['bytes=0-1,3-4', 10, 'whole'],
    ['items=0-1', 10, 'whole'],
    ['bytes=99999999999999999999-', 10, 'unsatisfiable'],
    ['bytes=0-999999999999999999999', 10, { start: 0, end: 9 }],
    ['bytes=-999999999999999999999', 10, { start: 0, end: 9 }],
    ['bytes=999999999999999999999-999999999999999999998', 10, 'whole'],
    ['bytes=999999999999999999998-999999999999999999999', 10, 'unsatisfiable'],
    ['bytes=0002-0000000000000000003', 10, { start: 2, end: 3 }],
    // A list may have empty parts (RFC 9110 §5.6.1), and blanks between them.
    ['bytes=,2-3', 10, { start: 2, end: 3 }],
    ['bytes= 2-3 , ', 10, { start: 2, end: 3 }],
    ['bytes=2 -3', 10, 'whole'],
    ['bytes=0-5,3-9', 10, 'whole'],
    ['bytes=0-1,a', 10, 'whole'],
    [`bytes=${Array.from({ length: 3000 }, (_, n) => `${n}-`).join()}`, 10, 'whole'],
    ['bytes=1-2;q=1', 10, 'whole'],
    ['bytes=+1-2', 10, 'whole'],
    ['bytes', 10, 'whole'],
    ['', 10, 'whole']
  ]
  for (const [header, size, expected] of cases) {
    test(`${header?.slice(0, 60)} of ${size} bytes is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(byteRange(header, size), expected)
    })
  }
})
