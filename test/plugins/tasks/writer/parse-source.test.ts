import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSource } from '../../../../plugins/tasks/writer/parse-source.ts'

const read = (text: string) =>
  parseSource({ source_id: 'one', title: 'Harbours', text, url: null }, 0).sections.map(({ heading, passages }) => ({
    heading,
    passages: passages.map(({ sentences }) => sentences.map(sentence => sentence.text))
  }))

test('a sentence that leans on a dropped one is dropped with it, up to the next that stands alone', () => {
  const text =
    'Why is the harbour deep? It was dug out by monks. They used baskets. The monks left in 1540. However, they came back.'
  assert.deepEqual(read(text), [{ heading: null, passages: [['The monks left in 1540.', 'However, they came back.']] }])
})

test('headings divide a text into sections, and apparatus is left out', () => {
  const text = [
    '# Harbours',
    'A harbour shelters boats from the sea.',
    '## 2. Gates:',
    'A gate holds the water back.',
    '## References',
    'Smith wrote about harbours in 1910.'
  ].join('\n\n')
  assert.deepEqual(read(text), [
    { heading: null, passages: [['A harbour shelters boats from the sea.']] },
    { heading: 'Gates', passages: [['A gate holds the water back.']] }
  ])
})

test('links, emphasis and citations lose their markup, code spans keep it', () => {
  const text =
    'The **old** harbour has [ten gates](https://example.org) and a *lamp*.[3] The tool `dig_harbour` was <b>never</b> used.'
  assert.deepEqual(read(text)[0]?.passages, [
    ['The old harbour has ten gates and a lamp.', 'The tool `dig_harbour` was never used.']
  ])
})

test('a long text without headings becomes several sections', () => {
  const text = Array.from({ length: 8 }, (_, n) => `Gate ${n} of the harbour opens at dawn.`).join('\n\n')
  assert.deepEqual(
    read(text).map(({ passages }) => passages.length),
    [3, 3, 2]
  )
})
