import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownToText, snippetTextLength } from '../../../../plugins/search/snippets/plain-text.ts'
import { createSnippets } from '../../../../plugins/search/snippets/snippet.ts'

const snippetOf = (markdown: string, terms: string[]) => createSnippets(terms)(markdownToText(markdown))
const filler = 'Nothing is said here that anybody would look for. '.repeat(20)

test('a snippet is the text around the words, whatever their ending, as escaped HTML', () => {
  const text = `${filler}The \`<b>\` lighthouse & its keepers. ${filler}`
  const snippet = snippetOf(text, ['lighthous', 'keeper'])
  assert.match(snippet, /^… .*&lt;b&gt; <mark>lighthouse<\/mark> &amp; its <mark>keepers<\/mark>.* …$/)
  assert.ok(snippet.length < 400)
})

test('two places that hold different words are both shown', () => {
  const snippet = snippetOf(`The walrus. ${filler} The carpenter. ${filler}`, ['walrus', 'carpent'])
  assert.match(snippet, /<mark>walrus<\/mark>.*….*<mark>carpenter<\/mark>/)
})

test('marks of footnotes are not shown, but in code and where nothing defines them', () => {
  const text = 'Twice a day[^a]. See `[^a]` and [^b].\n\n~~~\n[^a]: x\n~~~\n\n[^a]: The moon.\n[^c]: Not asked.'
  assert.equal(markdownToText(text), 'Twice a day. See [^a] and [^b]. [^a]: x The moon. Not asked.')
  assert.equal(markdownToText('A class [^a-z] of letters.'), 'A class [^a-z] of letters.')
  const hostile = `${'[^'.repeat(7_500)}\n${'[^a]:'.repeat(3_000)}`
  assert.ok(markdownToText(hostile).length > 0)
})

const shownTexts: [name: string, markdown: string, text: string][] = [
  [
    'emphasis',
    'A _kind_ of *old* __lamp__, not snake_case_name or 2 * 3 * 4, nor \\*this\\*.',
    'A kind of old lamp, not snake_case_name or 2 * 3 * 4, nor *this*.'
  ],
  [
    'tags, and what is none',
    'In <em class="x">red</em><br>ink, a List<Object> of 1 < 2.',
    'In red ink, a List<Object> of 1 < 2.'
  ],
  [
    'comments, scripts and styles',
    'Seen<!-- not\nthis -->. <script>var a = 1</script><style>p{}</style>Also.',
    'Seen . Also.'
  ],
  ['a comment that nothing ends', 'Seen.\n\n<!-- to the end', 'Seen.'],
  ['a table', '| Lamp | Price |\n|---|--:|\n| Brass | 10 |', 'Lamp Price Brass 10'],
  ['headings and rules', 'Head\n====\n\nOne\n\n* * *\n\n## Two', 'Head One Two'],
  [
    'links by label',
    'See [the chart][c], [b][d], [![a lamp](l.png)](/l) and <https://example.com/a>.\n\n[c]: https://example.com/chart "Chart"\n[Ada]: how are you?',
    'See the chart, [b][d], a lamp and https://example.com/a. [Ada]: how are you?'
  ],
  [
    'code as it is typed',
    '```python\n# a **b** <!-- c -->\n- d\n```\nand ``x ` _y_``, `<b>`',
    '# a **b** <!-- c --> - d and x ` _y_, <b>'
  ]
]
for (const [name, markdown, text] of shownTexts)
  test(`the text of a snippet is what the page shows: ${name}`, () => assert.equal(markdownToText(markdown), text))

test('no markdown takes long', () => {
  for (const piece of [
    '~',
    '<script',
    '<!--',
    '<a ',
    '[a][',
    '[a]: ',
    '*a',
    '_ ',
    '| ',
    '`a',
    '``` ',
    '- ',
    '<em',
    '\n<style>'
  ])
    assert.equal(typeof markdownToText(piece.repeat(Math.floor(snippetTextLength / piece.length))), 'string', piece)
})

const cases: [name: string, text: string, terms: string[], html: string][] = [
  ['accents are shown as they are', 'Un café, deux cafés.', ['cafe'], 'Un <mark>café</mark>, deux <mark>cafés</mark>.'],
  ['a sharp s is two letters', 'Die Straßenbahn fährt.', ['strassenbahn'], 'Die <mark>Straßenbahn</mark> fährt.'],
  [
    'whatever stands after it',
    'Groß & weiß: STRAẞE.',
    ['weiss', 'strass'],
    'Groß &amp; <mark>weiß</mark>: <mark>STRAẞE</mark>.'
  ],
  [
    'letters with strokes',
    'Z Łodzi do Łódź, øl.',
    ['lodz', 'ol'],
    'Z <mark>Łodzi</mark> do <mark>Łódź</mark>, <mark>øl</mark>.'
  ],
  [
    'letters that are two at the beginning',
    'Œuvre and Ælfred',
    ['oeuvr', 'aelfr'],
    '<mark>Œuvre</mark> and <mark>Ælfred</mark>'
  ],
  ['a stem that ends in e', 'Wading where we wade.', ['wade'], '<mark>Wading</mark> where we <mark>wade</mark>.'],
  [
    'a short one',
    'Using what they use, usual or not.',
    ['use'],
    '<mark>Using</mark> what they <mark>use</mark>, usual or not.'
  ],
  [
    'a stem for a y',
    'Happy or happily happen to fly.',
    ['happi', 'fli'],
    '<mark>Happy</mark> or <mark>happily</mark> happen to <mark>fly</mark>.'
  ],
  [
    'long endings',
    'Organizational capabilities, organizationaries.',
    ['organiz', 'capabl'],
    '<mark>Organizational</mark> <mark>capabilities</mark>, organizationaries.'
  ],
  [
    'a pictograph',
    'Rockets🚀 and 🚀, joy ☕.',
    ['🚀', '☕'],
    'Rockets<mark>🚀</mark> and <mark>🚀</mark>, joy <mark>☕</mark>.'
  ],
  ['a Cyrillic letter with dots', 'Ёжик в тумане.', ['ежик'], '<mark>Ёжик</mark> в тумане.'],
  ['full-width letters', 'Ｎｏｄｅ 24', ['node'], '<mark>Ｎｏｄｅ</mark> 24'],
  [
    'a short stem does not mark other words that begin with it',
    'Add an address while running and runes are adding up.',
    ['add', 'run'],
    '<mark>Add</mark> an address while <mark>running</mark> and <mark>runes</mark> are <mark>adding</mark> up.'
  ],
  [
    'a word inside another is not marked',
    'A cat in the catalogue of categories.',
    ['cat'],
    'A <mark>cat</mark> in the catalogue of categories.'
  ],
  ['a stem that lost its y is marked', 'Happy cities.', ['happi', 'citi'], '<mark>Happy</mark> <mark>cities</mark>.'],
  [
    'characters without blanks are marked together',
    '東京は日本の首都です',
    ['日', '本'],
    '東京は<mark>日本</mark>の首都です'
  ],
  ['no word found: its beginning', 'Short.', ['other'], 'Short.'],
  [
    'marks of expressions are no expressions',
    'What is a+b [this].*?',
    ['a+b', '.?', '['],
    'What is <mark>a+b</mark> [this].*?'
  ],
  ['nothing', '', ['word'], '']
]
for (const [name, text, terms, html] of cases) {
  test(`snippets: ${name}`, () => assert.equal(snippetOf(text, terms), html))
}

test('of many terms those that stand in a text are marked as of a few', () => {
  const absent = Array.from({ length: 200 }, (_, n) => `${String.fromCharCode(97 + (n % 26))}xq${n}`)
  for (const [name, text, terms, html] of cases) assert.equal(snippetOf(text, [...terms, ...absent]), html, name)
  const all = cases.flatMap(([, , terms]) => terms)
  const text = `${'x a '.repeat(200)}${cases.map(([, each]) => each).join(' ')}`
  const marked = (html: string) => Array.from(html.matchAll(/<mark>(.*?)<\/mark>/g), ([, word]) => word)
  for (const term of all.filter(each => each.length > 1)) {
    const alone = marked(snippetOf(text, [term]))
    assert.deepEqual(marked(snippetOf(text, [term, ...absent])), alone, term)
  }
})

test('no text makes markup, and no character is cut in half', () => {
  const hostile = `<script>alert(1)</script><img src=x onerror="1">&amp;'"`.repeat(30) + '🎉'.repeat(500)
  const snippet = snippetOf(hostile, ['script', 'alert'])
  assert.doesNotMatch(snippet.replaceAll('<mark>', '').replaceAll('</mark>', ''), /[<>"']/)
  assert.equal(snippetOf('🎉'.repeat(500), ['word']).isWellFormed(), true)
})
