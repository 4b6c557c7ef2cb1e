import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTitleWords, type TitleEntry } from '../../../../plugins/search/suggest/title-words.ts'

const entry = (post_no: number, title: string, more: Partial<TitleEntry> = {}): TitleEntry => ({
  post_no,
  published: post_no,
  textVersion: 0,
  words: title.split(' '),
  ...more
})

test('titles that begin so come first, then the newest', () => {
  const words = createTitleWords()
  words.set([
    entry(1, 'tides of the sea'),
    entry(2, 'the tide turns'),
    entry(3, 'a tidy desk'),
    entry(4, 'tides again')
  ])
  assert.deepEqual(words.find(['ti'], 10), [4, 1, 3, 2])
  assert.deepEqual(words.find(['ti'], 2), [4, 1])
  assert.deepEqual(words.find(['tides'], 10), [4, 1])
  assert.deepEqual(words.find(['tides', 'of', 't'], 10), [1])
  assert.deepEqual(words.find(['the', 'ti'], 10), [2, 1])
  assert.deepEqual(words.find(['tide', 'sea'], 10), [], 'only the last word is a beginning')
  assert.deepEqual([words.find([], 10), words.find(['x'], 10), words.find(['x', 'ti'], 10)], [[], [], []])
})

test('words are completed by those of most titles', () => {
  const words = createTitleWords()
  words.set([entry(1, 'tide tides'), entry(2, 'tides tidy'), entry(3, 'tidings')])
  assert.deepEqual(words.complete('tid', 3), ['tides', 'tide', 'tidings'])
  assert.deepEqual(words.complete('tide', 3), ['tides'])
  words.remove(3)
  assert.deepEqual(words.complete('tidi', 3), [])
})

test('a title replaces its former one, and nothing older does', () => {
  const words = createTitleWords()
  words.set([entry(1, 'moon', { textVersion: 2 })])
  words.set([entry(1, 'sun', { textVersion: 1 })])
  assert.deepEqual([words.find(['moon'], 1), words.find(['sun'], 1)], [[1], []])
  words.set([entry(1, 'sun', { textVersion: 3 })])
  assert.deepEqual([words.find(['moon'], 1), words.find(['sun'], 1), words.size], [[], [1], 1])
})

const anyWord = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 })
const anyEntry = fc.record({
  post_no: fc.nat(20),
  published: fc.nat(5),
  textVersion: fc.constant(0),
  words: fc.array(anyWord, { minLength: 1, maxLength: 4 })
})

test('whatever is set and removed, all that have the words are found, each once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(anyEntry, fc.nat(20))),
      fc.array(anyWord, { minLength: 1, maxLength: 3 }),
      (steps, asked) => {
        const words = createTitleWords()
        const expected = new Map<number, TitleEntry>()
        for (const step of steps) {
          if (typeof step === 'number') {
            words.remove(step)
            expected.delete(step)
          } else {
            words.set([step])
            expected.set(step.post_no, step)
          }
        }
        const last = asked.at(-1) ?? ''
        const has = ({ words: of }: TitleEntry) =>
          asked.slice(0, -1).every(word => of.includes(word)) && of.some(word => word.startsWith(last))
        const found = [...expected.values()].filter(has).map(({ post_no }) => post_no)
        assert.deepEqual(
          words.find(asked, 100).sort((a, b) => a - b),
          found.sort((a, b) => a - b)
        )
        const completions = new Set([...expected.values()].flatMap(each => each.words))
        for (const word of completions) if (!word.startsWith(last) || word === last) completions.delete(word)
        assert.deepEqual(words.complete(last, 100).sort(), [...completions].sort())
      }
    )
  )
})
