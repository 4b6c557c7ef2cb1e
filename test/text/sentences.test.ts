import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitSentences } from '#text'

const cases: readonly (readonly [language: string, text: string, sentences: readonly string[]])[] = [
  ['en', '', []],
  ['en', 'One gate. Two gates! Three?', ['One gate.', 'Two gates!', 'Three?']],
  ['en', 'Dr. Smith saw it, e.g. at noon. He left.', ['Dr. Smith saw it, e.g. at noon.', 'He left.']],
  ['en', 'J. R. R. Tolkien wrote No. 7. It is long.', ['J. R. R. Tolkien wrote No. 7.', 'It is long.']],
  ['en', 'He said no. She left.', ['He said no.', 'She left.']],
  ['en', 'Version 3.14 costs $3.50 now. "Really?" Yes.', ['Version 3.14 costs $3.50 now.', '"Really?"', 'Yes.']],
  ['en', 'Wait… what?! Yes.', ['Wait… what?!', 'Yes.']],
  ['en', 'Use node.js now.\nIt is\nfast.', ['Use node.js now.', 'It is fast.']],
  ['de', 'Er kam z. B. am Abend, d. h. spät. Nr. 5 ging.', ['Er kam z. B. am Abend, d. h. spät.', 'Nr. 5 ging.']],
  ['ja', '水は流れる。山は動かない。', ['水は流れる。', '山は動かない。']],
  ['zh', '“天亮了。”他说。', ['“天亮了。”', '他说。']],
  ['ar', 'هل هذا؟ نعم. لا!', ['هل هذا؟', 'نعم.', 'لا!']],
  ['hi', 'प्रश्न है। उत्तर नहीं।', ['प्रश्न है।', 'उत्तर नहीं।']],
  ['no such tag', 'One. Two.', ['One.', 'Two.']]
]
for (const [language, text, sentences] of cases) {
  test(`in ${language}, ${JSON.stringify(text)} has ${sentences.length} sentences`, () => {
    assert.deepEqual(splitSentences(text, language), sentences)
  })
}
