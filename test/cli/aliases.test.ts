import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aliases, replaceAlias } from '../../cli/aliases.ts'
import { describeAll } from '../../cli/catalogue.ts'
import { localProgram } from '../../cli/local-program.ts'
import { packageRoot } from '../../core/paths.ts'

test('a deprecated word is replaced, and the rest of the line stays', () => {
  const rows: [given: string[], now: string[]][] = [
    [
      ['post', 'list', '--json', '--limit', '5'],
      ['posts', 'list', '--json', '--limit', '5']
    ],
    [
      ['--json', 'approve', 'a1b2c3d4', '--gate', 'x'],
      ['--json', 'gates', 'approve', 'a1b2c3d4', '--gate', 'x']
    ],
    [['list-pending'], ['gates', 'list']],
    [
      ['post', '--help'],
      ['posts', '--help']
    ]
  ]
  for (const [given, now] of rows) {
    const { argv, notice } = replaceAlias('galley', given)
    assert.deepEqual(argv, now)
    assert.match(notice ?? '', /^warning: "galley \S+" is deprecated: use "galley /)
  }
})

test('other lines are left alone, a deprecated word among the arguments too', () => {
  for (const argv of [[], ['posts', 'list'], ['tasks', 'approve', 'post'], ['--help', 'post'], ['constructor']]) {
    assert.deepEqual(replaceAlias('galley', argv), { argv, notice: null })
  }
})

test('what a deprecated word stands for exists, and no command has its name', async () => {
  const catalogue = await describeAll({ env: {}, cwd: packageRoot, local: localProgram({}) })
  for (const [old, [group = '', name]] of Object.entries(aliases)) {
    assert.equal(Object.hasOwn(catalogue, old), false, old)
    const entry = catalogue[group]
    assert.ok(entry !== undefined && 'commands' in entry, group)
    if (name !== undefined) assert.ok(Object.hasOwn(entry.commands, name), `${group} ${name}`)
  }
})
