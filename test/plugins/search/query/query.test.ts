import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from '../../../../plugins/search/query/query.ts'

/** Phrases in quotes, choices with |, what is not wanted with -. */
function shown(q: string): string {
  const { required, excluded } = parseQuery(q)
  const clause = ({ text, isPhrase, isPrefix }: (typeof excluded)[number]) =>
    isPhrase ? `"${text}"` : isPrefix ? `${text}…` : text
  return [
    ...required.map(alternatives => alternatives.map(clause).join('|')),
    ...excluded.map(each => `-${clause(each)}`)
  ].join(' ')
}

const cases = {
  'two words': 'two words',
  '"a phrase" word': '"a phrase" word',
  'with -without -"a phrase"': 'with -without -"a phrase"',
  'begin* of': 'begin*… of',
  'one or two OR three four': 'one|two|three four',
  'or first': 'first',
  'one | two': 'one|two',
  '"unclosed phrase': '"unclosed phrase"',
  '"" "  "': '',
  '- -- * & | ! () <-> :*': '',
  'node.js C++': 'node.js C++',
  '-only': '-only',
  'what did one say of "a phrase"': 'what did one say of a phrase',
  'what did one say of "a phrase" | other -"not this"': 'what did one say of "a phrase"|other -"not this"',
  'what did one say "a phrase"': 'what did one say "a phrase"',
  '日本 🎉': '日本 🎉',
  [`nul${String.fromCharCode(0)}byte`]: 'nul byte',
  [`half ${String.fromCharCode(0xd83d)}`]: `half ${String.fromCharCode(0xfffd)}`
}

for (const [q, expected] of Object.entries(cases)) {
  test(`${JSON.stringify(q)} asks for ${expected === '' ? 'nothing' : expected}`, () => {
    assert.equal(shown(q), expected)
  })
}

test('a query of many words asks for the first 128', () => {
  assert.equal(parseQuery('word '.repeat(5000)).required.length, 128)
})
