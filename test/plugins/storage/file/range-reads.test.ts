import assert from 'node:assert/strict'
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, mock, test } from 'node:test'
import { createRangeReads } from '../../../../plugins/storage/file/range-reads.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-range-reads-'))
after(() => rmSync(folder, { recursive: true }))

test('a file is closed after the ranges that are being read, and only then', async () => {
  const file = path.join(folder, 'a.mp3')
  writeFileSync(file, 'abcdefghij')
  const handle = await open(file)
  let read = 0
  const close = handle.close.bind(handle)
  const closing = mock.method(handle, 'close', () => {
    // Another file that is opened now would get its number. Who asked for the last range hears of it at the same time.
    assert.ok(read >= 39, `${read} ranges`)
    return close()
  })
  const reads = createRangeReads(handle, 10)
  const ranges = Array.from({ length: 40 }, async (_, at) => {
    const range = await reads.readRange({ start: at % 10, end: 9 })
    read += 1
    return range.toString()
  })
  const closed = reads.close()
  assert.deepEqual(
    await Promise.all(ranges),
    ranges.map((_, at) => 'abcdefghij'.slice(at % 10))
  )
  await closed
  assert.equal(closing.mock.callCount(), 1)
  await assert.rejects(reads.readRange({ start: 0, end: 0 }))
})

test('a range is read whole from a drive that gives a few bytes at a time', async t => {
  const file = path.join(folder, 'b.mp3')
  writeFileSync(file, 'abcdefghij')
  const reads = createRangeReads(await open(file), 10)
  const { read } = fs
  const readFew = (...[fd, buffer, offset, length, ...others]: [number, Buffer, number, number, number, () => void]) =>
    read(fd, buffer, offset, Math.min(length, 3), ...others)
  const mocked = mock.method(fs, 'read', readFew)
  syncBuiltinESMExports()
  t.after(() => {
    mocked.mock.restore()
    syncBuiltinESMExports()
  })
  assert.equal((await reads.readRange({ start: 1, end: 8 })).toString(), 'bcdefghi')
  assert.equal((await reads.read().toArray()).join(''), 'abcdefghij')
})
