import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergeSums } from '../../../plugins/analytics/most-viewed.ts'
import type { Sum } from '../../../plugins/analytics/repository.ts'

const order = (one: Sum, other: Sum) =>
  other.views - one.views || one.machines - other.machines || (one.key < other.key ? -1 : 1)
const counts = fc.uniqueArray(
  fc.record(
    {
      key: fc.integer({ min: 1, max: 30 }).map(at => `key-${at}`),
      views: fc.integer({ min: 1, max: 30 }).map(views => views ** 2),
      machines: fc.nat(2)
    },
    { noNullPrototype: true }
  ),
  { selector: ({ key }) => key, maxLength: 30 }
)
const input = fc.record({ past: counts, today: counts, limit: fc.integer({ min: 1, max: 8 }), more: fc.nat(8) })

function total(key: string, ...lists: readonly Sum[][]): Sum {
  const of = lists.flatMap(sums => sums.find(sum => sum.key === key) ?? [])
  const added = (name: 'views' | 'machines') => of.reduce((sum, each) => sum + each[name], 0)
  return { key, views: added('views'), machines: added('machines') }
}

test('the most viewed of past days and of today are those of the whole, or it is said that they are not known', () => {
  const rounds = { known: 0, asked: 0, notKnown: 0 }
  const holds = fc.property(input, ({ past, today, limit, more }) => {
    const maxPast = limit + more
    const ofPast = past.toSorted(order).slice(0, maxPast)
    const named = new Set(ofPast.map(({ key }) => key))
    const recent = today.toSorted(order).filter(({ key }, at) => at < maxPast || named.has(key))
    const found = mergeSums({ past: ofPast, recent, maxPast, limit })
    rounds[found === null ? 'notKnown' : found.unknown.length > 0 ? 'asked' : 'known']++
    if (found === null) return
    const asked = found.unknown.map(key => total(key, past, today))
    const keys = new Set([...past, ...today].map(({ key }) => key))
    const all = [...keys].map(key => total(key, past, today))
    const first = (sums: Sum[]) => sums.sort(order).slice(0, limit)
    assert.deepEqual(first([...found.known, ...asked]), first(all))
  })
  fc.assert(holds, { numRuns: 2_000, seed: 20 })
  for (const [what, count] of Object.entries(rounds)) assert.ok(count > 20, `${what}: ${count}`)
})
