import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readingMinutes } from '../../../plugins/posts/reads/representation.ts'
import { render } from '../../../plugins/posts/rendering/render.ts'
import { indexWords } from '../../../plugins/search/snippets/indexed-text.ts'
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

for (const attack of attacks) {
  test(`rendered markdown carries nothing that runs: ${attack.split('\n')[0]}`, () => {
    const html = render(`Before.\n\n${attack}\n\nAfter.`).content_html
    assert.doesNotMatch(
      html,
      /<(script|iframe|svg|style|form|input|math|noscript)|<[^>]*\son\w+\s*=|<[^>]*(javascript|data):|<[^>]*style=/i
    )
  })
}

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

test('reading takes at least a minute', () => {
  assert.deepEqual([0, 200, 201].map(readingMinutes), [1, 1, 2])
})

test('an excerpt is cut between words', () => {
  const { excerpt } = render('lorem '.repeat(100))
  assert.match(excerpt, /^(lorem )*lorem…$/)
  assert.ok(excerpt.length <= 201)
})

test('a snippet is escaped text with marks and without markdown', () => {
  const text = '## Head\n\nSee [the docs](https://x.example "t") & <script>**bold**</script>'
  assert.equal(
    createSnippets(['doc'])(indexWords(markdownToText(text))),
    'Head See the <mark>docs</mark> &amp; &lt;script&gt;bold&lt;/script&gt;'
  )
})
