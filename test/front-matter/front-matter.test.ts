import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flagField, knownFieldNames, listField, readFrontMatter, saidOfPost, textField } from '#front-matter'

const read = (file: string, isLenient = false) => readFrontMatter(file, { isLenient })

const forms: readonly [string, string][] = [
  ['YAML', '---\ntitle: A\ndate: 2026-01-02\n---\nText\n'],
  ['YAML that ends with dots', '---\ntitle: A\ndate: 2026-01-02\n...\nText\n'],
  ['YAML with a byte order mark and CRLF', '\ufeff---\r\ntitle: A\r\ndate: 2026-01-02\r\n---\r\nText\n'],
  ['TOML', '+++\ntitle = "A"\ndate = 2026-01-02\n+++\nText\n'],
  ['JSON', '{ "Title": "A", "date": "2026-01-02" }\n\nText\n']
]
for (const [form, file] of forms) {
  test(`${form}: fields in lower case, dates as texts, and the text below`, () => {
    assert.deepEqual(read(file), { fields: { title: 'A', date: '2026-01-02' }, body: 'Text\n' })
  })
}

test('a file without front matter is all text', () => {
  for (const file of ['Text', '', '--- dashes', '{ braces }', 'a: b\n---\nunderlined'])
    assert.deepEqual(read(file), { fields: {}, body: file })
  assert.deepEqual(read('---\n---\nText'), { fields: {}, body: 'Text' })
})

test('fields without a fence above count where they are asked for', () => {
  assert.deepEqual(read('title: A\n---\nText', true), { fields: { title: 'A' }, body: 'Text' })
})

test('braces and quotes in a JSON string do not end it', () => {
  const { fields, body } = read('{"title": "a } \\" {", "nested": {"x": 1}}\nText')
  assert.deepEqual([fields.title, fields.nested, body], ['a } " {', { x: 1 }, 'Text'])
})

test('front matter that is a list, broken or too long is an error', () => {
  assert.throws(() => read('---\n- a\n---\n'), /no list of fields/)
  assert.throws(() => read('---\na: [\n---\n'))
  assert.throws(() => read('+++\na =\n+++\n'))
  assert.throws(() => read(`---\na: ${'x'.repeat(70_000)}\n---\n`), /at most 65536 are taken/)
})

test('a text, a list and a flag are read from what generators write', () => {
  const fields = {
    title: ' A ',
    author: { name: 'Ada' },
    tags: 'one, two',
    keywords: ['x', 7, ''],
    draft: 'true',
    n: 3
  }
  assert.equal(textField(fields, 'headline', 'Title'), 'A')
  assert.deepEqual([textField(fields, 'author'), textField(fields, 'n'), textField(fields, 'none')], ['Ada', '3', null])
  assert.deepEqual(listField(fields, ['tags', 'keywords']), ['one', 'two', 'x', '7'])
  assert.deepEqual(listField({ tags: 'one two' }, ['tags']), ['one two'])
  assert.deepEqual(listField({ tags: 'one two' }, ['tags'], { isByBlanks: true }), ['one', 'two'])
  assert.deepEqual(
    [flagField(fields, 'draft'), flagField({ draft: false }, 'draft'), flagField(fields, 'n')],
    [true, false, 'unreadable']
  )
  const flags = ['Yes', 'on', ' Y ', 'NO', 'off', 'n', '', null].map(flag => flagField({ flag }, 'flag'))
  assert.deepEqual(flags, [true, true, true, false, false, false, null, null])
})

test('what a file says of its post, whatever the generator calls it', () => {
  const said = saidOfPost({
    title: 'A',
    description: 'D',
    heroimage: { src: '/a.png' },
    authors: ['Ada'],
    category: 'Sea news'
  })
  assert.deepEqual(said, {
    title: 'A',
    slug: null,
    excerpt: 'D',
    categories: ['Sea news'],
    tags: [],
    authors: ['Ada'],
    seo_description: 'D',
    image: '/a.png',
    language: null
  })
  assert.ok(knownFieldNames.every(name => name === name.toLowerCase()))
})
