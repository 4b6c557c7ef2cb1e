import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFeedback } from '../../../../plugins/tasks/writer/feedback.ts'

const cases: readonly (readonly [feedback: string | null, requests: object])[] = [
  [null, { more: [], less: [], length: 1, words: null, different: false }],
  ['More on deadlocks, less about vacuum.', { more: ['deadlock'], less: ['vacuum'] }],
  ['Please write a shorter draft.', { more: [], length: 0.8 }],
  ['Too short; more detail on replication', { more: ['replic'], length: 1.2 }],
  ['About 600 words please', { words: 600 }],
  ['50000 words', { words: null }],
  ['only 100 words', { words: 200 }],
  ['Rewrite it from another angle', { different: true, more: [] }]
]
for (const [feedback, expected] of cases) {
  test(`the feedback ${JSON.stringify(feedback)} asks for ${JSON.stringify(expected)}`, () => {
    const requests = readFeedback(feedback)
    const found = { ...requests, more: [...requests.more], less: [...requests.less] }
    assert.deepEqual({ ...found, ...expected }, found)
  })
}
