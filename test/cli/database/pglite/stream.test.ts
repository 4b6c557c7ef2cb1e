import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PgliteStream } from '../../../../cli/database/pglite/stream.ts'

test('what is written is sent whole, in a buffer that has nothing else: it is moved to the thread of the database', () => {
  const sent: Uint8Array[] = []
  const stream = new PgliteStream(bytes => sent.push(bytes))
  stream.write(Buffer.from('one'))
  stream.cork()
  for (const word of ['two ', 'and ', 'three']) stream.write(Buffer.from(word))
  stream.uncork()
  assert.deepEqual(
    sent.map(bytes => [Buffer.from(bytes).toString(), bytes.buffer.byteLength]),
    [
      ['one', 3],
      ['two and three', 13]
    ]
  )
})
