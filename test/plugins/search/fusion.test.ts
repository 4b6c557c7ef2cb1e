import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startOf } from '../../../plugins/search/fusion.ts'

// The page before ended at the sixth post of 1 to 20.
const before = [2, 3, 4, 5, 6]
const order = Array.from({ length: 20 }, (_, at) => at + 1)
const without = (...gone: number[]) => order.filter(post_no => !gone.includes(post_no))

describe('a page follows the posts before it, where', () => {
  for (const [what, present, next] of [
    ['nothing has changed', order, 7],
    ['posts were published before them', [101, 102, 103, ...order], 7],
    ['the last one was withdrawn', without(6), 7],
    ['all but the first were withdrawn', without(3, 4, 5, 6), 7],
    ['some before them were withdrawn', without(1, 3, 5), 7],
    ['the last but one was withdrawn', without(5), 7],
    ['the two before the last were withdrawn', without(4, 5), 7],
    ['one was published among the last', [1, 2, 3, 4, 101, 5, 6, ...order.slice(6)], 7],
    ['the last one is first now', [6, ...without(6)], 7],
    ['the last one is far behind now', [...without(6), 6], 7],
    ['two of them were withdrawn and two published', [101, 102, ...without(5, 6)], 7],
    ['none of them is there: by its rank', without(2, 3, 4, 5, 6), 12]
  ] as const)
    test(what, () => assert.equal(present[startOf({ limit: 6, offset: 6, after: before }, present)], next))
})
