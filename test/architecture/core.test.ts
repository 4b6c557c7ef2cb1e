import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { aliases } from '../../cli/aliases.ts'
import { codeFolders, packageRoot } from '../../core/paths.ts'
import { dependenciesOf, graphOf, readSource, sourcesIn } from '../suite/import-graph.ts'
import { withoutComments } from '../suite/source-text.ts'

const plugins = readdirSync(path.join(packageRoot, 'plugins'))
const commands = Object.keys(aliases).concat('topics', 'schedule', 'categories', 'clients')

/** Words that mean something of the core's own. */
const ownWords: Record<string, string> = {
  settings: 'what core stores itself: a cache tag of its own, and the category of its own settings',
  import: 'a condition of Node.js for what a package exports',
  metrics: 'what any plugin may bring, as it brings checks and jobs'
}

test('core knows no plugin: no text in it is the name, a command or an address of one', () => {
  const words = [...plugins, ...commands].filter(word => !(word in ownWords))
  const named = new RegExp(`(['"\`])(?:/api/)?(${words.join('|')})(?:/[^'"\`]*)?\\1`, 'g')
  const strays = sourcesIn('core/**/*.ts').flatMap(file =>
    [...withoutComments(readSource(file)).matchAll(named)].map(([text]) => `${file} says ${text}`)
  )
  assert.deepEqual(strays, [])
})

test('boot, load, order, wire and lifecycle have at most 400 lines together', () => {
  const files = ['boot', 'load', 'order', 'wire', 'lifecycle'].map(name => `core/kernel/${name}.ts`)
  const lines = files.reduce((sum, file) => sum + readSource(file).trimEnd().split('\n').length, 0)
  assert.ok(lines <= 400, `${lines} lines`)
})

test('the contract of a plugin has at most 150 lines', () => {
  const lines = readSource('core/contract/plugin.ts').trimEnd().split('\n').length
  assert.ok(lines <= 150, `${lines} lines`)
})

test('core has at most 9,500 lines', () => {
  const lines = sourcesIn('core/**/*.ts').reduce((sum, file) => sum + readSource(file).trimEnd().split('\n').length, 0)
  assert.ok(lines <= 9_500, `${lines} lines`)
})

/** What is in the core although the kernel does not reach it, and why. */
const besideTheKernel: Record<string, string> = {
  'core/index.ts': 'what plugins import',
  'core/jobs/worker-state.ts': 'reads the tables of jobs, which are the core’s',
  'core/toolkit.ts': 'what plugins import beside the contract'
}

test('the core has what the kernel reaches, and little else', () => {
  const files = sourcesIn('core/**/*.ts')
  const roots = files.filter(file => /^core\/(?:kernel|contract)\//.test(file))
  const reached = new Set([
    ...roots,
    ...dependenciesOf(
      graphOf(files, () => true),
      roots
    )
  ])
  assert.deepEqual(
    files.filter(file => !reached.has(file)),
    Object.keys(besideTheKernel).sort((a, b) => files.indexOf(a) - files.indexOf(b))
  )
})

test('the folders of the code are those that are compiled, and the one the build makes', () => {
  const { include } = JSON.parse(readSource('tsconfig.build.json')) as { include: string[] }
  assert.deepEqual([...codeFolders].sort(), [...include, 'bundled'].sort())
})
