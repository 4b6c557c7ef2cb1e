import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, mock, test } from 'node:test'
import { createPartReads } from '../../../../plugins/storage/file/part-reads.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-part-reads-'))
after(() => rmSync(folder, { recursive: true }))

test('a file is closed after the parts that are being read, and only then', async () => {
  const file = path.join(folder, 'a.mp3')
  writeFileSync(file, 'abcdefghij')
  const handle = await open(file)
  let read = 0
  const close = handle.close.bind(handle)
  const closing = mock.method(handle, 'close', () => {
    // Another file that is opened now would get its number. Who asked for the last part hears of it at the same time.
    assert.ok(read >= 39, `${read} parts`)
    return close()
  })
  const reads = createPartReads(handle)
  const parts = Array.from({ length: 40 }, async (_, at) => {
    const part = await reads.readPart({ start: at % 10, end: 9 })
    read += 1
    return part.toString()
  })
  const closed = reads.close()
  assert.deepEqual(
    await Promise.all(parts),
    parts.map((_, at) => 'abcdefghij'.slice(at % 10))
  )
  await closed
  assert.equal(closing.mock.callCount(), 1)
  await assert.rejects(reads.readPart({ start: 0, end: 0 }))
})
