import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import {
  circlesIn,
  graphOf,
  type Import,
  importsOf,
  packagedSources,
  readSource,
  sourcesIn
} from '../suite/import-graph.ts'

const lines = (imports: Import[]): string[] => imports.map(({ file, specifier }) => `${file} imports ${specifier}`)
const insideOf = ({ target }: Import, folder: string): boolean => target === undefined || target.startsWith(folder)

test('the core names no plugin and reaches nothing outside itself', () => {
  const escaped = sourcesIn('core/**/*.ts')
    .flatMap(importsOf)
    .filter(
      item =>
        item.specifier.startsWith('#plugins') ||
        [
          '#core',
          '#cli',
          '#child-process',
          '#coalescing',
          '#concurrency',
          '#files',
          '#lists',
          '#requests',
          '#time'
        ].includes(item.specifier) ||
        (item.specifier.startsWith('.') && !insideOf(item, 'core/'))
    )
  assert.deepEqual(lines(escaped), [])
})

test('a plugin has the types of its schemas and routes from #core, as a third party has them from galley/plugin', () => {
  const own = sourcesIn('plugins/**/*.ts')
    .flatMap(importsOf)
    .filter(item => ['typebox', '@fastify/type-provider-typebox'].includes(item.specifier))
  assert.deepEqual(lines(own), [])
})

test('only commands of a plugin import #cli', () => {
  const strays = sourcesIn('plugins/**/*.ts')
    .filter(file => !file.includes('/commands/'))
    .flatMap(importsOf)
    .filter(({ specifier }) => specifier === '#cli')
  assert.deepEqual(lines(strays), [])
})

test('a part of the core is imported by its own name only where a process reads few modules', () => {
  const inProcessOfItsOwn =
    /^child-process\/(long-|worker-)?main\.ts$|-worker\.ts$|^plugins\/(posts\/rendering\/render|site\/themes\/check-theme)\.ts$/
  const strays = sourcesIn('{plugins,child-process,coalescing,concurrency,lists,files,requests,time,testing}/**/*.ts')
    .filter(file => !inProcessOfItsOwn.test(file))
    .flatMap(importsOf)
    .filter(({ specifier }) => specifier.startsWith('#core/'))
  assert.deepEqual(lines(strays), [])
})

test('a plugin reaches the core by #core and other plugins by their index only', () => {
  const escaped = sourcesIn('plugins/**/*.ts')
    .flatMap(importsOf)
    .filter(
      item => item.specifier.startsWith('.') && !insideOf(item, `${item.file.split(path.sep).slice(0, 2).join('/')}/`)
    )
  assert.deepEqual(lines(escaped), [])
})

test('the CLI names no plugin', () => {
  const escaped = sourcesIn('cli/**/*.ts')
    .flatMap(importsOf)
    .filter(item => item.target?.startsWith('plugins/'))
  assert.deepEqual(lines(escaped), [])
})

test('text analysis imports nothing but Node outside its folder', () => {
  const escaped = sourcesIn('text/**/*.ts')
    .flatMap(importsOf)
    .filter(item => !item.specifier.startsWith('node:') && !item.target?.startsWith('text/'))
  assert.deepEqual(lines(escaped), [])
})

test('work in a child process reaches the core by #core, and nothing else', () => {
  const escaped = sourcesIn('child-process/**/*.ts')
    .flatMap(importsOf)
    .filter(item => !['#core', '#core/unknown'].includes(item.specifier) && !insideOf(item, 'child-process/'))
  assert.deepEqual(lines(escaped), [])
})

test('lists in pages reach the core by #core, and nothing else', () => {
  const escaped = sourcesIn('lists/**/*.ts')
    .flatMap(importsOf)
    .filter(item => item.specifier !== '#core' && !insideOf(item, 'lists/'))
  assert.deepEqual(lines(escaped), [])
})

for (const folder of ['coalescing', 'concurrency'])
  test(`${folder} reaches nothing`, () => {
    const escaped = sourcesIn(`${folder}/**/*.ts`)
      .flatMap(importsOf)
      .filter(item => !insideOf(item, `${folder}/`))
    assert.deepEqual(lines(escaped), [])
  })

test('what writes files reaches the core by #core, and nothing else', () => {
  const escaped = sourcesIn('files/**/*.ts')
    .flatMap(importsOf)
    .filter(item => item.specifier.startsWith('#') && item.specifier !== '#core')
  assert.deepEqual(lines(escaped), [])
})

test('what reads times reaches the core by #core, and nothing else', () => {
  const escaped = sourcesIn('time/**/*.ts')
    .flatMap(importsOf)
    .filter(item => item.specifier !== '#core' && !insideOf(item, 'time/'))
  assert.deepEqual(lines(escaped), [])
})

test('no files import each other in a circle, not for their types either', () => {
  // What is asked for at run time may lead back: a process reads its own module.
  const graph = graphOf(packagedSources(), ({ isLazy }) => !isLazy)
  const circles = circlesIn(graph)
  assert.deepEqual(circles, [])
})

test('no folders of core, of the command line or of a plugin need each other in a circle', () => {
  const folders = new Map<string, string[]>()
  for (const [file, targets] of graphOf(sourcesIn('{core,cli,plugins}/**/*.ts'), () => true))
    folders.set(partOf(file), [...(folders.get(partOf(file)) ?? []), ...targets.map(partOf)])
  assert.deepEqual(circlesIn(folders), [])
})

/** The folder of core, of the command line or of a plugin that a file is in; a file directly in one of them stands for itself. */
const partOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('plugins/') ? 3 : 2)
    .join('/')

test('no files of the command line form a circle, over what they import lazily neither', () => {
  assert.deepEqual(circlesIn(graphOf(sourcesIn('{core,cli}/**/*.ts'), () => true)).filter(isInCli), [])
})

const isInCli = (files: readonly string[]): boolean => files.some(file => file.startsWith('cli/'))

test('a plugin needs every service whose token it imports', () => {
  const forgotten = sourcesIn('plugins/*/plugin.ts').flatMap(file => {
    const text = readSource(file)
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
  const statement = /[`'"]\s*(?:select\s[^`;]+?\sfrom|insert into|update \w+ set|delete from)\s/i
  const allowed = /repository(\/|\.ts$)|-repository\.ts$|^core\/(db|jobs|settings)/
  const strays = sourcesIn('{core,plugins,cli}/**/*.ts').filter(
    file => !allowed.test(file) && statement.test(readSource(file))
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
  const found = sourcesIn('{core,plugins,cli}/**/*.ts').filter(
    file => !excused.has(file.replaceAll('\\', '/')) && marks.test(readSource(file))
  )
  assert.deepEqual(found, [])
})
