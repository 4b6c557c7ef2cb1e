import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { citations, numbers, readMarkdown } from '../../../plugins/tasks/article.ts'
import { builtInRails } from '../../../plugins/tasks/rails/built-in.ts'
import { aDraft } from '../../helpers/draft.ts'
import { check } from '../../helpers/rail.ts'

test('citations are read one by one, in lists and in ranges', () => {
  assert.deepEqual(citations('A [1], b [2, 4] c [6-8]; [9](https://x) [x] [1234]'), [1, 2, 4, 6, 7, 8])
  assert.equal(citations('[1-999]').length, 100)
})

test('numbers compare without the commas that group thousands', () => {
  assert.deepEqual(numbers('1,000 of 2,5 at 3.14 in IPv6, 1960s, SHA-256'), ['1000', '2,5', '3.14', '1960', '256'])
})

test('markdown is read into sections, blocks and the Sources list', () => {
  const { sections, blocks, listed } = readMarkdown(
    'Intro *here* [1].\n\n## A `b`\n\n- one\n  - two `code`\n\n> said &amp; done\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n\n## Sources\n\n1. [T](u)\n2. Two'
  )
  assert.deepEqual(
    sections.map(({ heading, depth }) => [heading, depth]),
    [
      [null, 0],
      ['A b', 2]
    ]
  )
  assert.deepEqual(
    blocks.map(block => block.text),
    ['Intro here [1].', 'one', 'two code', 'said & done', 'x', 'y', '1', '2']
  )
  assert.equal(blocks[2]?.outsideCode, 'two')
  assert.deepEqual(
    listed.map(({ number }) => number),
    [1, 2]
  )
})

test('a text nested without end is read, not descended into', () => {
  for (const marker of ['> ', '1. ', '- ', '>']) {
    assert.deepEqual(
      readMarkdown(`${marker.repeat(50_000)}end`).blocks.map(block => block.text),
      ['end']
    )
  }
  assert.equal(readMarkdown('- a\n  - b\n    - c').blocks.length, 3)
})

test('no rail throws, or leaves 0 to 100, whatever a writer hands in', async () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('## ', '\n\n', '[1]', '](', '```', '> ', '| a |', '<b', '{{', '. ', '1. ', '\0', '\ud800')
  )
  const content = fc.array(piece, { maxLength: 60 }).map(pieces => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(content, fc.string(), async (text, title) => {
      for (const rail of builtInRails) {
        for (const model of ['embedded', 'other']) {
          const finding = await check(rail, { draft: aDraft({ content: text, title, model }), bannedPhrases: [title] })
          assert.ok(finding === null || (finding.score >= 0 && finding.score <= 100 && finding.note !== ''), rail.name)
        }
      }
    }),
    { numRuns: 60, seed: 7 }
  )
})
