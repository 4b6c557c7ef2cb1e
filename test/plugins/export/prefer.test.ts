import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredWaitMs } from '../../../plugins/export/prefer.ts'

test('a caller waits as long as it prefers, and no longer than all others', () => {
  const waits: [string | string[] | undefined, number][] = [
    [undefined, 30_000],
    ['', 30_000],
    ['wait=5', 30_000],
    ['respond-async', 0],
    ['Respond-Async; x=1, wait="7"', 7000],
    ['return=minimal, respond-async, wait=10', 10_000],
    [['respond-async', 'wait=10'], 10_000],
    ['respond-async, wait=9999', 30_000],
    ['respond-async, wait=99999', 0],
    ['respond-async, wait=-1', 0],
    ['respond-async, wait=soon', 0],
    ['respond-asynchronously', 30_000]
  ]
  for (const [header, expected] of waits) assert.equal(preferredWaitMs(header, 30_000), expected, String(header))
})
