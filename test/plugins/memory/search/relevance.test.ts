import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shiftToRelevant } from '../../../../plugins/memory/search/relevance.ts'

for (const [name, mean, question, baselineCosine, moved] of [
  ['half a step', [0, 1], [1, 0], 0, [1, 0.5]],
  ['half a step to a mean that agrees little', [0, 0.2], [1, 0], 0, [1, 0.5]],
  ['nowhere for a mean of nothing', [0, 0], [1, 0], 0, [1, 0]],
  // The last place is what all have in common: sqrt(0.36) of each.
  ['by what is beyond the common part', [0, 0.4, 0.6], [0.8, 0, 0.6], 0.36, [0.8, 0.4, 1.2]],
  ['nowhere for a mean of the common part alone', [0, 0, 0.6], [0.8, 0, 0.6], 0.36, [0.8, 0, 0.6]]
] as const) {
  test(`a question is moved ${name}`, () => assert.deepEqual(shiftToRelevant(mean, question, baselineCosine), moved))
}
