import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitStatements } from '../../../cli/migrations/sql-statements.ts'

/** Script, its statements. */
const scripts: [string, string[]][] = [
  ['', []],
  [' \n-- only a comment; nothing\n/* and; /* nested; */ more; */\n', []],
  ['select 1', ['select 1']],
  ['select 1; select 2 ;', ['select 1', 'select 2']],
  ["select ';', 'it''s;'; select 2", ["select ';', 'it''s;'", 'select 2']],
  ["select e'\\';'; select 2", ["select e'\\';'", 'select 2']],
  ["select 'back\\'; select 2", ["select 'back\\'", 'select 2']],
  ['create table "odd;""name" (a int); select 2', ['create table "odd;""name" (a int)', 'select 2']],
  ['do $$ begin; end; $$; select 2', ['do $$ begin; end; $$', 'select 2']],
  ['do $a$ x; $$ y; $a$; select $1; select 2', ['do $a$ x; $$ y; $a$', 'select $1', 'select 2']],
  ['do $körper$ begin; end; $$ y; $körper$; select 2', ['do $körper$ begin; end; $$ y; $körper$', 'select 2']],
  ['select größe$b$c; select 2', ['select größe$b$c', 'select 2']],
  ['select é$b$c; select 2', ['select é$b$c', 'select 2']],
  ['select a$b$c; select 2', ['select a$b$c', 'select 2']],
  ['select 1 -- not; here\n; select 2', ['select 1 -- not; here', 'select 2']],
  ['/* lead */ select /* a;b */ 1; select 2', ['select /* a;b */ 1', 'select 2']],
  ['select case when true then 1 end; select 2', ['select case when true then 1 end', 'select 2']],
  [
    'create function f() returns int begin atomic select 1; select case when true then 2 end; end; select 2',
    ['create function f() returns int begin atomic select 1; select case when true then 2 end; end', 'select 2']
  ],
  [
    'create function f() returns int begin -- so\n /* it /* is */ ; */ atomic select 1; end; select 2',
    ['create function f() returns int begin -- so\n /* it /* is */ ; */ atomic select 1; end', 'select 2']
  ],
  ["select 'never closed; select 2", ["select 'never closed", 'select 2']]
]

for (const [script, expected] of scripts) {
  test(`splits ${JSON.stringify(script)}`, () => {
    assert.deepEqual(
      splitStatements(script).map(({ text }) => text),
      expected
    )
  })
}

test('a statement knows its first line, comments before it not counted', () => {
  assert.deepEqual(
    splitStatements('\n-- why\nselect\n  1;\n\nselect 2;').map(({ line }) => line),
    [3, 6]
  )
})
