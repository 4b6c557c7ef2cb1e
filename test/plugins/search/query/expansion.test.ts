import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '../../../../core/contract/database.ts'
import { analyzeIn } from '../../../../plugins/search/query/analyzer.ts'
import { createExpansion } from '../../../../plugins/search/query/expansion.ts'

/** A vocabulary in which a thousand words begin with whatever is asked for. */
function openExpansion() {
  const asked: string[] = []
  const query = async (_: string, [beginnings = []]: [string[]?] = []) => {
    asked.push(...beginnings)
    return beginnings.flatMap(begin =>
      Array.from({ length: 1_000 }, (_, at) => ({ asked: begin, term: `${begin}${at}` }))
    )
  }
  const db = { query } as unknown as Db
  return { expansion: createExpansion({ db, changes: { on: () => {}, isCurrent: () => true } as never }), asked }
}

test('what excluded beginnings stand for stays in memory, of some hundred at most', async () => {
  const { expansion, asked } = openExpansion()
  const expand = async (at: number) => {
    const [token] = await expansion.expandExcluded(analyzeIn(['simple'], `begin${at}`), { missWords: () => {} })
    assert.equal(token?.terms.length, 1_001)
  }
  for (let at = 0; at < 20; at++) await expand(at)
  for (let at = 0; at < 20; at++) await expand(at)
  assert.equal(asked.length, 20, 'each was read once')
  for (let at = 20; at < 500; at++) await expand(at)
  asked.length = 0
  for (let at = 499; at >= 0; at--) await expand(at)
  assert.ok(asked.length > 200, `${asked.length} of 500 had left`)
})
