import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rarestTerms } from '../../../../plugins/search/snapshot/rarest-terms.ts'

const rows = { moon: 2, sea: 4, water: 40, wave: 41 }
const db = { query: async () => Object.entries(rows).map(([asked, rows]) => ({ asked, rows })) }
const segments = [{ segment_id: 1, bytes: 1 }]

const cases: [maxPostings: number, found: string[]][] = [
  [0, ['none', 'tide', 'moon']],
  [100_000, ['none', 'tide', 'moon', 'sea']],
  [10_000_000, ['none', 'tide', 'moon', 'sea', 'water', 'wave']]
]
for (const [maxPostings, found] of cases)
  test(`the rarest terms with ${maxPostings} postings are ${found.join(', ')}`, async () => {
    const asked = ['wave', 'water', 'none', 'moon', 'tide', 'sea', 'moon']
    assert.deepEqual(await rarestTerms(db as never, segments as never, asked, maxPostings), found)
  })

test('of common terms alone three are taken', async () => {
  const asked = ['wave', 'water', 'sea', 'moon']
  assert.deepEqual(await rarestTerms(db as never, segments as never, asked, 0), ['moon', 'sea', 'water'])
})
