import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { InputError } from '#core'
import { createDocuments, type Documents } from '../../../plugins/graphql/documents.ts'
import { graphqlSettings } from '../../../plugins/graphql/settings.ts'
import { resolvedNames } from '../../../plugins/graphql/shape.ts'

const settings = { get: (key: keyof typeof graphqlSettings) => graphqlSettings[key].default } as never

let forgotten = 0
let documents: Documents
beforeEach(() => {
  forgotten = 0
  documents = createDocuments(settings, () => {
    forgotten += 1
  })
})

test('a document has its operations, and is measured once', () => {
  const text = 'query A { a } mutation B { b } fragment f on Query { a }'
  const operations = documents.operationsIn(text)
  assert.deepEqual(operations, [
    { name: 'A', type: 'query', rootFields: [{ name: 'a', key: 'a', conditions: [] }] },
    { name: 'B', type: 'mutation', rootFields: [{ name: 'b', key: 'b', conditions: [] }] }
  ])
  assert.equal(documents.operationsIn(text), operations)
})

test('the fields of an operation are found in linear time, also where fragments end in one that is not there', () => {
  const levels = 30
  const pairs = Array.from({ length: levels }, (_, n) =>
    ['a', 'b'].map(one => `fragment ${one}${n} on Query { ...a${n + 1} ...b${n + 1} }`).join(' ')
  )
  const [operation] = documents.operationsIn(`{ x: search y: search ...a0 } ${pairs.join(' ')}`)
  assert.deepEqual(resolvedNames(operation?.rootFields ?? [], {}), ['search', 'search'])
})

const conditional: readonly [document: string, resolved: string[]][] = [
  ['query ($no: Boolean!) { search @include(if: $no) }', []],
  ['query ($yes: Boolean!) { search @skip(if: $yes) }', []],
  ['{ search @skip(if: true) a: search @include(if: false) b: search @include(if: true) }', ['search']],
  ['query ($no: Boolean!) { ... @include(if: $no) { search ... { a: search } } }', []],
  ['query ($no: Boolean!, $yes: Boolean!) { search @include(if: $yes) @skip(if: $no) }', ['search']],
  ['query ($no: Boolean!) { search search @include(if: $no) }', ['search']],
  ['query ($no: Boolean!) { search @include(if: $no) search }', ['search']],
  ['query ($other: Boolean!) { search @include(if: $other) }', ['search']],
  ['query ($no: Boolean!) { ...f @include(if: $no) ...f } fragment f on Query { search }', ['search']],
  ['query ($no: Boolean!) { ... @include(if: $no) { ...f } ...f } fragment f on Query { search }', ['search']]
]
for (const [document, resolved] of conditional)
  test(`the fields that are resolved: ${document}`, () => {
    const [operation] = documents.operationsIn(document)
    assert.deepEqual(resolvedNames(operation?.rootFields ?? [], { no: false, yes: true }), resolved)
  })

const many: Readonly<Record<string, readonly [count: number, text: (n: number) => string]>> = {
  'with many tokens': [200, n => `{ a${n} ${Array.from({ length: 900 }, (_, field) => `f${field} `).join('')}}`],
  'with long comments': [1_600, n => `{ a${n} } #${'x'.repeat(49_000)}`]
}
for (const [title, [count, text]] of Object.entries(many)) {
  test(`documents ${title} are let go before they fill the memory`, () => {
    for (let n = 0; n < 40; n++) documents.operationsIn(text(n))
    assert.equal(forgotten, 0)
    for (let n = 40; n < count; n++) documents.operationsIn(text(n))
    assert.ok(forgotten >= 3, String(forgotten))
  })
}

test('the same documents again and again are kept', () => {
  for (let n = 0; n < 2_000; n++) documents.operationsIn(`{ a${n % 20} ${'f '.repeat(10)}}`)
  assert.equal(forgotten, 0)
})

test('what is too large is not kept at all', () => {
  for (let n = 0; n < 100; n++)
    assert.throws(() => documents.operationsIn(`{ a${n} }${' '.repeat(60_000)}`), InputError)
  assert.equal(forgotten, 0)
})
