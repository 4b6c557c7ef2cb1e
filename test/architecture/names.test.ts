import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource, sourcesIn } from '../suite/import-graph.ts'

/** Names that are the same on purpose, and why. */
const justified: Record<string, string> = {
  createParts: 'every plugin that has parts makes them under this name: it is the composition of one plugin',
  allSettings: 'the settings of a plugin that declares them in groups',
  transitions: 'every states.ts names its legal moves so',
  schema: 'every schema of a plugin for GraphQL is named so'
}

/** Doubled names that still have to go: fewer from change to change. */
const maxDoubled = 0

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm

test('an exported name stands for one thing', () => {
  const files = new Map<string, string[]>()
  for (const file of sourcesIn('{core,cli,plugins,text,time,lists,child-process,testing}/**/*.ts'))
    for (const [, name = ''] of readSource(file).matchAll(declaration))
      files.set(name, [...new Set([...(files.get(name) ?? []), file])])
  const doubled = [...files].filter(([name, where]) => where.length > 1 && !(name in justified) && !isSchema(where))
  const lines = doubled.map(([name, where]) => `${name}: ${where.join(' ')}`)
  assert.ok(doubled.length <= maxDoubled, `${doubled.length}\n${lines.sort().join('\n')}`)
})

/** A schema and the type it describes share a name, within their plugin. */
function isSchema(files: readonly string[]): boolean {
  const [plugin] = /^plugins\/[^/]+\//.exec(files[0] ?? '') ?? ['none']
  return files.length === 2 && files.every(file => file.startsWith(plugin)) && files.some(isOfSchemas)
}

const isOfSchemas = (file: string): boolean => /\/schemas(\.ts|\/)/.test(file)
