import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { packageRoot } from '../../core/paths.ts'

interface Import {
  file: string
  specifier: string
}

const sources = (pattern: string): string[] => globSync(pattern, { cwd: packageRoot }).sort()

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(packageRoot, file), 'utf8')
  const found = [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"\n]*(?:\n[^'"]*?)??from '([^']+)'|\bimport\('([^']+)'\)|(?:^|\n)import '([^']+)'/g
    )
  ]
  return found.map(match => ({ file, specifier: (match[1] ?? match[2] ?? match[3]) as string }))
}

const targetOf = ({ file, specifier }: Import): string => path.normalize(path.join(path.dirname(file), specifier))
const lines = (imports: Import[]): string[] => imports.map(({ file, specifier }) => `${file} imports ${specifier}`)

/** `galley/plugin`: nothing in core imports it, and commands of plugins show their results with the command line’s tables. */
const packageEntry = 'core/author.ts'

test('the core names no plugin and reaches nothing outside itself', () => {
  const escaped = sources('core/**/*.ts')
    .flatMap(importsOf)
    .filter(
      item =>
        item.specifier.startsWith('#plugins') ||
        item.specifier === '#core' ||
        (item.specifier === '#cli' && item.file !== packageEntry) ||
        (item.specifier.startsWith('.') && !targetOf(item).startsWith('core/'))
    )
  assert.deepEqual(lines(escaped), [])
})

test('a plugin reaches the core by #core and other plugins by their index only', () => {
  const escaped = sources('plugins/**/*.ts')
    .flatMap(importsOf)
    .filter(
      item =>
        item.specifier.startsWith('.') &&
        !targetOf(item).startsWith(`${item.file.split(path.sep).slice(0, 2).join('/')}/`)
    )
  assert.deepEqual(lines(escaped), [])
})

test('the CLI names no plugin', () => {
  const escaped = sources('cli/**/*.ts')
    .flatMap(importsOf)
    .filter(item => item.specifier.startsWith('#plugins') || targetOf(item).startsWith('plugins/'))
  assert.deepEqual(lines(escaped), [])
})

test('a plugin needs every service whose token it imports', () => {
  const forgotten = sources('plugins/*/plugin.ts').flatMap(file => {
    const text = readFileSync(path.join(packageRoot, file), 'utf8')
    const tokens = [...text.matchAll(/import \{([^}]*)\} from '(?:#core|#plugins\/[^']+)'/g)].flatMap(match =>
      (match[1] as string)
        .split(',')
        .map(name => name.trim())
        .filter(name => /^[A-Z]\w*Service$/.test(name))
    )
    const declared = /needs: \{([\s\S]*?)\}/.exec(text)?.[1] ?? ''
    const provided = /provides: \{([\s\S]*?)\}/.exec(text)?.[1] ?? ''
    return tokens
      .filter(token => !declared.includes(token) && !provided.includes(token))
      .map(token => `${file}: ${token}`)
  })
  assert.deepEqual(forgotten, [])
})

test('SQL stands in repositories, core/db, core/jobs, core/settings and migrations only', () => {
  const statement = /[`'"]\s*(?:select\s.+\sfrom|insert into|update \w+ set|delete from)\s/i
  const allowed = /repository(\/|\.ts$)|-repository\.ts$|^core\/(db|jobs|settings|changes|http\/idempotency|prefix-id)/
  const strays = sources('{core,plugins,cli}/**/*.ts').filter(
    file => !allowed.test(file) && statement.test(readFileSync(path.join(packageRoot, file), 'utf8'))
  )
  assert.deepEqual(strays, [])
})

test('nothing is left for later, and casts to any stay out', () => {
  const marks = new RegExp(
    `\\b(${['TO' + 'DO', 'FIX' + 'ME', 'HA' + 'CK'].join('|')})\\b|: any\\b|<any>|as any\\b|@ts-(ignore|nocheck)`
  )
  const excused = new Set([
    'core/contract/plugin.ts',
    'core/contract/command.ts',
    'plugins/tasks/rails/placeholders.ts'
  ])
  const found = sources('{core,plugins,cli}/**/*.ts').filter(
    file => !excused.has(file.replaceAll('\\', '/')) && marks.test(readFileSync(path.join(packageRoot, file), 'utf8'))
  )
  assert.deepEqual(found, [])
})
