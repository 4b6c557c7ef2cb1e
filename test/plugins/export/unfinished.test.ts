import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRetryDue, type ManifestFile, unfinishedAt } from '../../../plugins/export/manifest.ts'

test('a file that stays unfinished is made again after 1, 2, 4 … seconds, and after most of a day not any more', () => {
  const file: ManifestFile = { path: 'posts/tides/index.html', bytes: 1, sha256: '' }
  let now = new Date('2026-11-28T12:00:00Z')
  let before: ManifestFile = { ...file, ...unfinishedAt(now, undefined) }
  const waits: number[] = []
  while (before.again_at !== undefined) {
    const next = new Date(before.again_at)
    waits.push((next.getTime() - now.getTime()) / 1000)
    assert.equal(isRetryDue(before, new Date(next.getTime() - 1)), false)
    assert.equal(isRetryDue(before, next), true)
    now = next
    before = { ...file, ...unfinishedAt(now, before) }
  }
  assert.deepEqual(waits.slice(0, 5), [1, 2, 4, 8, 16])
  const hours = waits.reduce((sum, seconds) => sum + seconds, 0) / 3600
  assert.ok(hours > 12 && hours < 24, String(hours))
  assert.equal(isRetryDue(before, new Date('2030-01-01')), false)
  // A changed one begins anew.
  assert.equal(unfinishedAt(now, undefined).unfinished, 1)
  assert.equal(unfinishedAt(now, before).unfinished, before.unfinished)
})
