import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource, sourcesIn } from '../suite/import-graph.ts'

const linesOf = (file: string): string[] => readSource(file).trimEnd().split('\n')

test('the table of contents of a plugin has at most 60 lines', () => {
  const long = sourcesIn('plugins/*/plugin.ts').filter(file => linesOf(file).length > 60)
  assert.deepEqual(long, [])
})

test('what a plugin offers to others is declared without logic, and described', () => {
  const faults = sourcesIn('plugins/*/index.ts').flatMap(file => {
    const lines = linesOf(file)
    return lines.flatMap((line, index) => {
      if (/^export (async )?function\b|=> [{(]\s*$/.test(line)) return [`${file}:${index + 1} has logic`]
      if (!/^export (const|interface|type \w+ |class)/.test(line)) return []
      const before = lines[index - 1] ?? ''
      // A token stands below the service that it names.
      const isDescribed = before.endsWith('*/') || (before === '}' && /Service = service</.test(line))
      return isDescribed ? [] : [`${file}:${index + 1} is not described`]
    })
  })
  assert.deepEqual(faults, [])
})

test('every plugin has a page for whoever reads it first', () => {
  for (const file of sourcesIn('plugins/*/plugin.ts')) {
    const [, name] = file.split('/')
    assert.match(readSource(file.replace('plugin.ts', 'README.md')), new RegExp(`^# ${name}\\n\\n\\S`), file)
  }
})
