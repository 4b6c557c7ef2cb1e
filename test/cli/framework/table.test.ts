import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayWidth, fieldLines, paint, table } from '../../../cli/framework/table.ts'

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
  assert.match(
    table(['KEY', 'SINCE', 'WHAT'], rows, { columns: 32 }),
    /^KEY +WHAT\ntelegram_api_root {2}Where the se…$/
  )
})

test('the least important column goes first, and nothing else is cut, at every width', () => {
  const headings = [
    { heading: 'ID' },
    { heading: 'AT', dropOrder: 1 },
    { heading: 'SLUG', dropOrder: 2 },
    { heading: 'TITLE', isText: true }
  ]
  const cells = [
    '0a1b2c3d',
    '2026-11-21 15:05+01:00',
    '日本-slug',
    'Ein Titel 日本語 👨‍👩‍👧 und mehr davon, bis er nicht mehr passt'
  ]
  for (let columns = 24; columns <= 200; columns++) {
    const [heading = '', row = ''] = table(headings, [cells], { columns }).split('\n')
    assert.ok(displayWidth(row) <= columns, `${columns}: ${row}`)
    const shown = heading.split(/ +/)
    assert.deepEqual(shown, ['ID', 'AT', 'SLUG', 'TITLE'].slice(0, shown.length - 1).concat('TITLE'), String(columns))
    for (const index of shown.slice(0, -1).keys()) assert.ok(row.includes(cells[index] ?? '?'), `${columns}: ${row}`)
  }
  assert.equal(table(headings, [cells], { columns: 10 }), 'ID        TITLE\n0a1b2c3d  Ein Tit…')
  assert.ok(table(headings, [cells]).endsWith(cells[3] ?? '?'))
})

test('a column that wraps loses nothing at any width: the rest of it goes on under it', () => {
  const about = `client_id=gly_${'0123456789abcdef'.repeat(2)} 日本語日本語日本語 from one to another`
  const headings = [{ heading: 'AT' }, { heading: 'BY', dropOrder: 1 }, { heading: 'ABOUT', isText: true, wraps: true }]
  for (let columns = 20; columns <= 120; columns++) {
    const [heading = '', ...rows] = table(headings, [['14:05', 'operator', about]], { columns }).split('\n')
    const start = heading.indexOf('ABOUT')
    for (const row of rows) assert.ok(displayWidth(row) <= columns, `${columns}: ${row}`)
    assert.equal(
      rows
        .map(row => row.slice(start))
        .join('')
        .replaceAll(' ', ''),
      about.replaceAll(' ', '')
    )
    assert.ok(rows.slice(1).every(row => row.slice(0, start).trim() === ''))
  }
  assert.equal(table(headings, [['a', 'b', about]]).split('\n').length, 2)
})

test('what is drawn as one character is never cut in two', () => {
  assert.equal(displayWidth('👨‍👩‍👧 é 한 ❤️ 🇩🇪'), 2 + 1 + 1 + 1 + 2 + 1 + 2 + 1 + 2)
  assert.equal(table(['T'], [['👨‍👩‍👧 👨‍👩‍👧 👨‍👩‍👧 👨‍👩‍👧 👨‍👩‍👧']], { columns: 8 }), 'T\n👨‍👩‍👧 👨‍👩‍👧 …')
})

test('stored text cannot steer the terminal', () => {
  assert.equal(table(['T'], [['a\u001b[2Jb\nc\u202ed\u2066e']]), 'T\na [2Jb cde')
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
  assert.equal(table(['A'], [['x']], { hasColour: true }), '\u001b[1mA\u001b[22m\nx')
  assert.equal(paint('x', 'red', { hasColour: false }), 'x')
})
