import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rankByWords } from '../../../../plugins/memory/search/word-ranking.ts'

const passages = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([name, text]) => ({ name, text }))

describe('passages by the words they share with a question', () => {
  const cases: [string, string, Record<string, string>, string[]][] = [
    [
      'a rare word counts more than a frequent one',
      'tides harbour',
      { a: 'harbour walls', b: 'harbour masters', c: 'harbour boats', d: 'tides turn' },
      ['d', 'a', 'b', 'c']
    ],
    [
      'a word said more often counts more, each time less',
      'tides harbour',
      { a: 'tides tides tides tides', b: 'tides and the harbour', c: 'nothing of it here' },
      ['b', 'a', 'c']
    ],
    [
      'a longer passage says less of a word',
      'tides',
      { a: 'tides of many other seas and coasts', b: 'tides' },
      ['b', 'a']
    ],
    [
      'a word that the question repeats counts more',
      'moon tides moon',
      { a: 'tides turn', b: 'moon rises' },
      ['b', 'a']
    ],
    ['inflections are one word', 'docking ships', { a: 'quiet water', b: 'a ship docked' }, ['b', 'a']],
    ['equal ones stay in their order', 'tides', { b: 'tides', a: 'tides' }, ['b', 'a']],
    ['stop words count for nothing', 'of the', { a: 'none', b: 'of the sea' }, ['a', 'b']]
  ]
  for (const [name, question, texts, expected] of cases) {
    test(name, () => {
      const ranked = rankByWords(question, passages(texts))
      assert.deepEqual(
        ranked.map(({ passage }) => passage.name),
        expected
      )
    })
  }

  test('goes by how rare words are in the corpus, where that is known', () => {
    const rarityOf = (term: string) => (term === 'tid' ? 0.1 : 2)
    const ranked = rankByWords('tides harbour', passages({ a: 'tides', b: 'harbour' }), rarityOf)
    assert.deepEqual(
      ranked.map(({ passage }) => passage.name),
      ['b', 'a']
    )
  })

  test('no passage has no order', () => assert.deepEqual(rankByWords('tides', []), []))
})
