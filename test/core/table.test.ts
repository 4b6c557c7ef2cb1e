import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayWidth, fieldLines, paint, table } from '../../core/table.ts'

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

test('sentences are cut before names and times are', () => {
  const rows = [['telegram_api_root', at, 'Where the service is spoken to']]
  const text = table(['KEY', 'SINCE', 'WHAT'], rows, { columns: 55 })
  assert.match(text, /\ntelegram_api_root {2}2026-11-21T14:05:09.123Z {2}Where the…$/)
  assert.match(table(['KEY', 'SINCE', 'WHAT'], rows, { columns: 30 }), /\ntelegram… {2}2026-11-… {2}Where t…$/)
})

test('stored text cannot steer the terminal', () => {
  assert.equal(table(['T'], [['a\u001b[2Jb\nc']]), 'T\na [2Jb c')
})

const at = '2026-11-21T14:05:09.123Z'

test('instants are shown in the operator’s zone, and nothing else is taken for one', () => {
  const berlin = { timeZone: 'Europe/Berlin' }
  assert.equal(
    table(['AT', 'TITLE'], [[at, '2026-11-21']], berlin),
    'AT                      TITLE\n2026-11-21 15:05+01:00  2026-11-21'
  )
  assert.equal(
    fieldLines({ at, title: `on ${at}`, no: '2026-13-41T25:61:61.000Z' }, berlin),
    `at     2026-11-21 15:05+01:00\ntitle  on ${at}\nno     2026-13-41T25:61:61.000Z`
  )
  assert.equal(table(['AT'], [[at]]), `AT\n${at}`)
})

test('colour appears only where it is shown', () => {
  assert.equal(table(['A'], [['x']], { colour: true }), '\u001b[1mA\u001b[22m\nx')
  assert.equal(paint('x', 'red', { colour: false }), 'x')
})
