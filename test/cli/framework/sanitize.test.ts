import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNotes } from '../../../cli/framework/progress.ts'
import {
  sanitizeJson,
  sanitizeLine,
  sanitizeOutput,
  sanitizeText,
  sanitizeValue
} from '../../../cli/framework/sanitize.ts'

/** Every character that may not reach a terminal. */
const steering = [
  ...Array.from({ length: 32 }, (_, code) => code).filter(code => code !== 9 && code !== 10),
  ...Array.from({ length: 33 }, (_, code) => 0x7f + code),
  0x61c,
  0x200e,
  0x200f,
  0x2028,
  0x2029,
  0x202a,
  0x202b,
  0x202c,
  0x202d,
  0x202e,
  0x2066,
  0x2067,
  0x2068,
  0x2069
].map(code => String.fromCharCode(code))
const hostile = `a${steering.join('')}b`

test('no character that steers a terminal is shown', () => {
  for (const character of steering) {
    const text = `a${character}b`
    for (const shown of [sanitizeText(text), sanitizeLine(text), sanitizeOutput(text, { hasColour: true })])
      assert.match(shown, /^a ?b$/, character.charCodeAt(0).toString(16))
  }
  assert.equal(sanitizeText('one\r\n\ttwo\u001b]0;title\u0007'), 'one\n\ttwo ]0;title ')
  assert.equal(sanitizeLine('one \r\n\ttwo'), 'one two')
})

test('a result is shown without them, down to its names', () => {
  const result = { list: [{ [hostile]: hostile }], n: 1, none: null, at: new Date(0) }
  assert.deepEqual(sanitizeValue(result), { list: [{ 'a b': 'a b' }], n: 1, none: null, at: new Date(0) })
})

test('JSON holds the very value, and none of them', () => {
  const json = sanitizeJson(JSON.stringify({ hostile }))
  assert.deepEqual(JSON.parse(json), { hostile })
  for (const character of steering) assert.ok(!json.includes(character))
})

test('colours are the only sequences, and only where colours are shown', () => {
  const text = '\u001b[1mbold\u001b[22m \u001b[2J\u001b[?25l\u001b]8;;http://x\u0007'
  assert.equal(sanitizeOutput(text, { hasColour: true }), '\u001b[1mbold\u001b[22m  [2J [?25l ]8;;http://x ')
  assert.equal(sanitizeOutput(text, { hasColour: false }), ' [1mbold [22m  [2J [?25l ]8;;http://x ')
})

test('notes and progress hold none of them', () => {
  for (const isLive of [true, false]) {
    let written = ''
    const notes = createNotes({ write: text => (written += text), isLive, columns: 80, now: () => 0 })
    notes.note(hostile)
    const progress = notes.progress(hostile)
    progress.update(1, 2)
    progress.end()
    assert.equal(
      written.replaceAll(/^\r|\u001b\[K/gm, ''),
      isLive ? 'a b\na b: 1 of 2 (50 %)\n' : 'a b\na b: 1 of 2 (50 %)\n'
    )
  }
})
