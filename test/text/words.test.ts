import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainWordsOf, spokenWordCountOf, wordsOf } from '#text'
import { graphemesOf } from '#text/graphemes'
import { wordCountOf } from '#text/words'

test('words keep inner marks and count characters of scripts without blanks', () => {
  assert.deepEqual(wordsOf('Don’t re-read 1,000 rows, U.S. 水火'), [
    "don't",
    're-read',
    '1,000',
    'rows',
    'u.s',
    '水',
    '火'
  ])
})

test('a word is counted as readers see it, as word_count has it, and as it is said', () => {
  const counts = (text: string) => [wordsOf(text).length, wordCountOf(text), spokenWordCountOf(text)]
  assert.deepEqual(counts('1,000 rows'), [2, 3, 3])
  assert.deepEqual(counts('Don’t re-read node.js'), [3, 3, 6])
  assert.deepEqual(counts('水火 abc'), [3, 3, 3])
  assert.deepEqual(counts('🙂 –'), [0, 0, 0])
})

test('plain words are runs of letters and digits, with their accents', () => {
  assert.deepEqual(plainWordsOf(' Crème–brûlée: 1,000 ways! '), ['crème', 'brûlée', '1', '000', 'ways'])
  assert.deepEqual(plainWordsOf('…'), [])
})

test('a letter with its accents is one character, and so is a family of emoji', () => {
  assert.deepEqual(graphemesOf('e\u0301👨‍👩‍👧x'), ['e\u0301', '👨‍👩‍👧', 'x'])
})
