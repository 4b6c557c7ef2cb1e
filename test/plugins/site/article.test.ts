import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { render } from '../../../plugins/posts/rendering/render.ts'
import { articleHtml, beginsWith } from '../../../plugins/site/article/article.ts'
import { colourBlocks } from '../../../plugins/site/article/colour-blocks.ts'

const articleOf = (markdown: string, basePath = '') => articleHtml(render(markdown).content_html, basePath)

describe('the text of a post', () => {
  test('links the numbers of its sources', () => {
    const text = articleOf('A [1] b [2] c [3] `[1]`.\n\n## Sources\n\n1. One\n2. [Two](https://example.org/2)\n')
    assert.match(
      text,
      /A <sup class="ref"><a href="#source-1">\[1\]<\/a><\/sup> b <sup class="ref"><a href="#source-2">/
    )
    assert.match(text, /c \[3\] <code>\[1\]<\/code>/)
    assert.match(text, /<ol>\s*<li id="source-1">One<\/li>\s*<li id="source-2">/)
  })

  test('has no links where there is no list of sources', () =>
    assert.doesNotMatch(articleOf('A [1].\n\n1. One\n'), /source-1/))

  test('puts footnotes at its end, each with a way back', () => {
    const text = articleOf(
      'B[^b] and A[^a-1] and B again[^b] and none[^c].\n\n[^a-1]: First *note*.\n[^b]: Second.\n\nMore.'
    )
    assert.match(text, /B<sup class="ref"><a href="#note-1" id="noteref-1"[^>]*>1<\/a><\/sup>/)
    assert.match(text, /B again<sup class="ref"><a href="#note-1"[^>]*>1<\/a><\/sup> and none\[\^c\]/)
    assert.match(text, /<li id="note-1">Second. <a href="#noteref-1" aria-label="Back to the text"[^>]*>/)
    assert.match(text, /<li id="note-2">First <em>note<\/em>\./)
    assert.ok(text.indexOf('More.') < text.indexOf('note-2">First'))
  })

  test('shows the items of a task list with their boxes alone', () => {
    const text = articleOf('- [ ] Ropes\n- [x] Oars\n- Sails\n')
    assert.match(text, /<li class="task">\s*☐ Ropes<\/li>\s*<li class="task">\s*☑ Oars<\/li>\s*<li>Sails<\/li>/)
    assert.match(articleOf('- [ ] Ropes\n\n- [x] Oars\n'), /<li class="task">\s*(?:<p>)?☐ Ropes/)
  })

  test('has headings that can be linked to, each by an id of its own', () => {
    const ids = [...articleOf('## Über *uns*\n\n## Über uns\n\n## 潮汐\n\n## !').matchAll(/id="([^"]*)"/g)]
    assert.deepEqual(
      ids.map(([, id]) => id),
      ['s-über-uns', 's-über-uns-2', 's-潮汐', 's-']
    )
  })

  const linked = [
    { heading: 'Part', link: 'part', id: 's-part' },
    { heading: 'What’s *new*?', link: 'whats-new', id: 's-what-s-new' },
    { heading: 'Über uns', link: '%C3%BCber-uns', id: 's-über-uns' },
    { heading: 'Node.js & co', link: 'nodejs--co', id: 's-node-js-co' },
    { heading: 'Part', link: 'other', id: 'other' },
    { heading: 'Part', link: '%zz', id: '%zz' }
  ]
  for (const { heading, link, id } of linked)
    test(`leads #${link} to the heading “${heading}” as #${id}`, () =>
      assert.match(articleOf(`[a](#${link})\n\n## ${heading}`), new RegExp(`<a href="#${id}"`)))

  test('leads a link to the first of headings that are alike, and leaves those to footnotes and sources', () => {
    const text = articleOf(
      '[a](#note-1) b[^1] [c](#part) [d](#part-1)\n\n## Part\n\n## Part\n\n## Note 1\n\n[^1]: One.'
    )
    assert.match(text, /<a href="#note-1"[^>]*>a<\/a>/)
    assert.match(text, /<a href="#s-part"[^>]*>c<\/a>/)
    assert.match(text, /<a href="#s-part-2"[^>]*>d<\/a>/)
  })

  test('leads a link by our own id without its beginning, where other systems have nothing by that name', () => {
    const long = 'Tides '.repeat(20).trim()
    const longId = 'tides-tides-tides-tides-tides-tides-tides-tides-tides-tides'
    const two = articleOf(`[a](#part-2) [b](#${longId})\n\n## Part\n\n## Part\n\n## ${long}`)
    assert.match(two, /<a href="#s-part-2"[^>]*>a<\/a>/)
    assert.match(two, new RegExp(`<a href="#s-${longId}"[^>]*>b</a>`))
    assert.match(two, new RegExp(`<h2 id="s-${longId}">`))
    const three = articleOf('[a](#part-2)\n\n## Part\n\n## Part\n\n## Part')
    assert.match(three, /<a href="#s-part-3"[^>]*>a<\/a>/)
  })

  test('has wide parts that scroll by themselves, and pictures that load late', () => {
    const text = articleOf('| a |\n|---|\n| b |\n\n```\nx\n```\n\n![](https://example.org/a.png)')
    assert.match(text, /<div class="scroll" tabindex="0"><table>[\s\S]*<\/table><\/div>/)
    assert.match(text, /<pre tabindex="0">/)
    assert.match(text, /<img decoding="async"[^>]* loading="lazy"/)
  })

  test('has no heading of a column without words, and no link without a name', () => {
    const table = articleOf('| | b |\n|---|:-:|\n| 1 | 2 |')
    assert.match(table, /<tr>\s*<td><\/td>\s*<th align="center">b<\/th>/)
    assert.doesNotMatch(articleOf('| | |\n|---|---|\n| 1 | 2 |'), /<thead>|<th/)
    const link = (alt: string) => articleOf(`[![${alt}](/a.png)](https://example.org/b/a_picture.jpg?w=1)`)
    assert.match(link(''), /<a href="[^"]*"[^>]* aria-label="a_picture"><img/)
    assert.doesNotMatch(link('A tide'), /aria-label/)
    assert.doesNotMatch(articleOf('<a href="https://example.org/a"><img alt="A tide" src="/a.png"></a>'), /aria-label/)
  })

  test('links to the site where it lies under a path', () => {
    const text = articleOf('[a](/posts/b) [c](//example.org) [d](https://example.org/e)', '/blog')
    assert.match(text, /href="\/blog\/posts\/b"/)
    assert.doesNotMatch(text, /\/blog\/\//)
  })

  test('is known to begin with an excerpt made from it', () => {
    const { content_html, excerpt } = render(`# T\n\nFirst *words* & more. ${'Word '.repeat(80)}\n\nNext.`)
    assert.equal(beginsWith(content_html, excerpt), true)
    assert.equal(beginsWith(content_html, 'Another.'), false)
    const noted = render('First[^1] words.\n\n[^1]: A note.')
    assert.equal(beginsWith(noted.content_html, noted.excerpt), true)
  })
})

describe('code', () => {
  test('is coloured in a language that is known, and stays as it is in any other', () => {
    const [sql, unknown, script] = colourBlocks(
      JSON.stringify([
        ['sql', 'select &lt;1&gt;'],
        ['klingon', 'a &lt; b'],
        ['html', '&lt;script&gt;alert(1)&lt;/script&gt;']
      ])
    )
    assert.equal(
      sql,
      '<span class="hljs-keyword">select</span> <span class="hljs-operator">&lt;</span><span class="hljs-number">1</span><span class="hljs-operator">&gt;</span>'
    )
    assert.equal(unknown, 'a &lt; b')
    assert.doesNotMatch(script ?? '', /<(?!\/?span)/)
  })
})
