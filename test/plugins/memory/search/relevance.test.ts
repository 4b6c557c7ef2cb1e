import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cosineToShifted, shiftToRelevant } from '../../../../plugins/memory/search/relevance.ts'

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

const product = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
const lengthOf = (vector: readonly number[]) => Math.sqrt(product(vector, vector))

test('the cosine to a moved question follows from products with the question and the mean', () => {
  const vector = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(vector, vector, vector, fc.constantFrom(0, 0.36), (mean, question, compared, baselineCosine) => {
      const products = {
        by_query: product(compared, question),
        by_mean: product(compared, mean),
        length: lengthOf(compared),
        mean_square: product(mean, mean),
        mean_by_query: product(mean, question)
      }
      const shifted = shiftToRelevant(mean, question, baselineCosine)
      const lengths = lengthOf(shifted) * lengthOf(compared)
      // A question that is moved onto nothing has no direction.
      fc.pre(lengths > 1)
      const cosine = cosineToShifted(products, question, baselineCosine)
      assert.ok(Math.abs(cosine - product(shifted, compared) / lengths) < 1e-5)
    })
  )
})

test('nothing is like a vector of zeros', () => {
  const products = { by_query: 0, by_mean: 0, length: 0, mean_square: 1, mean_by_query: 0 }
  assert.equal(cosineToShifted(products, [1, 0], 0), 0)
})
