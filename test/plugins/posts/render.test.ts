import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readingMinutes } from '../../../plugins/posts/reads/representation.ts'
import { render } from '../../../plugins/posts/rendering/render.ts'
import { markdownToText } from '../../../plugins/search/snippets/plain-text.ts'
import { createSnippets } from '../../../plugins/search/snippets/snippet.ts'

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe src="https://evil.example"></iframe>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](javascript:alert(1))',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<style>*{display:none}</style>',
  '<form action="https://evil.example"><input></form>',
  '<p style="position:fixed">x</p>',
  '<math><mtext></mtext><script>alert(1)</script></math>',
  '```"><script>alert(1)</script>\ncode\n```',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">'
]

test('the boxes of a task list say what is done', () => {
  assert.match(render('- [ ] To do\n- [x] Done').content_html, /<li>☐ To do<\/li>\s*<li>☑ Done<\/li>/)
})

for (const attack of attacks) {
  test(`rendered markdown carries nothing that runs: ${attack.split('\n')[0]}`, () => {
    const html = render(`Before.\n\n${attack}\n\nAfter.`).content_html
    assert.doesNotMatch(
      html,
      /<(script|iframe|svg|style|form|input|math|noscript)|<[^>]*\son\w+\s*=|<[^>]*(javascript|data):|<[^>]*style=/i
    )
  })
}

const tags: [what: string, markdown: string, html: string][] = [
  ['that HTML does not have', 'A Map<String, List<Int>>.', '<p>A Map&lt;String, List&lt;Int&gt;&gt;.</p>'],
  ['that HTML does not have, on a line of its own', '<Int>\n\nB', '<p>&lt;Int&gt;</p>\n<p>B</p>'],
  [
    'of a script without an end',
    'Put the <script> at the end.\n\nB',
    '<p>Put the &lt;script&gt; at the end.</p>\n<p>B</p>'
  ],
  ['of a title without an end', 'Set the <title>.\n\nB', '<p>Set the &lt;title&gt;.</p>\n<p>B</p>'],
  ['that begin a block without an end', '<style>\nA\n\nB', '<p>&lt;style&gt;\nA</p>\n<p>B</p>'],
  ['that only end', 'Close </script> & go on.', '<p>Close &lt;/script&gt; &amp; go on.</p>'],
  ['within a block of HTML', '<div>Use <script> here.</div>\n\nB', 'Use &lt;script&gt; here.<p>B</p>'],
  ['that never end', '<div>A <b class="\n\nB', 'A &lt;b class="<p>B</p>'],
  ['of a comment without an end', '<!-- A\n\nB', '<p>&lt;!-- A</p>\n<p>B</p>'],
  [
    'whose end is in code',
    'The <iframe> ends with `</iframe>`, *so*.',
    '<p>The &lt;iframe&gt; ends with <code>&lt;/iframe&gt;</code>, <em>so</em>.</p>'
  ],
  ['of words in angle brackets', 'Dear <your name>.', '<p>Dear &lt;your name&gt;.</p>'],
  ['of an option that nothing ends', 'An <option> is one.', '<p>An &lt;option&gt; is one.</p>']
]
for (const [what, markdown, html] of tags)
  test(`tags ${what} are text`, () => {
    assert.equal(render(markdown).content_html.trim(), html)
  })

test('scripts, elements and comments with an end are none of the text', () => {
  const markdown = '<!-- A -->\n\nB <script>alert(1)</script> <x-card>C</x-card> <https://x.example>'
  const link = '<a href="https://x.example" rel="noopener">https://x.example</a>'
  assert.equal(render(markdown).content_html.trim(), `<p>B  C ${link}</p>`)
})

const markup: [what: string, markdown: string, html: string, excerpt: string][] = [
  [
    'a script over blank lines in a block',
    '<figure>\n<script>\na\n\nb\n</script>\n</figure>\n\nC',
    '<figure>\n\n</figure><p>C</p>',
    'C'
  ],
  ['a component around paragraphs', '<Callout>\n\nA\n\n</Callout>\n\nB', '<p>A</p>\n<p>B</p>', 'A'],
  ['a component within another', '<Tabs>\n<Tab>\n\nA\n\n</Tab>\n</Tabs>', '<p>A</p>', 'A'],
  ['a component that ends in another paragraph', '<Callout>A\n\nB</Callout>', '<p>A</p>\n<p>B</p>', 'A'],
  ['a component without content', '<Script src="https://x.example" />\n\nB', '<p>B</p>', 'B'],
  ['an element of a namespace', '<p>A<o:p></o:p></p>\n\nB', '<p>A</p><p>B</p>', 'B'],
  ['a comment over blank lines in a block', '<div>\n<!-- a\n\nb -->\n</div>\n\nC', '<p>C</p>', 'C'],
  ['a script with a backtick', '<script>\n"`"\n</script>\n\nA ` b\n\n<script>c</script>', '<p>A ` b</p>', 'A ` b'],
  ['a component with values', 'A <Chart data={x} /> b', '<p>A  b</p>', 'A b'],
  [
    'an embedded page without its end before another',
    '<iframe src="https://x.example">\n\nB\n\n<iframe></iframe>',
    '<p>B</p>',
    'B'
  ]
]
for (const [what, markdown, html, excerpt] of markup)
  test(`${what} stays markup, which readers do not see`, () => {
    const rendered = render(markdown)
    assert.deepEqual([rendered.content_html.trim(), rendered.excerpt], [html, excerpt])
  })

test('a heading and an excerpt have the tags that are text', () => {
  const { excerpt, heading } = render('# The <script> element\n\nA List<Int>, <b>B</b> and C.')
  assert.deepEqual([heading, excerpt], ['The <script> element', 'A List<Int>, B and C.'])
})

const pictures: [what: string, markdown: string, html: string][] = [
  [
    'has an alternative text, empty where none is given',
    '<img src="/a.png">',
    '<img src="/a.png" alt="" loading="lazy" />'
  ],
  [
    'keeps its size in pixels',
    '<img src="/a.png" alt="A" width="640">',
    '<img src="/a.png" alt="A" width="640" loading="lazy" />'
  ],
  [
    'has no size that is none',
    '<img src="/a.png" alt="A" width="100%" height="9px">',
    '<img src="/a.png" alt="A" loading="lazy" />'
  ],
  ['without an address is its text', '![A & B](data:image/png;base64,AAAA)', 'A &amp; B'],
  ['without an address and a text is none', 'A ![](data:image/png;base64,AAAA)', 'A ']
]
for (const [what, markdown, html] of pictures)
  test(`a picture of a text ${what}`, () => {
    assert.equal(
      render(markdown)
        .content_html.trim()
        .replace(/^<p>(.*)<\/p>$/, '$1'),
      html
    )
  })

test('a leading H1 is the title and not part of the text', () => {
  const { content_html, excerpt, word_count } = render(
    '# A *title*\n\nFirst **words** here &amp; now.\n\n- one\n- two\n'
  )
  assert.equal(content_html.includes('<h1>'), false)
  assert.equal(excerpt, 'First words here & now.')
  assert.equal(word_count, 6)
  assert.equal(render('text\n\n# A *title* `x`\n').heading, 'A title x')
  assert.equal(render('## second level').heading, null)
})

const note = (at: number, text: string) =>
  `<li id="note-${at}">${text} <a href="#noteref-${at}" aria-label="Back to the text" rel="noopener">↩</a></li>`
const mark = (at: number, isFirst = true) =>
  `<sup class="ref"><a href="#note-${at}"${isFirst ? ` id="noteref-${at}"` : ''} rel="noopener">${at}</a></sup>`
const footnotes: [what: string, markdown: string, text: string, notes: string[]][] = [
  ['at the end', 'A[^1].\n\n[^1]: Note.', `<p>A${mark(1)}.</p>`, ['Note.']],
  [
    'in the order of their marks',
    'A[^b] b[^a].\n\n[^a]: One.\n[^b]: Two.',
    `<p>A${mark(1)} b${mark(2)}.</p>`,
    ['Two.', 'One.']
  ],
  ['with several marks', 'A[^1] b[^1].\n\n[^1]: Note.', `<p>A${mark(1)} b${mark(1, false)}.</p>`, ['Note.']],
  ['of one word', 'A[^1].\n\n[^1]: Mostly.', `<p>A${mark(1)}.</p>`, ['Mostly.']],
  [
    'whose paragraph has two lines',
    'A[^1].\n\n[^1]: One\nand *two*.\n## H',
    `<p>A${mark(1)}.</p>\n<h2>H</h2>`,
    ['One\nand <em>two</em>.']
  ],
  ['with two paragraphs', 'A[^1].\n\n[^1]: One.\n\n    Two.', `<p>A${mark(1)}.</p>`, ['<p>One.</p>\n<p>Two.</p>']],
  ['right after a paragraph', 'A[^1]\n[^1]: Note.', `<p>A${mark(1)}</p>`, ['Note.']],
  ['that nothing defines', 'A[^1].', '<p>A[^1].</p>', []],
  ['that nothing marks', 'A.\n\n[^1]: Note.', '<p>A.</p>', []],
  ['in code', '`[^1]` A[^1].\n\n[^1]: Note.', `<p><code>[^1]</code> A${mark(1)}.</p>`, ['Note.']],
  ['with an attack', 'A[^<b>].\n\n[^<b>]: x<script>alert(1)</script>', `<p>A${mark(1)}.</p>`, ['x']],
  [
    'with the ids of others',
    'A <a id="root">b</a>\n\n<li id="main">c</li>',
    '<p>A <a rel="noopener">b</a></p>\n<li>c</li>',
    []
  ]
]
for (const [what, markdown, text, notes] of footnotes)
  test(`footnotes ${what}`, () => {
    const list = notes.map((each, at) => note(at + 1, each)).join('\n')
    const section = `\n<section class="notes" aria-label="Footnotes"><ol>\n${list}\n</ol></section>`
    assert.equal(render(markdown).content_html.trim(), notes.length === 0 ? text : text + section)
  })

test('an excerpt, a heading and the number of words know nothing of footnote marks', () => {
  const { excerpt, heading, word_count } = render('# T[^1]\n\n[^1]: Not this.\n\nThe sea[^1] rises[^none].')
  assert.deepEqual([excerpt, heading, word_count], ['The sea rises[^none].', 'T', 6])
})

test('reading takes at least a minute', () => {
  assert.deepEqual([0, 200, 201].map(readingMinutes), [1, 1, 2])
})

test('an excerpt is cut between words', () => {
  const { excerpt } = render('lorem '.repeat(100))
  assert.match(excerpt, /^(lorem )*lorem…$/)
  assert.ok(excerpt.length <= 201)
})

test('a snippet is escaped text with marks and without markdown', () => {
  const text = '## Head\n\nSee [the docs](https://x.example "t") & \\<script> **bold** <script>x</script>'
  assert.equal(
    createSnippets(['doc'])(markdownToText(text)),
    'Head See the <mark>docs</mark> &amp; &lt;script&gt; bold'
  )
})
