import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { isBuilt } from '../../cli/built.js'

const root = mkdtempSync(path.join(tmpdir(), 'galley-built-'))
after(() => rmSync(root, { recursive: true }))

function put(file: string, at: number) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), '')
  utimesSync(path.join(root, file), at, at)
}

test('a build counts until a source is younger, and in a package without sources always', () => {
  assert.equal(isBuilt(root), false)
  put('dist/cli/main.js', 100)
  put('dist/command-catalogue.json', 100)
  assert.equal(isBuilt(root), true)
  for (const file of [
    'tsconfig.build.json',
    'core/index.ts',
    'cli/main.ts',
    'plugins/search/query-plan.ts',
    'testing/index.ts',
    'text/index.ts',
    'time/index.ts',
    'lists/index.ts',
    'child-process/bounded.ts'
  ])
    put(file, 100)
  assert.equal(isBuilt(root), true)
  put('plugins/search/query-plan.ts', 101)
  assert.equal(isBuilt(root), false)
  put('plugins/search/query-plan.ts', 99)
  put('plugins/posts/README.md', 101)
  assert.equal(isBuilt(root), true)
  put('cli/built.js', 101)
  assert.equal(isBuilt(root), false)
})
