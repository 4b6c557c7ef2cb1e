import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Parser } from 'htmlparser2'
import { html, type Insert, trusted } from '../../../plugins/site/html/html.ts'
import { jsonLd } from '../../../plugins/site/html/json-ld.ts'

const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;\`\${1}`

test('what is put into a template is escaped, in text and in quoted attributes', () => {
  const page = html`<a title="${hostile}">${hostile}</a>`.toString()
  const found: unknown[] = []
  const parser = new Parser({
    onopentag: (name, attributes) => found.push([name, attributes]),
    ontext: text => found.push(text)
  })
  parser.end(page)
  const texts = found.slice(1).join('')
  assert.deepEqual([found[0], texts], [['a', { title: hostile }], hostile])
})

const inserts: [name: string, insert: Insert, shown: string][] = [
  ['HTML of a template', html`<b>${'<'}</b>`, '<b>&lt;</b>'],
  ['HTML that is marked as such', trusted('<b>x</b>'), '<b>x</b>'],
  ['a list', ['<', html`<i></i>`, [1, null]], '&lt;<i></i>1'],
  ['a number', 0, '0'],
  ['null', null, ''],
  ['undefined', undefined, ''],
  ['false', false, '']
]
for (const [name, insert, shown] of inserts)
  test(`${name} shows as ${JSON.stringify(shown)}`, () => assert.equal(html`${insert}`.toString(), shown))

test('an object that looks like HTML is none', () => {
  const likeness = { toString: () => '<script>' } as unknown as Insert
  assert.throws(() => html`${likeness}`.toString(), TypeError)
})

describe('linked data', () => {
  for (const text of ['</script><script>alert(1)</script>', '<!--<script>', ']]>', '\u2028\u2029', '&quot;'])
    test(`${JSON.stringify(text)} does not end the script it is in, and reads back`, () => {
      const script = jsonLd({ name: text }).toString()
      const inner = script.slice('<script type="application/ld+json">'.length, -'</script>'.length)
      assert.doesNotMatch(inner, /[<>&\u2028\u2029]/)
      assert.deepEqual(JSON.parse(inner), { name: text })
    })
})
