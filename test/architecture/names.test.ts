import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packagedSources, readSource } from '../suite/import-graph.ts'

/** Names that are the same on purpose, and in which files: */
const justified: Record<string, RegExp> = {
  // Every plugin that has parts makes them under this name: it is the composition of one plugin.
  createParts: /\/parts\.ts$/,
  // The settings of a plugin that declares them in groups.
  allSettings: /\/settings\.ts$/,
  // The legal moves of a plugin.
  transitions: /\/states\.ts$/,
  // What a plugin adds to the schema of GraphQL.
  schema: /\/graphql\/schema\.ts$/
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm

test('an exported name stands for one thing', () => {
  const files = new Map<string, string[]>()
  for (const file of packagedSources())
    for (const [, name = ''] of readSource(file).matchAll(declaration))
      files.set(name, [...new Set([...(files.get(name) ?? []), file])])
  const doubled = [...files].filter(
    ([name, where]) => where.length > 1 && !isJustified(name, where) && !isSchema(where)
  )
  const lines = doubled.map(([name, where]) => `${name}: ${where.join(' ')}`)
  assert.deepEqual(lines.sort(), [])
})

const isJustified = (name: string, files: readonly string[]): boolean =>
  files.every(file => justified[name]?.test(file) ?? false)

/** A schema and the type it describes share a name, within their plugin. */
function isSchema(files: readonly string[]): boolean {
  const [plugin] = /^plugins\/[^/]+\//.exec(files[0] ?? '') ?? ['none']
  return files.length === 2 && files.every(file => file.startsWith(plugin)) && files.some(isOfSchemas)
}

const isOfSchemas = (file: string): boolean => /\/schemas(\.ts|\/)/.test(file)

test('a bound is called max or min', () => {
  const bound = /\b(?:const|let) (?:most|least)[A-Z]\w*/g
  const found = packagedSources().flatMap(
    file =>
      readSource(file)
        .match(bound)
        ?.map(name => `${file}: ${name}`) ?? []
  )
  assert.deepEqual(found, [])
})
