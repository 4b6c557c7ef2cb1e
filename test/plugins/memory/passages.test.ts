import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { headingOf, passagesOf } from '../../../plugins/memory/passages.ts'

const words = (text: string) => text.match(/\S+/g) ?? []
const many = (count: number, word = 'word') => Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ')

const paragraph = fc
  .array(fc.stringMatching(/^[a-z]{1,8}[.!]?$/), { minLength: 1, maxLength: 400 })
  .map(found => found.join(' '))
const heading = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.stringMatching(/^[a-z]{1,12}$/))
  .map(([depth, text]) => `${'#'.repeat(depth)} ${text}`)
const article = fc
  .array(fc.oneof({ weight: 3, arbitrary: paragraph }, heading), { minLength: 1, maxLength: 12 })
  .map(parts => parts.join('\n\n'))

describe('chunks', () => {
  test('are never empty, never long, and say every word of the text in order', () => {
    fc.assert(
      fc.property(article, text => {
        const chunks = passagesOf(text)
        assert.ok(chunks.length > 0)
        const said = chunks.flatMap(words)
        for (const chunk of chunks) {
          assert.ok(words(chunk).length > 0)
          assert.ok(words(chunk).length <= 400, `${words(chunk).length} words`)
        }
        let at = 0
        for (const word of words(text.replace(/^#+ /gm, ''))) {
          at = said.indexOf(word, at) + 1
          assert.ok(at > 0, `${word} is missing`)
        }
      }),
      { numRuns: 60, seed: 2 }
    )
  })

  test('of any text are never empty and well-formed, and there is none only for blanks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), text => {
        const chunks = passagesOf(text)
        assert.equal(chunks.length === 0, text.trim() === '')
        assert.ok(chunks.every(chunk => chunk.trim() !== '' && chunk.isWellFormed()))
      }),
      { numRuns: 200, seed: 3 }
    )
  })

  test('carry the headings they stand under', () => {
    const chunks = passagesOf(
      `# Tides\n\n${many(130, 'a')}\n\n## Moon\n\n${many(130, 'b')}\n\n### Phases\n\n${many(130, 'c')}\n\n## Sun\n\n${many(130, 'd')}`
    )
    assert.deepEqual(
      chunks.map(chunk => chunk.split('\n')[0]),
      ['Tides', 'Tides › Moon', 'Tides › Moon › Phases', 'Tides › Sun']
    )
  })

  test('carry the title of an entry once', () => {
    assert.deepEqual(passagesOf('# Tides\n\nThe moon.', 'Tides'), ['Tides\n\nThe moon.'])
    assert.deepEqual(passagesOf('The moon.', 'Tides'), ['Tides\n\nThe moon.'])
    assert.deepEqual(passagesOf('The moon.'), ['The moon.'])
  })

  test('take short sections together and keep their headings', () => {
    assert.deepEqual(passagesOf('## One\n\nfirst\n\n## Two\n\nsecond'), ['One\n\nfirst\n\nTwo\n\nsecond'])
  })

  test('keep headings that have nothing below them', () => {
    assert.deepEqual(passagesOf('# A\n\n## B\n\n## C'), ['A › B\n\nA › C'])
  })

  test('keep code together and do not read headings in it', () => {
    assert.deepEqual(passagesOf('```\n# not a heading\n\nx = 1\n```'), ['```\n# not a heading\n\nx = 1\n```'])
  })

  const longTexts: [string, string][] = [
    ['one paragraph of 5,000 words', many(5000)],
    ['sentences', Array.from({ length: 300 }, (_, at) => `Sentence number ${at} says this.`).join(' ')],
    ['100,000 characters without a blank', 'x'.repeat(100_000)],
    ['characters outside the BMP', '🙂'.repeat(20_000)],
    ['Chinese', '数据库把读者和作者分开。'.repeat(2000)],
    ['10,000 tiny sections', '# h\n\nt\n\n'.repeat(10_000)]
  ]
  for (const [name, text] of longTexts) {
    test(`of ${name} stay under 3,300 characters`, () => {
      const chunks = passagesOf(text)
      assert.ok(chunks.length > 1)
      for (const chunk of chunks) {
        assert.ok(chunk.length <= 3300, `${chunk.length}`)
        assert.ok(chunk.isWellFormed())
      }
    })
  }

  test('end after sentences where they can', () => {
    const chunks = passagesOf(Array.from({ length: 100 }, (_, at) => `Sentence number ${at} says this.`).join(' '))
    assert.ok(chunks.every(chunk => chunk.endsWith('.')))
  })
})

describe('the heading of a text', () => {
  const cases: [string, string | null][] = [
    ['# Title\n\ntext', 'Title'],
    ['intro\n\n# Title #', 'Title'],
    ['## Only a section', null],
    ['#hashtag', null],
    ['```\n# comment\n```', null],
    ['', null]
  ]
  for (const [text, expected] of cases) {
    test(`of ${JSON.stringify(text)} is ${JSON.stringify(expected)}`, () => assert.equal(headingOf(text), expected))
  }
})
