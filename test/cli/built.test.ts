import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { bundled } from '../../cli/build/bundle-dependencies.ts'
import { isBuilt } from '../../cli/built.js'
import { packageRoot } from '../../core/paths.ts'
import { compiledFolders } from '../suite/import-graph.ts'

const root = mkdtempSync(path.join(tmpdir(), 'galley-built-'))
after(() => rmSync(root, { recursive: true }))

function put(file: string, at: number, text = '') {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
  utimesSync(path.join(root, file), at, at)
}

test('a build counts until a source is younger, and in a package without sources always', () => {
  assert.equal(isBuilt(root), false)
  put('dist/cli/main.js', 100)
  put('dist/command-catalogue.json', 100)
  assert.equal(isBuilt(root), true)
  put('tsconfig.build.json', 100, JSON.stringify({ include: compiledFolders() }))
  for (const folder of compiledFolders()) put(`${folder}/index.ts`, 100)
  put('plugins/search/query-plan.ts', 100)
  assert.equal(isBuilt(root), true)
  put('plugins/search/query-plan.ts', 101)
  assert.equal(isBuilt(root), false)
  put('plugins/search/query-plan.ts', 99)
  put('plugins/posts/README.md', 101)
  assert.equal(isBuilt(root), true)
  put('cli/built.js', 101)
  assert.equal(isBuilt(root), false)
})

test('what the build bundles is a dependency', () => {
  const { dependencies } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8'))
  const others = bundled.filter(name => !(name.replace(/^typebox\/.*/, 'typebox') in dependencies))
  assert.deepEqual(others, [])
})
