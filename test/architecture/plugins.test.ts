import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsOf, readSource, sourcesIn } from '../suite/import-graph.ts'
import { withoutComments } from '../suite/source-text.ts'

const linesOf = (file: string): string[] => readSource(file).trimEnd().split('\n')

test('the table of contents of a plugin has at most 60 lines', () => {
  const long = sourcesIn('plugins/*/plugin.ts').filter(file => linesOf(file).length > 60)
  assert.deepEqual(long, [])
})

test('plugins declare their parts in the order of the contract', () => {
  const contract = readSource('core/contract/plugin.ts')
  const fieldsOf = (name: string): string[] => {
    const [body = ''] = contract.split(`interface ${name}<`)[1]?.split('\n}') ?? []
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, field = '']) => field)
  }
  const manifest = fieldsOf('PluginDefinition')
  const contribution = fieldsOf('Contribution')
  assert.deepEqual([manifest[0], manifest.at(-1), contribution[0]], ['name', 'setup', 'services'])
  const isOrdered = (fields: readonly string[], order: readonly string[]) => {
    const positions = fields.map(field => order.indexOf(field)).filter(position => position >= 0)
    return positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? 0))
  }
  const disordered = sourcesIn('plugins/*/plugin.ts').filter(file => {
    const source = readSource(file)
    const fieldsAt = (indent: number) =>
      [...source.matchAll(new RegExp(`^ {${indent}}(\\w+)[:(]`, 'gm'))].map(([, field = '']) => field)
    return !isOrdered(fieldsAt(2), manifest) || !isOrdered(fieldsAt(6), contribution)
  })
  assert.deepEqual(disordered, [])
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

test('a plugin names no command of a plugin that it does not import', () => {
  const owners = new Map(
    sourcesIn('plugins/*/plugin.ts').flatMap(file =>
      [...readSource(file).matchAll(/^ {8}'?([\w-]+)'?: \{\n {10}describe:/gm)].map(([, group = '']) => [
        group,
        pluginOf(file)
      ])
    )
  )
  assert.equal(owners.get('schedule'), 'schedule')
  const quoted = new RegExp(`(?:"|\\bgalley )(${[...owners.keys()].join('|')}) [a-z-]+`, 'g')
  const faults = [...Map.groupBy(sourcesIn('plugins/**/*.ts'), pluginOf)].flatMap(([plugin, files]) => {
    const imported = new Set(files.flatMap(importsOf).map(({ specifier }) => /^#plugins\/(\w+)/.exec(specifier)?.[1]))
    return files.flatMap(file =>
      [...withoutComments(readSource(file)).matchAll(quoted)].flatMap(([found, group = '']) => {
        const owner = owners.get(group)
        return owner === plugin || imported.has(owner) ? [] : [`${file} names ${found}`]
      })
    )
  })
  assert.deepEqual(faults, [])
})

const pluginOf = (file: string): string | undefined => file.split('/')[1]
