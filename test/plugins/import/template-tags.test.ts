import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lexicalHtml } from '../../../plugins/import/ghost/lexical.ts'
import { mobiledocHtml } from '../../../plugins/import/ghost/mobiledoc.ts'
import { readHtmlFile, readMarkdownFile, readMdxFile } from '../../../plugins/import/markdown/read-file.ts'
import { withPictureUrls } from '../../../plugins/import/staging/picture-number.ts'
import { htmlOf } from '../../../plugins/import/wordpress/classic-text.ts'
import { withoutShortcodes } from '../../../plugins/import/wordpress/shortcodes.ts'
import { render } from '../../../plugins/posts/rendering/render.ts'
import { articleHtml } from '../../../plugins/site/article/article.ts'

describe('headings with ids of Hugo and kramdown', () => {
  const textOf = (body: string) => readMarkdownFile(`---\ntitle: T\n---\n${body}`).body
  const cases: [string, string, string][] = [
    ['at its end', '## Custom {#cid}\n\n[x](#cid)', '## Custom\n\n[x](#custom)'],
    ['with more attributes', '## A *b* {: .note #cid} ##\n\n[x]: #cid', '## A *b*\n\n[x]: #a-b'],
    ['in the line below', '## Custom\n{: #cid}\n\n[x](#cid "t")', '## Custom\n\n\n[x](#custom "t")'],
    ['with an underline', 'Custom {#cid}\n---\n\n<a href="#cid">x</a>', 'Custom\n---\n\n<a href="#custom">x</a>'],
    ['of several', '## A\n\n## A {#cid}\n\n[x](#cid) [y](#a)', '## A\n\n## A\n\n[x](#a-1) [y](#a)'],
    ['in code', '```\n## A {#cid}\n```\n\n## B {#b}', '```\n## A {#cid}\n```\n\n## B'],
    ['in indented code', '    # A {#a}\n\n    B {#b}\n---\n\n## C {#c}', '    # A {#a}\n\n    B {#b}\n---\n\n## C'],
    ['in a quote', '>  > ## A {#a}\n\n   ## B {#b}', '>  > ## A\n\n   ## B'],
    ['of none', '## A {b}\n\nText {#cid}', '## A {b}\n\nText {#cid}']
  ]
  for (const [what, body, expected] of cases)
    test(`an id ${what} is not shown, and its links name ours`, () => assert.equal(textOf(body), expected))

  /** The words of the headings that links of a post lead to on its page. */
  function targetsOf(body: string): (string | undefined)[] {
    const page = articleHtml(render(textOf(body)).content_html, '')
    const words = new Map(
      [...page.matchAll(/<h\d id="([^"]*)">(.*?)<\/h\d>/g)].map(([, id = '', inner = '']) => [
        id,
        inner.replace(/<[^>]*>/g, '')
      ])
    )
    return [...page.matchAll(/<a href="#([^"]*)"/g)].map(([, id = '']) => words.get(id) && `${id}: ${words.get(id)}`)
  }
  const long = 'Été '.repeat(30).trim()
  const longId = 's-été-été-été-été-été-été-été-été-été-été-été-été-été-été-été'
  const followed: [string, string, string[]][] = [
    ['to one with marks', '## Sea: [a *b*](/c_d) `x_y` {#c}\n\n[x](#c)', ['s-sea-a-b-x-y: Sea: a b x_y']],
    ['to the second', '## Intro\n\n## Intro {#two}\n\n[x](#two) [y](#intro)', ['s-intro-2: Intro', 's-intro: Intro']],
    ['to the second of three', '## A\n\n## A {#b}\n\n## A {#c}\n\n[x](#b) [y](#c)', ['s-a-2: A', 's-a-3: A']],
    ['to a long one', `## ${long} {#c}\n\n[x](#c)`, [`${longId}: ${long}`]],
    [
      'to long ones with one beginning',
      `## ${long} one {#a}\n\n## ${long} two {#b}\n\n## ${long} two {#c}\n\n[x](#a) [y](#b) [z](#c)`,
      [`${longId}: ${long} one`, `${longId}-2: ${long} two`, `${longId}-3: ${long} two`]
    ]
  ]
  for (const [what, body, targets] of followed)
    test(`a link ${what} leads there on the page of the post`, () => assert.deepEqual(targetsOf(body), targets))
})

describe('what a generator of sites would have replaced', () => {
  const cases: [string, string, string][] = [
    ['a figure of Hugo', '{{< figure src="a b.jpg" alt="A" caption="Sea" >}}', '![A](<a b.jpg>)\n\n*Sea*\n'],
    ['a linked one', '{{< figure src="a.jpg" link="/b" />}}', '[![](<a.jpg>)](</b>)'],
    [
      'a film',
      '{{< youtube dQw4 >}} {{< vimeo id="12" >}}',
      '<https://www.youtube.com/watch?v=dQw4> <https://vimeo.com/12>'
    ],
    ['code of Hugo', '{{< highlight go "linenos=table" >}}\nx{{y}}\n{{< /highlight >}}', '~~~go\nx{{y}}\n~~~'],
    ['code of Jekyll', '{% highlight ruby linenos %}\nx\n{% endhighlight %}', '~~~ruby\nx\n~~~'],
    ['code of Hexo', '{% codeblock lang:js %}\nx\n{% endcodeblock %}', '~~~js\nx\n~~~'],
    ['a shown shortcode', '`{{</* figure */>}}`', '`{{< figure >}}`'],
    ['the address of the site', '![a]({{ site.baseurl }}/b.png)', '![a](/b.png)'],
    ['a filtered path', `![a]({{ '/b.png' | relative_url }})`, '![a](/b.png)'],
    ['attributes of kramdown', 'a\n{: .note}\n\n* TOC\n{:toc}\n\nb', 'a\n\n\n\n\nb'],
    ['a picture of Hexo', '{% asset_img b.png The sea %}', '![The sea](b.png)'],
    ['the end of an excerpt', 'a\n<!--more-->\nb', 'a\n\nb'],
    ['a comment of Liquid', 'a{% comment %}\n```\nsecret\n```\n{%- endcomment -%}b', 'ab'],
    ['a comment in one line', 'a{% # secret %}b', 'ab'],
    ['a comment of Hugo', 'c{{% comment %}}d{{% /comment %}}', 'c'],
    ['what is a comment in templates of Hugo only', 'a{{/* b */}}c', 'a{{/* b */}}c'],
    [
      'what is raw',
      '{% raw %}{{ site.baseurl }} {% comment %}{% endraw %} {{ site.baseurl }}/',
      '{{ site.baseurl }} {% comment %} /'
    ],
    ['raw code', '{% raw %}\n```\n{{ x }}\n```\n{% endraw %}\n', '\n```\n{{ x }}\n```\n\n'],
    [
      'raw code of Jekyll',
      '{% highlight html %}\n{% raw %}<p>{{ x }}</p>{% endraw %}\n{% endhighlight %}',
      '~~~html\n<p>{{ x }}</p>\n~~~'
    ],
    [
      'code in a list',
      '- a\n\n  {% highlight html %}\n  <!-- b -->\n  {% endhighlight %}',
      '- a\n\n  ~~~html\n  <!-- b -->\n  ~~~'
    ],
    ['code at the margin', '- a\n  {{< highlight c >}}\nb\n  {{< /highlight >}}', '- a\n~~~c\nb\n~~~'],
    ['code with a fence', '{% highlight md %}\n~~~\na\n~~~\n{% endhighlight %}', '~~~~md\n~~~\na\n~~~\n~~~~'],
    [
      'code that shows tags of code',
      '{% raw %}\n~~~\n{% highlight c %}\na\n{% endhighlight %}\n~~~\n{% endraw %}',
      '\n~~~\n{% highlight c %}\na\n{% endhighlight %}\n~~~\n'
    ],
    [
      'code in a fence of a list',
      '1. a\n\n    ```html\n    {% comment %}\n\n    <!-- b --> {% endcomment %}\n    ```\n\n2. c',
      '1. a\n\n    ```html\n    {% comment %}\n\n    <!-- b --> {% endcomment %}\n    ```\n\n2. c'
    ],
    ['nothing in code', '```\n{{ site.baseurl }}{% raw %}\n```\n', '```\n{{ site.baseurl }}{% raw %}\n```\n']
  ]
  for (const [what, body, expected] of cases)
    test(`${what} becomes markdown`, () => {
      const { body: text, hasTags } = readMarkdownFile(`---\ntitle: T\n---\n${body}`)
      assert.deepEqual([text, hasTags], [expected, false])
    })
  test('what nobody knows stays, and is said', () => {
    const { body, hasTags } = readMarkdownFile('{{< chart 3 >}} {% include x.html %}')
    assert.deepEqual([body, hasTags], ['{{< chart 3 >}} {% include x.html %}', true])
  })
  const pages: [string, string, string][] = [
    ['a comment', '<p>a</p>{% comment %}<p>{% highlight c %}secret</p>{% endcomment %}', '<p>a</p>'],
    [
      'what is raw',
      '<pre>{% raw %}{{ site.baseurl }}/x {{ page.title }} {% post_url 2020-06-05-low %}{% endraw %}</pre>',
      '<pre>{{ site.baseurl }}/x {{ page.title }} {% post_url 2020-06-05-low %}</pre>'
    ],
    [
      'raw code',
      '{% highlight html %}\r\n{% raw %}<p>{{ x }}</p>{% endraw %}\r\n{% endhighlight %}',
      '<pre><code class="language-html">&lt;p>{{ x }}&lt;/p>\r\n</code></pre>'
    ]
  ]
  for (const [what, body, expected] of pages)
    test(`${what} in a post of HTML is what Jekyll makes of it`, () => {
      const { body: text, hasTags } = readHtmlFile(`---\ntitle: T\n---\n${body}`)
      assert.deepEqual([text, hasTags], [expected, false])
    })
  test('ticks in a post of HTML are no code', () => {
    assert.equal(readHtmlFile('<p>a ` b {% if page.open %}secret{% endif %} ` c</p>').hasHidingBlock, true)
    assert.equal(readMarkdownFile('a `{% if page.open %}`').hasHidingBlock, false)
  })
  test('a block that nothing ends hides nothing', () => {
    const shown = 'The tag `{% comment %}` begins.\n\nWords.\n\n`{% endcomment %}` ends it.'
    assert.equal(readMarkdownFile(shown).body, shown)
    const { body, hasTags } = readMarkdownFile('a {% comment %} b {{/* c {% raw %}d')
    assert.deepEqual([body, hasTags], ['a {% comment %} b {{/* c d', true])
  })
  test('tags of code in raw text, or without an end, are text', () => {
    const shown = '{% highlight c %}\na\n{% endhighlight %}\n'
    assert.equal(readMarkdownFile(`{% raw %}\n${shown}{% endraw %}`).body, `\n${shown}`)
    assert.equal(readMarkdownFile('{% highlight c %}\n\nWords.').body, '{% highlight c %}\n\nWords.')
  })
  const hostile = [
    '    ```\n',
    '    ```a\n',
    '{% highlight a %}\n',
    '{% comment %}',
    '{{/*',
    '{% raw %}',
    '*/}}',
    '{% endraw %}{% comment %}',
    '{%      ',
    '{/*',
    '{#',
    '<!--',
    '`<!--',
    '{::comment}{:/'
  ]
  test('a hostile text ends', () => {
    for (const text of hostile)
      for (const read of [readMarkdownFile, readMdxFile])
        for (const end of ['', '*/ x']) assert.ok(read(`${text.repeat(60_000)}${end}`).body.length >= 0, text)
  })
  test('imports of MDX are left out, and those in code stay', () => {
    const { body } = readMdxFile(
      "---\nTitle: T\n---\nimport A from './a'\nexport const b = {\n  c: 1\n}\n\nText\n\n```js\nimport x from 'y'\n```\n"
    )
    assert.equal(body.trim(), "Text\n\n```js\nimport x from 'y'\n```")
    const prose = 'We had to\nimport goods, and\nexport const ideas.\n\nimport it all.\n\nexport default'
    assert.equal(readMdxFile(`import A, { B } from 'a'\n\nexport * from 'b'\r\n\r\n${prose}`).body.trim(), prose)
  })
  const hidden: [string, string, string][] = [
    [
      'in a link that nothing names',
      'a\n\n[//]: # (secret)\n[comment]: <> "secret"\n\n[x]: # (b)',
      'a\n\n\n\n\n[x]: # (b)'
    ],
    ['in a list', '1.  a\n\n    <!-- secret -->\n\n2.  b', '1.  a\n\n\n\n2.  b'],
    ['of HTML', 'a <!-- secret --> b\n\n<!--\n```\nsecret\n\n```\n-->\nc', 'a  b\n\n\nc'],
    ['of kramdown', 'a{::comment}x{:/comment}\n\n{::comment}\n```\nsecret\n```\n{:/}\nb', 'a\n\n\nb'],
    ['between code', 'a `b` {% comment %} don`t {% endcomment %}`c`', 'a `b` `c`'],
    ['at which Docusaurus cuts the text', 'a\n\n{/* truncate */}\n\nb', 'a\n\n\n\nb']
  ]
  for (const [what, body, expected] of hidden)
    test(`a comment ${what} is left out`, () => {
      const { mayHaveComment, ...read } = readMarkdownFile(body)
      assert.deepEqual([read.body, mayHaveComment], [expected, false])
    })
  test('a comment of MDX is left out', () => {
    const { body, mayHaveComment } = readMdxFile('a {/* secret\n\n */}b\n\n```jsx\n{/* c */}\n```\n\n`{/* d */}`')
    assert.deepEqual([body, mayHaveComment], ['a b\n\n```jsx\n{/* c */}\n```\n\n`{/* d */}`', false])
  })
  test('a comment of MDX is what braces hold alone', () => {
    const value = '<A b={/* default */ 1} c={{ d: 1 /* e */ }} f={{/* g */}} />\n\nText.'
    const { body } = readMdxFile(`${value}\n\n{ /* secret */ }\n{\n  // secret\n  /* } */\n}\n\n{/* no end`)
    assert.equal(body, `${value}\n\n\n\n\n{/* no end`)
  })
  test('what shows a comment stays', () => {
    for (const shown of [
      '`<!-- a -->` and ``{% comment %}`` `{::comment}b{:/comment}`, `{# c #}` and `%%d%%`',
      '    <!-- in code -->\n\n> ```\n> <!-- quoted -->\n> ```',
      'An arrow --> and <!-- no end.\n\n{::comment} and 50%% of it {#id}',
      '<!--\nNothing ends it.',
      '1. a\n\n<!-- -->\n\n1. b',
      '```\n[//]: # (shown)\n```'
    ]) {
      const { body, mayHaveComment } = readMarkdownFile(shown)
      assert.deepEqual([body, mayHaveComment], [shown, false])
    }
  })
  test('what is a comment for some generators is said', () => {
    for (const text of [
      'a {# secret #} b',
      'a\n%%\nsecret\n\n%%\nb',
      'a {/* secret */}',
      '`b` {#- c -#} `d`',
      '%%\n```\nx\n```\n%%'
    ]) {
      const { body, mayHaveComment } = readMarkdownFile(text)
      assert.deepEqual([body, mayHaveComment], [text, true])
    }
  })
  test('front matter is taken without its first fence, and with names of any case', () => {
    assert.deepEqual(readMarkdownFile('Title: Tides\ndate: 2020-01-02\n---\nText').fields, {
      title: 'Tides',
      date: '2020-01-02'
    })
    assert.deepEqual(readMarkdownFile('Note: a text\n\n---\n\nmore').fields, {})
  })
})

test('shortcodes of WordPress become elements, and galleries their pictures', () => {
  const text = (source: string) => withoutShortcodes(source, '7').trim()
  assert.equal(
    text('[caption id="a" width="3"]<a href="b"><img src="c.png" /></a> The <em>sea</em>[/caption]'),
    '<figure><a href="b"><img src="c.png" /></a><figcaption>The <em>sea</em></figcaption></figure>'
  )
  assert.equal(
    text('[embed]https://video.example/1[/embed]'),
    '<a href="https://video.example/1">https://video.example/1</a>'
  )
  assert.equal(
    text('[audio mp3="https://a.example/b.mp3"]'),
    '<a href="https://a.example/b.mp3">https://a.example/b.mp3</a>'
  )
  assert.equal(
    text('[sourcecode language="js"]a < b[/sourcecode]'),
    '<pre><code class="language-js">a < b</code></pre>'
  )
  assert.equal(text('[audio javascript:alert(1)] [caption'), '[audio javascript:alert(1)] [caption')
  const urls: Readonly<Record<string, string[]>> = { 1: ['https://x/1.png'], 'of-7': ['https://x/2.png'] }
  const shown = (source: string) => withPictureUrls(text(source), name => urls[name] ?? []).trim()
  assert.equal(shown('[gallery ids="1,99,x"]').trim(), '<p><img src="https://x/1.png" alt=""></p>')
  assert.equal(shown('[gallery]'), '<p><img src="https://x/2.png" alt=""></p>')
})

test('a classic text is divided at empty lines and around blocks', () => {
  assert.equal(
    htmlOf('<p>a</p>\n\nb\nc\n<ul>\n<li>d</li>\n</ul>\ne <hr /> f\n\n<pre>g\n\nh</pre>').replace(/\n+/g, '\n'),
    '<p>a</p>\n<p>b<br>\nc</p>\n<ul>\n<li>d</li>\n</ul>\n<p>e</p>\n<hr />\n<p>f</p>\n<pre>g\nh</pre>\n'
  )
})

test('documents of Ghost’s editors become HTML', () => {
  const mobiledoc = {
    version: '0.3.1',
    atoms: [['soft-return', '', {}]],
    cards: [
      ['image', { src: '/a.png', alt: '"x"', caption: 'C' }],
      ['code', { code: 'a<b', language: 'js' }],
      ['markdown', { markdown: '# <M>' }]
    ],
    markups: [['strong'], ['a', ['href', 'https://x.example/']]],
    sections: [
      [1, 'h2', [[0, [], 0, 'Why <']]],
      [
        1,
        'p',
        [
          [0, [0, 1], 2, 'b'],
          [1, [], 0, 0],
          [0, [], 0, 'c']
        ]
      ],
      [3, 'ul', [[[0, [], 0, 'd']]]],
      [10, 0],
      [10, 1],
      [10, 2],
      [99, 0]
    ]
  }
  assert.equal(
    mobiledocHtml(JSON.stringify(mobiledoc))?.trim(),
    '<h2>Why &lt;</h2>\n<p><strong><a href="https://x.example/">b</a></strong><br>c</p>\n<ul><li>d</li></ul>\n<figure><img src="/a.png" alt="&quot;x&quot;"><figcaption>C</figcaption></figure>\n<pre><code class="language-js">a&lt;b</code></pre>\n<pre data-markdown># &lt;M&gt;</pre>'
  )
  const lexical = {
    root: {
      children: [
        { type: 'heading', tag: 'h3', children: [{ type: 'text', text: 'Why', format: 0 }] },
        {
          type: 'paragraph',
          children: [
            { type: 'extended-text', text: 'b<', format: 3 },
            { type: 'link', url: '/x"', children: [{ type: 'text', text: 'c' }] }
          ]
        },
        { type: 'list', listType: 'number', children: [{ type: 'listitem', children: [{ type: 'text', text: 'd' }] }] },
        { type: 'gallery', images: [{ src: '/a.png' }, { src: '/b.png' }] },
        { type: 'bookmark', url: 'https://x.example/', metadata: { title: 'X' } }
      ]
    }
  }
  assert.equal(
    lexicalHtml(JSON.stringify(lexical)),
    '<h3>Why</h3>\n<p><em><strong>b&lt;</strong></em><a href="/x&quot;">c</a></p>\n<ol><li>d</li></ol>\n<figure><img src="/a.png" alt=""></figure>\n<figure><img src="/b.png" alt=""></figure>\n<p><a href="https://x.example/">X</a></p>'
  )
  for (const broken of ['', '{}', '[]', '{"root": 3}', '{"sections": 3}']) {
    assert.equal(lexicalHtml(broken), null)
    assert.equal(mobiledocHtml(broken), null)
  }
})
