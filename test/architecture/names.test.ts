import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { packagedSources, readSource, sourcesIn } from '../suite/import-graph.ts'
import { codeOf } from '../suite/source-text.ts'

/** Names that are the same on purpose, and in which files: */
const justified: Record<string, RegExp> = {
  // Every large plugin composes itself under this name.
  createComponents: /\/components\.ts$/,
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

/** Sources of every folder, with their tests: what is written by hand. */
const handwritten = (): string[] =>
  sourcesIn(
    '{core,plugins,cli,text,files,coalescing,concurrency,lists,requests,time,child-process,front-matter,testing,test,bench}/**/*.{ts,js}'
  )
    .concat(sourcesIn('{clients,examples}/*/*.{ts,js}'), sourcesIn('examples/*/{src,test,templates}/**/*.{ts,js}'))
    .filter(file => file !== 'clients/typescript/openapi.ts')

/** By an identifier, the files that have it. Comments and texts are not read. */
function identifiersOf(files: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const file of files)
    for (const name of new Set(codeOf(readSource(file)).match(/[A-Za-z_$][\w$]*/g)))
      found.set(name, [...(found.get(name) ?? []), file])
  return found
}

const identifiers = identifiersOf(handwritten())

/** Files that the package exports as a whole, and one that holds the files of a new plugin as texts. */
const isPublic = (file: string): boolean =>
  /(^|\/)index\.ts$|^core\/toolkit\.ts$|^(coalescing|lists|files|text|child-process)\/|^plugins\/site\/theme-|^cli\/plugins\/creation\.ts$/.test(
    file
  )

test('a function, class or constant is exported only where another file uses it', () => {
  const values = /^export (?:async )?(?:const|let|function\*?|class) (\w+)/gm
  // A function of a child process is named in a text.
  const texts = handwritten().map(file => ({ file, words: new Set(readSource(file).match(/\w+/g)) }))
  const isUsed = (name: string, file: string) => texts.some(text => text.file !== file && text.words.has(name))
  const idle = packagedSources()
    .filter(file => !isPublic(file))
    .flatMap(file =>
      [...readSource(file).matchAll(values)]
        .map(match => match[1] as string)
        .filter(name => !isUsed(name, file))
        .map(name => `${file}: ${name}`)
    )
  assert.deepEqual(idle, [])
})

/** `isTold_at` is ` is told at `. */
const wordsOfName = (name: string): string =>
  ` ${name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z\d]+/g, ' ')
    .toLowerCase()} `

/** Words of nobody else, each with what the field calls it. */
const privateWords: readonly (readonly [words: string, instead: string])[] = [
  ['kept', 'cached, stored, retained'],
  ['told, tell, tells, telling, tellings', 'notified, emitted, reported'],
  ['together', 'combined, concurrent, batch'],
  ['take apart, apart', 'parse, split'],
  ['hasten, hurry', 'make due, skip delays'],
  ['turns', 'iterations of the event loop, a schedule, one by one'],
  ['parked, exhausted', 'dead letter'],
  ['lasting', 'durable, persistent'],
  ['last words, blame', 'error, attribution'],
  ['posture', 'the settings of auto-publishing'],
  ['desk', 'the service or its parts'],
  ['choices', 'alternatives, options'],
  ['turn down, gone live, settle, settles', 'reject, published, resolve, complete'],
  ['mend, slips', 'repair, errors'],
  ['places', 'positions, paths'],
  ['meaning, meanings', 'description, semantic'],
  ['alike', 'equal, similar'],
  ['towards, away, over', 'to, unavailable, exceeded or done'],
  ['rests, patient, impatient, patience', 'idle, a time limit'],
  ['lacks, bare', 'missing, minimal, unquoted'],
  ['fold, folds, folded', 'merge'],
  ['land, learn', 'arrive, classify, detect'],
  ['sound, sounds', 'valid, audio'],
  ['foreign, strangers', 'unowned, unknown'],
  ['lend, borrow', 'lease, acquire'],
  ['giving way, give way', 'throttle'],
  ['at hand, left over', 'current, stale or remaining'],
  ['door, kit, leg', 'api, entry point, part']
]

/** Identifiers that have such a word with good reason, and where. */
const fieldsOwn: readonly (readonly [name: RegExp, files: RegExp])[] = [
  // Unicode calls it folding: of case, and of accents.
  [/^(?:fold(?:Word|Text|s|ed)?|FoldedText)$/, /^(?:test\/)?text\/|^plugins\/search\/snippets\//],
  // Fields of answers that are released.
  [/^parked(?:_at)?$/, /./],
  // Settings that are released.
  [/^search_(?:by_meaning|meaning_weight)$/, /^(?:test\/)?plugins\/search\//],
  // SQL calls them so.
  [/^(?:add|drop)ForeignKeys$/, /^cli\/backup\//],
  // A field of the answers of language models.
  [/^choices$/, /^plugins\/tasks\/model\/|^test\/helpers\/model-server\.ts$|^test\/plugins\/costs\//]
]

const isFieldsOwn = (name: string, file: string): boolean =>
  fieldsOwn.some(([names, files]) => names.test(name) && files.test(file))

/** What the field calls it; undefined for a name without such a word. */
const insteadOf = (name: string): string | undefined =>
  privateWords.find(([words]) => words.split(', ').some(word => wordsOfName(name).includes(` ${word} `)))?.[1]

test('names are words of the field', () => {
  const found = [...identifiers].flatMap(([name, files]) => {
    const instead = insteadOf(name)
    const where = instead === undefined ? [] : files.filter(file => !isFieldsOwn(name, file))
    return where.length === 0 ? [] : [`${name} (${instead}): ${where.join(' ')}`]
  })
  assert.deepEqual(found, [])
})

/** Files that are named so with good reason: case folding, and `parked` jobs as commands call them. */
const filesOwn = ['text/fold.ts', 'text/folded-text.ts', 'test/plugins/notify/parked.test.ts']

test('files and columns are named with words of the field', () => {
  const files = handwritten().filter(file => !filesOwn.includes(file) && insteadOf(file) !== undefined)
  assert.deepEqual(files, [])
  const columns = sourcesIn('migrations/*.sql').flatMap(file =>
    [...readSource(file).matchAll(/^ {2}(?!foreign key)(\w+) /gm)].map(([, name = '']) => name)
  )
  assert.ok(columns.length > 500)
  assert.deepEqual(
    columns.filter(name => insteadOf(name) !== undefined),
    []
  )
})

test('a bound is called max or min', () => {
  const found = [...identifiers].filter(([name]) => /^(?:most|least)(?:[A-Z_]|$)/.test(name))
  assert.deepEqual(found, [])
})

/** Public entries: what is imported by name from outside the folder. */
const entries = (): string[] => [
  ...sourcesIn('{core,text,files,coalescing,concurrency,lists,requests,time,front-matter}/index.ts'),
  ...sourcesIn('plugins/*/index.ts')
]

const ownDeclaration = /^(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/gm

test('a name that others import is declared once', () => {
  const exported = new Set(entries().flatMap(exportsOf))
  assert.ok(exported.size > 400)
  const others = packagedSources().filter(file => !isOfSchemas(file))
  const found = others.flatMap(file =>
    [...codeOf(readSource(file)).matchAll(ownDeclaration)].flatMap(([, name = '']) =>
      exported.has(name) ? [`${name}: ${file}`] : []
    )
  )
  assert.deepEqual(found, [])
})

/** The names that a file exports, those from other files included. */
function exportsOf(file: string): string[] {
  const text = readSource(file)
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map(name => name.replace(/^.* as |type /, '').trim())
  )
  const whole = [...text.matchAll(/^export (?:type )?\* from '(\.[^']+)'/gm)].flatMap(([, from = '']) =>
    exportsOf(path.posix.join(path.posix.dirname(file), from))
  )
  return [...listed, ...whole, ...[...text.matchAll(declaration)].map(([, name = '']) => name)].filter(Boolean)
}
