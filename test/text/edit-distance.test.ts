import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance } from '#text'

for (const [a, b, distance] of [
  ['lamp', 'lamp', 0],
  ['lamp', 'lmap', 1],
  ['lamp', 'lamps', 1],
  ['lamp', 'limp', 1],
  ['lamp', 'cramp', 2],
  ['lamp', 'harbour', 3]
] as const) {
  test(`${a} and ${b} are ${distance} edits apart`, () => {
    assert.equal(editDistance(a, b, 3), distance)
    assert.equal(editDistance(b, a, 3), distance)
  })
}
