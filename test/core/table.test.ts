import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayWidth, table } from '../../core/table.ts'

test('a table is aligned by what a terminal draws', () => {
  assert.equal(
    table(
      ['NAME', 'N'],
      [
        ['日本', '1'],
        ['abc', null]
      ]
    ),
    'NAME  N\n日本  1\nabc   –'
  )
})

test('a row is cut to the terminal, the widest column first', () => {
  const text = table(['SLUG', 'TITLE'], [['short', 'a title that goes on and on and on']], { columns: 24 })
  assert.equal(text, 'SLUG   TITLE\nshort  a title that goe…')
  for (const line of text.split('\n')) assert.ok(displayWidth(line) <= 24)
})

test('stored text cannot steer the terminal', () => {
  assert.equal(table(['T'], [['a\u001b[2Jb\nc']]), 'T\na [2Jb c')
})
