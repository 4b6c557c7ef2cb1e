import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stem } from '#text'
import type { Assignment } from '../../../../plugins/tasks/ports.ts'
import { readFeedback } from '../../../../plugins/tasks/writer/feedback.ts'
import { parseSource } from '../../../../plugins/tasks/writer/parse-source.ts'
import { chooseSources, readQuery } from '../../../../plugins/tasks/writer/relevance.ts'

const texts: readonly (readonly [title: string, text: string])[] = [
  ['Sailing boats', 'A sailing boat moves by the wind. Every sailing boat has a keel. The harbour is its home.'],
  ['Harbours', 'The harbour is closed by a gate. A pilot knows the harbour well. The harbour freezes in winter.'],
  [
    'Cheese',
    'Cheese is made from milk. A boat carries cheese over the lake. The cheddar ripens in a cellar. A cheddar is firm. One cheddar feeds ten.'
  ]
]

function choose(topic: string, feedback: string | null = null): (string | null)[] {
  const parsedSources = texts.map(([title, text], index) =>
    parseSource({ source_id: title, title, text, url: null }, index)
  )
  const query = readQuery({ topic, primary_keyword: null } as Assignment, parsedSources)
  return chooseSources(parsedSources, query, readFeedback(feedback)).map(({ title }) => title)
}

const cases: readonly (readonly [topic: string, chosen: readonly string[]])[] = [
  ['How sailing boats work', ['Sailing boats']],
  ['Sailing boats in a harbour', ['Sailing boats', 'Harbours']],
  ['The harbour', ['Harbours']],
  ['Cheese', ['Cheese']],
  ['Volcanoes of Iceland', []],
  ['Boat engines and diesel fuel', []]
]
for (const [topic, chosen] of cases) {
  test(`for "${topic}" the sources drawn on are: ${chosen.join(', ') || 'none'}`, () => {
    assert.deepEqual(choose(topic), chosen)
  })
}

test('a part of a word finds the longer name that the sources use', () => {
  assert.deepEqual(choose('chedd'), ['Cheese'])
})

for (const words of [
  'write writes writer writers writing',
  'vaccine vaccines vaccination',
  'cache caches cached caching'
]) {
  test(`one stem for: ${words}`, () => {
    assert.equal(new Set(words.split(' ').map(stem)).size, 1)
  })
}
