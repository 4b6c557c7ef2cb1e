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

/** What is no front matter for anybody who writes a text here. */
const texts = [
  '---\nhttps://example.org/ is nice',
  '---\n12:30 we left.',
  '---\n# Heading\nx=1',
  '---and so it went.',
  '--- Words\n\na\n\n---\n\nb',
  '\n\n---\n\nNote: it.\n\n---\nmore',
  '\n---\nJust a paragraph.\n\n---\nmore',
  'Update: we moved.\n\nIt is fine here.\n\n---\nmore',
  'Tides: a guide\n--------------\n\nThey come.',
  'Note: I moved.\n\nTags: see below.\n\n---\n\nRest.',
  'Title: A\nDate: B\n\nContent here.\n\n----\n\nmore',
  'Key: | Value\n--- | ---\na | b',
  '<!-- --- -->\nText',
  ';;;\nwords',
  '----\nwords\n----'
]
test('a text with rules and dashes is all text, also where any generator counts', () => {
  for (const text of texts)
    for (const isLenient of [false, true]) assert.deepEqual(read(text, isLenient), { fields: {}, body: text }, text)
})

const anyGenerator: readonly [string, Record<string, unknown>][] = [
  // Hexo
  ['title: T\n---\nText', { title: 'T' }],
  ['----\ntitle: T\npassword: abc\n----\nText', { title: 'T', password: 'abc' }],
  ['title: T\npublished: false\n----\nText', { title: 'T', published: false }],
  ['"title": "T",\n"published": false\n;;;\nText', { title: 'T', published: false }],
  [';;;;\n"title": "T"\n;;;;\nText', { title: 'T' }],
  ['title: T\n\npublished: false\n---\nText', { title: 'T', published: false }],
  // Hugo and Astro
  [' ---\ntitle: T\ndraft: true\n---\nText', { title: 'T', draft: true }],
  ['\n  ---\ntitle: T\ndraft: true\n---\nText', { title: 'T', draft: true }],
  ['\n\n+++\ntitle = "T"\n+++\nText', { title: 'T' }],
  [' {"title": "T", "draft": true}\nText', { title: 'T', draft: true }],
  ['<!--\n---\ntitle: T\ndraft: true\n---\n-->\nText', { title: 'T', draft: true }],
  ['\u00a0\n---\ndraft: true\n---\nText', { draft: true }],
  ['\f\n---\ndraft: true\n---\nText', { draft: true }],
  ['\u200b---\ndraft: true\n---\nText', { draft: true }],
  ['\n---\n\ntitle: T\n---\nText', { title: 'T' }],
  // A last line that is longer
  ['---\ntitle: T\ndraft: true\n----\nText', { title: 'T', draft: true }],
  ['---\n\ntitle: T\n----\nText', { title: 'T' }],
  ['---\n  title: T\n  draft: true\n----\nText', { title: 'T', draft: true }],
  ['---\nog.title: T\n----\nText', { 'og.title': 'T' }],
  ['---\r\nmy key: T\r\n----\r\nText', { 'my key': 'T' }],
  ['---\n# Of me\ntítulo: T\n---Text', { título: 'T' }]
]
test('what only some generator takes counts where it is asked for', () => {
  for (const [file, fields] of anyGenerator) {
    assert.deepEqual(read(file, true), { fields, body: 'Text' }, JSON.stringify(file))
    assert.deepEqual(read(file), { fields: {}, body: file }, JSON.stringify(file))
  }
})

const unread: readonly [string, RegExp][] = [
  ['---\ntitle: T\n\nText', /without an end: close it with ---, or write a rule as \*\*\*/],
  ['---\n\ndraft: true\nText', /without an end: close it with ---/],
  ['+++\ntitle = "T"\n\nText', /without an end: close it with \+\+\+/],
  ['{ "title": "T", "draft": true\n\nText', /without an end: close it with }/],
  ['<!--\n---\ntitle: T\n---\nText', /in a comment without an end: close it with -->/],
  ['title: [\npublished: false\n---\nText', /./],
  ['\n---\ntitle: [\n---\nText', /./],
  ['---lua\ntitle = "T"\n---\nText', /in "lua"/]
]
test('fields of a post that cannot be read are an error where any generator counts, and text elsewhere', () => {
  for (const [file, fault] of unread) {
    assert.throws(() => read(file, true), fault, JSON.stringify(file))
    assert.deepEqual(read(file), { fields: {}, body: file }, JSON.stringify(file))
  }
})

test('a line that begins like the last one may stand in fields', () => {
  const toml = '+++\ntitle = "T"\ndescription = """\n+++more\n"""\n+++\nText'
  assert.deepEqual(read(toml, true), { fields: { title: 'T', description: '+++more\n' }, body: 'Text' })
  const yaml = '---\ntitle: T\ntext: |\n  a\n---- # b\n---\nText'
  assert.equal(read(yaml, true).fields.title, 'T')
})

test('a fence names a language that is read, or one that is not', () => {
  for (const isLenient of [false, true]) {
    assert.deepEqual(read('---json\n{"a": 1}\n---\nText', isLenient), { fields: { a: 1 }, body: 'Text' })
    assert.throws(() => read('---js\n{ a: 1 }\n---\nText', isLenient), /in "js"/)
    assert.throws(() => read('--- yaml\na: 1\n\nText', isLenient), /without an end: close it with ---/)
  }
})

/** Of each so many that a reader who looks at them again for each would take minutes. */
const hostile = [
  `${'\n'.repeat(400_000)}---`,
  `${'\u200b \n'.repeat(200_000)}x`,
  `---\n${'---x\n'.repeat(100_000)}`,
  `---\n${'a: \n'.repeat(100_000)}`,
  `a: ${' '.repeat(400_000)}\n${'- \n'.repeat(100_000)}`,
  `{"${'\\"'.repeat(200_000)}`,
  `{"a${'\\\n"'.repeat(200_000)}`,
  `{ ${'"a" '.repeat(100_000)}`,
  `---\n${' '.repeat(400_000)}x`,
  `---\n${'title '.repeat(100_000)}\n\n`,
  `---\n,${' '.repeat(400_000)},`,
  `<!--${' '.repeat(400_000)}<!--`
]
test('a hostile text is text, and ends', () => {
  for (const text of hostile) assert.deepEqual(read(text, true), { fields: {}, body: text }, text.slice(0, 20))
})

test('braces and quotes in a JSON string do not end it', () => {
  const { fields, body } = read('{"title": "a } \\" {", "nested": {"x": 1}}\nText')
  assert.deepEqual([fields.title, fields.nested, body], ['a } " {', { x: 1 }, 'Text'])
})

test('front matter that is a list, broken, too deep or too long is an error', () => {
  assert.throws(() => read('---\na: &a [*a, *a]\n---\n', true))
  const long = `{"title": "${'x'.repeat(70_000)}", "draft": true}\nText`
  for (const isLenient of [false, true])
    assert.throws(() => read(long, isLenient), /front matter of 70\d{3} characters; at most 65536/)
  assert.throws(() => read(`{"a": ${'['.repeat(5000)}${']'.repeat(5000)}}`), /nested more than 50 deep/)
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
  const flags = ['Yes', 'on', ' Y ', 'NO', 'off', 'n', 0, 1, '', null].map(flag => flagField({ flag }, 'flag'))
  assert.deepEqual(flags, [true, true, true, false, false, false, false, true, null, null])
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
