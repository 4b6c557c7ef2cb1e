import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  emptyTable,
  type IndexedPost,
  maxRecent,
  notIndexed,
  notPublished,
  withEntries
} from '../../../../plugins/search/inverted-index/post-table.ts'

const entry: fc.Arbitrary<IndexedPost> = fc.record({
  postNo: fc.nat(200),
  publishedSeconds: fc.constantFrom(notPublished, 5, 900),
  generation: fc.constantFrom(notIndexed, notIndexed, 1, 7),
  lengthCode: fc.nat(255),
  languageCode: fc.nat(3),
  textVersion: fc.nat(3)
})

test('a table that followed many changes is that of its last entries, and the tables before are as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 300, size: 'max' }), { maxLength: 6 }), changes => {
      let table = emptyTable
      const last = new Map<number, IndexedPost>()
      for (const entries of changes) {
        const before = structuredClone(table)
        const after = withEntries(table, entries)
        assert.deepEqual(table, before)
        table = after
        for (const each of entries) last.set(each.postNo, each)
      }
      assert.deepEqual(table, withEntries(emptyTable, [...last.values()]))
      const published = [...last.values()].filter(each => each.publishedSeconds !== notPublished)
      const waiting = published.filter(each => each.generation === notIndexed).map(each => each.postNo)
      assert.deepEqual([table.count, table.waitingCount], [published.length, waiting.length])
      assert.deepEqual(table.waiting, waiting.sort((a, b) => b - a).slice(0, maxRecent))
      assert.deepEqual(
        table.languages,
        [1, 2, 3].filter(code => published.some(each => each.languageCode === code))
      )
    })
  )
})

test('a table that nobody else reads follows changes in its memory, and is that of its last entries', () => {
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 60 }), { minLength: 1, maxLength: 8 }), changes => {
      let table = emptyTable
      const last = new Map<number, IndexedPost>()
      for (const entries of changes) {
        const before = table
        table = withEntries(table, entries, { isOwn: true })
        if (before !== emptyTable) assert.equal(table.generations.buffer, before.generations.buffer)
        for (const each of entries) last.set(each.postNo, each)
      }
      assert.deepEqual(table, withEntries(emptyTable, [...last.values()]))
      const live = Int32Array.from(table.generations, (generation, no) =>
        table.publishedSeconds[no] === notPublished ? notIndexed : generation
      )
      assert.deepEqual([...table.liveGenerations], [...live])
    })
  )
  assert.deepEqual(emptyTable, structuredClone(emptyTable))
  assert.equal(emptyTable.byLength[0], 0)
})
