import assert from 'node:assert/strict'
import { test } from 'node:test'
import { functionsIn } from '../suite/functions.ts'
import { packagedSources, readSource } from '../suite/import-graph.ts'
import { codeOf } from '../suite/source-text.ts'

const sources = packagedSources().map(file => ({
  file,
  code: codeOf(readSource(file))
}))

/** The places where a pattern stands, as `file:line`. */
function locationsOf(pattern: RegExp, among = sources): string[] {
  return among.flatMap(({ file, code }) =>
    [...code.matchAll(pattern)].map(({ index }) => `${file}:${code.slice(0, index).split('\n').length}`)
  )
}

const atMost = (locations: readonly string[], max: number) =>
  assert.ok(locations.length <= max, `${locations.length}, and at most ${max} are allowed:\n${locations.join('\n')}`)

/** Of one function, with the functions inside of it: blank lines and comments do not count, nor how a literal is formatted. */
const max = { statements: 60, lines: 60 }

test(`no function has more than ${max.statements} statements or ${max.lines} lines of code`, () => {
  const large = sources.flatMap(({ file }) =>
    functionsIn(readSource(file))
      .filter(({ statements, lines }) => statements > max.statements || lines > max.lines)
      .map(({ line, statements, lines }) => `${file}:${line} has ${statements} statements in ${lines} lines`)
  )
  assert.deepEqual(large, [])
})

test('no lists of values are packed into one line of code', () => {
  const paired = /\b(?:const|let) \[[^\]=]*\](?:: [^=]*)? = \[(?!\.\.\.)(?![^\]]*\]\.)/g
  const spread = /\.\.\.\[(?!\.\.\.)[^[\]]*\](?=\s*[,\])])/g
  atMost([...locationsOf(paired), ...locationsOf(spread)], 0)
})

test('no literal is spread into another only to save lines', () => {
  atMost(locationsOf(/\.\.\.\{\s*[\w'"]/g), 0)
})

test('no type is taken out of the parameters of parameters', () => {
  atMost(locationsOf(/Parameters<Parameters</g), 0)
})

/** Those that are explained where they stand. */
const maxCasts = 57

test('casts are rare', () => {
  const code = sources.map(({ file, code }) => ({ file, code: code.replace(/^(import|export) [^;=]*? from /gm, '') }))
  atMost(locationsOf(/\bas (?!const\b)[\w{([]/g, code), maxCasts)
})

/** What others say without a code for it; nothing else is known by its words. */
const withoutCodes: Record<string, string> = {
  'child-process/main.ts': 'a limit of the engine has no code',
  'cli/database/faults.ts': 'connections lost before the server could say why have no code',
  'plugins/graphql/documents.ts': 'GraphQL tells a document that is too long by its words only',
  'requests/failure.ts': 'one reason of fetch itself has no code',
  'cli/framework/run.ts': 'a fault that the message says already is not printed twice',
  'cli/framework/input-faults.ts': 'a fault says what its message does not',
  'plugins/notify/telegram/bot.ts':
    'grammy exists twice where a plugin brings its own: its class is known by its name only'
}

/** A message may be made fit to print. That decides nothing. */
const cleaned: Record<string, string> = {
  'cli/checks/diagnose.ts': 'line breaks',
  'core/http/input/json-body.ts': 'NUL characters',
  'plugins/graphql/response.ts': 'long values',
  'plugins/graphql/schema.ts': 'line breaks',
  'requests/server-message.ts': 'keys'
}

test('no sentence decides a branch', () => {
  const decided =
    /(?<!typeof [\w.?[\]]*)\.message\s*[!=]==|[!=]==\s*(?:[\w.]+|new \w+\([^()]*\))\.message\b|\bmessage\.(?:includes|startsWith|endsWith|match|search)\(|\.test\([\w.]*\bmessage\)|[mM]essage(?:Of)?\([\w.]*\)\??\.(?:includes|startsWith|endsWith|match|search)\(|\.name === '(?!AbortError|TimeoutError)\w+Error'/g
  assert.deepEqual(outside(withoutCodes, decided), [])
})

test('no message is rewritten to say something else', () => {
  const rewritten = /\b[mM]essage(?:Of\([\w.]*\))?\.replace(?:All)?\(/g
  assert.deepEqual(outside(cleaned, rewritten), [])
})

const outside = (listed: Record<string, string>, pattern: RegExp): string[] =>
  locationsOf(pattern).filter(place => !((place.split(':')[0] as string) in listed))
