import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { packageRoot } from '../../core/paths.ts'

test('text analysis imports nothing outside its folder', () => {
  const outside = globSync('text/**/*.ts', { cwd: packageRoot }).flatMap(file =>
    [...readFileSync(path.join(packageRoot, file), 'utf8').matchAll(/ from '(?!\.\/)([^']+)'/g)].map(
      ([, specifier]) => `${file} imports ${specifier}`
    )
  )
  assert.deepEqual(outside, [])
})
