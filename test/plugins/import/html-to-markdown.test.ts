import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlToMarkdown } from '../../../plugins/import/conversion/html-to-markdown.ts'
import { readHtmlFile } from '../../../plugins/import/markdown/read-file.ts'
import { render } from '../../../plugins/posts/rendering/render.ts'

// What another system shows as text is shown as text here: none of it becomes markup of markdown.
const texts = [
  'Use the &lt;script&gt; tag',
  'Set the &lt;title&gt; of a page, &lt;/title&gt;',
  'Map&lt;String, List&lt;Int&gt;&gt; where 3 &lt; 5',
  'Wrap it in a &lt;div class=a&gt;',
  '&lt;!-- no comment --&gt; &lt;?php',
  'Write &amp;lt; or &amp;nbsp; or &amp;#65; for AT&amp;T',
  '~~not~~ struck ~out~',
  'back\\~~slash~~ \\&lt;b&gt;',
  '~~~',
  '1) no list',
  '1. no list',
  '1986.',
  '# no heading',
  '*no* _emphasis_ `no code` [no](link)'
]
for (const text of texts)
  test(`text stays text: ${text}`, () => {
    const { markdown } = htmlToMarkdown(`<p>${text}</p><p>After</p>`)
    assert.equal(render(markdown).content_html, `<p>${text}</p>\n<p>After</p>\n`)
  })

for (const [html, expected] of [
  [
    '&lt;a href="https://x.example/z"&gt;link&lt;/a&gt;',
    '&lt;a href="<a href="https://x.example/z" rel="noopener">https://x.example/z</a>"&gt;link&lt;/a&gt;'
  ],
  [
    '&lt;https://x.example/z&gt; (see https://x.example/y), or https://x.example.',
    '&lt;<a href="https://x.example/z" rel="noopener">https://x.example/z</a>&gt; (see <a href="https://x.example/y" rel="noopener">https://x.example/y</a>), or <a href="https://x.example" rel="noopener">https://x.example</a>.'
  ],
  ['~<b>not</b>~', '~<strong>not</strong>~']
] as const)
  test(`addresses and tildes beside others stay what they are: ${html}`, () => {
    assert.equal(render(htmlToMarkdown(`<p>${html}</p>`).markdown).content_html.trim(), `<p>${expected}</p>`)
  })

// Markdown ends emphasis, code and addresses by what stands beside them. The elements do not.
for (const [html, expected = html] of [
  ['<strong>Note:</strong>that'],
  ['<strong>注意：</strong>内容'],
  ['un<em>believ</em>able'],
  ['a<strong>b</strong><strong>c</strong>'],
  ['<em>a</em><strong>b</strong>'],
  ['x<strong><em>(a)</em> b</strong>y'],
  ['<del>no:</del>yes'],
  ['<b>a <b>b</b></b>', '<strong>a b</strong>'],
  ['<code>a</code><code>b</code>'],
  ['<code>f(<em>x</em>)</code>', '<code>f(x)</code>'],
  [
    '<code><a href="https://x.example/f">f</a></code>',
    '<a href="https://x.example/f" rel="noopener"><code>f</code></a>'
  ],
  ['a<code>`b` c</code>d'],
  ['<sup>2*3*4</sup> and <kbd>&lt;b&gt;</kbd>'],
  ['Look!<a href="https://x.example/a">here</a>', 'Look!<a href="https://x.example/a" rel="noopener">here</a>'],
  ['<a href="https://x.example/a">^1</a>', '<a href="https://x.example/a" rel="noopener">^1</a>'],
  ['www.x.example<strong>b</strong>'],
  [
    'https://x.example/a<strong>b</strong>',
    '<a href="https://x.example/a" rel="noopener">https://x.example/a</a><strong>b</strong>'
  ],
  [
    'a<b><img src="https://x.example/a.png" alt="(p)" /></b>b',
    'a<strong><img src="https://x.example/a.png" alt="(p)" loading="lazy" /></strong>b'
  ],
  ['<b>x<br><br>y</b>z', 'x  </p>\n<p>yz'],
  ['#'],
  ['+']
] as const)
  test(`elements of a line begin and end where they do: ${html}`, () => {
    assert.equal(render(htmlToMarkdown(`<p>${html}</p>`).markdown).content_html.trim(), `<p>${expected}</p>`)
  })

test('a tag whose sign and name are in elements of their own stays text', () => {
  const { markdown } = htmlToMarkdown('<p>&lt;<span>script</span>&gt; and &lt;<b>b</b>&gt;</p>')
  assert.equal(render(markdown).content_html.trim(), '<p>&lt;script&gt; and &lt;<strong>b</strong>&gt;</p>')
})

const tiny = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
for (const [html, expected] of [
  [
    `<img src="${tiny}" data-src="https://a.example/p(1).png" alt="a*b*"><noscript><img src="https://a.example/n.png"></noscript>`,
    '![a\\*b\\*](https://a.example/p\\(1\\).png)'
  ],
  [`<img data-lazy-src="/p.png" src="https://a.example/1x1.trans.gif">`, '![](/p.png)'],
  [
    '<img src="/lazy/blank.gif?x" data-srcset="https://a.example/s.png 300w, https://a.example/l.png 900w">',
    '![](https://a.example/s.png)'
  ],
  [
    `<img class="lazyload" src="${tiny}"> <noscript><img src="https://a.example/n.png"></noscript>`,
    '![](https://a.example/n.png)'
  ],
  [`<p>a</p><img class="lazyload" src="${tiny}">`, 'a'],
  [`<img src="${tiny}" alt="own">`, `![own](${tiny})`],
  ['<img src="https://a.example/p-300x200.png" data-src="x">', '![](https://a.example/p-300x200.png)'],
  ['<img src="/pixel-art.png" alt="own">', '![own](/pixel-art.png)']
] as const)
  test(`a picture has its own address, and not that of its placeholder: ${html}`, () => {
    assert.deepEqual(htmlToMarkdown(html), { markdown: expected, elements: [] })
  })

test('the head of a whole document is no part of its text, and has its title', () => {
  const head = '<head><meta charset="utf-8"><title>Doc &amp; title</title></head>'
  const document = `<!doctype html><html>${head}<body><h1>Head</h1><p>a</p></body></html>`
  assert.deepEqual(htmlToMarkdown(document), { markdown: '# Head\n\na', elements: [] })
  assert.equal(readHtmlFile(document).fields.title, 'Doc & title')
  assert.equal(readHtmlFile(`---\ntitle: Own\n---\n${document}`).fields.title, 'Own')
  assert.equal(readHtmlFile('<svg><title>Picture</title></svg>').fields.title, undefined)
})

// What no browser showed was read by nobody.
for (const [html, markdown, elements] of [
  ['<p>a</p><div hidden>secret</div><p>b &lt;i&gt;</p>', 'a\n\nb \\<i>', ['hidden div']],
  ['<p style="color: red; display : none">secret</p>c', 'c', ['hidden p']],
  ['a<span style="visibility:hidden">secret</span>', 'a', ['hidden span']],
  [
    '<details><summary>a</summary><b hidden>secret</b></details>',
    '<details><summary>a</summary></details>',
    ['hidden b']
  ],
  ['<pre>a<span hidden="">secret</span></pre>', '```\na\n```', ['hidden span']],
  ['<dialog><p>secret</p></dialog>d', 'd', ['hidden dialog']],
  ['<div class="x"hidden>secret</div>f', 'f', ['hidden div']],
  ['<p style="display&#58; none">secret</p>g', 'g', ['hidden p']],
  ['<p style="display/* not yet */:none">secret</p>h', 'h', ['hidden p']],
  ['<p style="color:red/* display:none">shown</p>h', 'shown\n\nh', []],
  // A browser ends the paragraph where these begin.
  ['<p><dialog>secret</p>\n<p>secret</dialog></p>i', 'i', ['hidden dialog']],
  ['<p><center hidden>secret</p>\n<p>secret</center></p>j', 'j', ['hidden center']],
  ['<a id="x" style="display:none"></a>e', 'e', []],
  ['<p><font style="display:none">a<center>secret</center></font></p>k', 'k', ['hidden font']],
  ['<p><i>l</i> <b>m</b><dialog>secret</p><p>secret</dialog></p>n', '*l* **m**\n\nn', ['hidden dialog']],
  ['<p><object hidden><center>secret</center></object></p>o', 'o', ['hidden object']],
  ['<div hidden="until-found">f</div> a hidden gem', 'f\n\na hidden gem', []],
  ['<img style="display:none" data-src="/g.jpg"> a', '![](/g.jpg) a', []]
] as const)
  test(`what was hidden is left out: ${html}`, () => {
    assert.deepEqual(htmlToMarkdown(html), { markdown, elements })
  })

test('the caption of a table stands above it', () => {
  const { markdown } = htmlToMarkdown(
    '<table class="a"><caption>By <b>month</b></caption><tr><th>May</th></tr><tr><td>1</td></tr></table>'
  )
  assert.match(markdown, /^By \*\*month\*\*\n\n\| May +\|\n\| -+ \|\n\| 1 +\|$/)
})
