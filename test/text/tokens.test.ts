import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold, stem, termsOf, tokensOf, withoutSurplusMarks } from '#text'

test('endings of a word do not change its stem', () => {
  for (const family of [
    ['cache', 'caches', 'cached', 'caching'],
    ['reader', 'readers', 'reading', 'reads']
  ]) {
    assert.equal(new Set(family.map(stem)).size, 1, family.map(stem).join())
  }
})

test('tokens are folded runs of letters and digits, and single characters of scripts without blanks', () => {
  assert.deepEqual(tokensOf('Crème brûlée, ﬁne: SHA-256'), ['creme', 'brulee', 'fine', 'sha', '256'])
  assert.deepEqual(tokensOf('深層 learning 🙂'), ['深', '層', 'learning', '🙂'])
  assert.deepEqual(tokensOf('?!'), ['?', '!'])
})

test('terms leave stop words out and keep order and repeats', () => {
  assert.deepEqual(termsOf('The caches of a cache, and the reader’s page'), ['cach', 'cach', 'read', 'pag'])
})

test('a letter keeps 30 marks at most, as sorting many takes the square of their number', () => {
  assert.equal(withoutSurplusMarks(`a${'\u0301\u0316'.repeat(50_000)}b`), `a${'\u0301\u0316'.repeat(15)}b`)
  assert.equal(fold(`e${'\u0316\u0301'.repeat(50_000)}b`), 'eb')
  assert.equal(fold('Crème हिन्दी ｶﾞ'), 'creme हिन्दी ガ')
})
