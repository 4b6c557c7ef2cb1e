import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTextRing } from '../../../../plugins/search/snippets/text-ring.ts'

const bytes = (text: string) => Buffer.byteLength(text)

test('a text is read as it was written, until others take its place', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 12, unit: 'grapheme' }), { maxLength: 60 }), texts => {
      const ring = createTextRing(() => 100)
      const written = texts.map(text => ({ text, span: ring.write(text) }))
      let later = 0
      for (const { text, span } of written.toReversed()) {
        if (span === undefined) {
          assert.ok(bytes(text) > 25)
          continue
        }
        const read = ring.read(span)
        if (read !== undefined) assert.equal(read, text)
        // A text may leave up to a quarter at the end of the memory unused.
        if (later + bytes(text) <= 75) assert.equal(read, text)
        later += bytes(text)
      }
    })
  )
})

test('with more or less memory, the texts from before are gone', () => {
  let maxBytes = 40
  const ring = createTextRing(() => maxBytes)
  const before = ring.write('herons')
  maxBytes = 80
  const now = ring.write('egrets')
  assert.ok(before && now)
  assert.deepEqual([ring.read(before), ring.read(now)], [undefined, 'egrets'])
})

test('a share of the memory that is no whole number keeps its texts', () => {
  const ring = createTextRing(() => 100 / 3)
  const first = ring.write('herons')
  const second = ring.write('egrets')
  assert.ok(first && second)
  assert.deepEqual([ring.read(first), ring.read(second)], ['herons', 'egrets'])
})
