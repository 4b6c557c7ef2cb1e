import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { ghostExport, ghostPost, wordpressExport, wordpressItem, wordpressMeta } from './exports.ts'
import { notesOf, useImports } from './importing.ts'

const { service, folderOf, fileOf, run, importOf, importExport, postOf } = useImports()

const refusalOf = async (system: string, content: string | Uint8Array) => {
  const { status, err } = await run(system, fileOf(content))
  assert.equal(status, 2)
  return err
}
const postCount = async () => (await service().db.query('select from posts')).length

describe('galley import ghost', () => {
  const data = {
    posts: [
      ghostPost({
        id: 'p1',
        slug: 'tides',
        title: 'Tides & <i>moons</i>',
        html: '<!--kg-card-begin: html--><h2>Why</h2><p>See <a href="__GHOST_URL__/moss/">moss</a>.</p><figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://example.org/sea"><div class="kg-bookmark-content"><div>The sea</div></div></a></figure><iframe src="https://video.example/1"></iframe>',
        custom_excerpt: 'About tides'
      }),
      ghostPost({ id: 'p2', slug: 'paid', title: 'Paid', html: '<p>For members</p>', visibility: 'paid' }),
      ghostPost({
        id: 'p3',
        slug: 'draft',
        title: 'Draft',
        html: '<p>Not yet</p>',
        status: 'draft',
        published_at: null
      }),
      ghostPost({ id: 'p4', slug: 'about', title: 'About', html: '<p>Us</p>', type: 'page' }),
      ghostPost({ id: 'p5', slug: 'bare', title: 'Bare', html: null, plaintext: null })
    ],
    tags: [
      { id: 't1', name: 'Science', slug: 'science', visibility: 'public' },
      { id: 't2', name: 'Sea', slug: 'sea', visibility: 'public' },
      { id: 't3', name: '#wide', slug: 'hash-wide', visibility: 'internal' }
    ],
    users: [
      { id: 'u1', name: 'Ada Lovelace' },
      { id: 'u2', name: 'Bo' }
    ],
    posts_tags: [
      { id: 'x1', post_id: 'p1', tag_id: 't2', sort_order: 1 },
      { id: 'x2', post_id: 'p1', tag_id: 't1', sort_order: 0 },
      { id: 'x3', post_id: 'p1', tag_id: 't3', sort_order: 2 }
    ],
    posts_authors: [
      { id: 'y1', post_id: 'p1', author_id: 'u2', sort_order: 1 },
      { id: 'y2', post_id: 'p1', author_id: 'u1', sort_order: 0 }
    ],
    posts_meta: [{ id: 'z1', post_id: 'p1', meta_title: 'On tides', meta_description: 'Tides, explained' }]
  }

  test('descriptions of categories and tags are in the report', async () => {
    const note =
      'has a description, which was left out (galley categories describe sets that of a category): All & more'
    const tags = [
      { id: 't1', name: 'Sea', slug: 'sea', description: 'All <b>&amp;</b> more' },
      { id: 't2', name: 'Moon', slug: 'moon', description: null }
    ]
    const ghost = await importExport('ghost', ghostExport({ posts: [], tags }))
    assert.deepEqual([notesOf(ghost, 'Sea'), notesOf(ghost, 'Moon')], [[note], []])
    const described = (kind: string, name: string) =>
      `<wp:${kind}><wp:${name}_name>Sea &amp;amp; sky</wp:${name}_name><wp:${kind}_description>All &amp;amp; more</wp:${kind}_description></wp:${kind}>`
    const wordpress = await importExport(
      'wordpress',
      wordpressExport([described('category', 'cat'), described('tag', 'tag'), wordpressItem({ status: 'trash' })])
    )
    assert.deepEqual(notesOf(wordpress, 'Sea & sky'), [note, note])
    // A report has so many notes: those of posts come first.
    assert.equal(wordpress.notes[0]?.name, 'Untitled')
  })

  test('films, sounds and files stay at the old site, and the report has the caption of a picture', async () => {
    const media = ghostExport({
      posts: [
        ghostPost({
          id: 'p1',
          slug: 'heard',
          title: 'Heard',
          html: '<p>Hear <a href="__GHOST_URL__/moss/">moss</a></p><audio src="__GHOST_URL__/content/media/a.mp3"></audio><a href="__GHOST_URL__/content/files/b.pdf">The paper</a>'
        })
      ],
      posts_meta: [{ post_id: 'p1', feature_image_caption: 'By <a href="https://x.example">Bo &amp; Co</a>' }]
    })
    const caption = 'the caption of its picture was left out: By Bo & Co'
    const dry = await importOf(['ghost', fileOf(media), '--dry-run'], 0)
    assert.deepEqual(notesOf(dry, 'Heard'), [
      'its films, sounds and files stay at the old site, whose address --url gives',
      caption,
      'elements that are links now, or left out: audio'
    ])
    const report = await importOf(['ghost', fileOf(media), '--url', 'https://old.example/'], 0)
    assert.deepEqual(notesOf(report, 'Heard'), [caption, 'elements that are links now, or left out: audio'])
    assert.equal(
      (await postOf('heard')).content,
      'Hear [moss](/moss/)\n\n<https://old.example/content/media/a.mp3>\n\n[The paper](https://old.example/content/files/b.pdf)'
    )
  })

  test('posts keep slug, dates, authors, tags and SEO texts; what members pay for stays a draft', async () => {
    const report = await importExport('ghost', ghostExport(data))
    assert.deepEqual([report.published, report.drafts, report.left, report.failed], [1, 2, 1, 1])
    const post = await postOf('tides')
    assert.deepEqual(
      [post.title, post.author, post.category, post.tags, post.excerpt, post.seo_title, post.seo_description],
      [
        'Tides & <i>moons</i>',
        'Ada Lovelace, Bo',
        'science',
        ['Science', 'Sea'],
        'About tides',
        'On tides',
        'Tides, explained'
      ]
    )
    assert.deepEqual(
      [post.published_at, post.created_at, post.updated_at],
      ['2023-01-05T10:00:00.000Z', '2023-01-02T10:00:00.000Z', '2023-02-03T10:00:00.000Z']
    )
    assert.equal(
      post.content,
      '## Why\n\nSee [moss](/moss/).\n\n[The sea](https://example.org/sea)\n\n<https://video.example/1>'
    )
    assert.deepEqual(notesOf(report, 'Paid'), ['only paid could read it, so it is a draft'])
    assert.deepEqual(notesOf(report, 'Bare'), ['has no HTML'])
    assert.equal((await importExport('ghost', ghostExport(data))).unchanged, 3)
    assert.equal(await postCount(), 3)
  })

  test('the canonical address of a post that was first published elsewhere is noted', async () => {
    const note = (path: string) => [
      `its canonical address is left out, and its page here names itself: https://first.example/${path}`
    ]
    const posts = [
      ghostPost({ id: 'c1', slug: 'copy', title: 'Copy', html: '<p>a</p>', canonical_url: 'https://first.example/a/' }),
      ghostPost({ id: 'c2', slug: 'own', title: 'Own', html: '<p>b</p>', canonical_url: '__GHOST_URL__/own/' })
    ]
    const ghost = await importExport('ghost', ghostExport({ posts }))
    assert.deepEqual([notesOf(ghost, 'Copy'), notesOf(ghost, 'Own')], [note('a/'), []])
    const meta = (host: string) => wordpressMeta('_yoast_wpseo_canonical', `https://${host}/b`)
    const wordpress = await importExport(
      'wordpress',
      wordpressExport([
        wordpressItem({ id: '1', slug: 'x', title: 'X' }, meta('first.example')),
        wordpressItem({ id: '2', slug: 'y', title: 'Y' }, meta('blog.example'))
      ])
    )
    assert.deepEqual([notesOf(wordpress, 'X'), notesOf(wordpress, 'Y')], [note('b'), []])
    const folder = folderOf({
      'c.md': '---\ntitle: C\ndate: 2020-01-01\ncanonicalURL: https://first.example/first\n---\nText.'
    })
    assert.deepEqual(notesOf(await importOf(['markdown', folder]), 'c.md'), note('first'))
  })

  test('a canonical address on the site itself is not noted', async () => {
    const canonical = (path: string) =>
      `---\ntitle: C\ndate: 2020-01-01\ncanonicalURL: https://own.example/${path}\n---\nText.`
    for (const [name, config] of [
      ['hugo.toml', 'baseURL = "https://own.example/blog/"'],
      ['_config.yml', 'url: https://own.example']
    ] as const) {
      const folder = folderOf({ [name]: config, 'posts/b.md': canonical('other/') })
      assert.deepEqual(notesOf(await importOf(['markdown', folder, '--dry-run']), 'posts/b.md'), [])
    }
    const unnamed = folderOf({ 'posts/b.md': canonical('posts/b/'), 'posts/c.md': canonical('other/') })
    const unknown = await importOf(['markdown', unnamed, '--dry-run'])
    assert.deepEqual([notesOf(unknown, 'posts/b.md').length, notesOf(unknown, 'posts/c.md').length], [0, 1])
    const named = await importOf(['markdown', unnamed, '--dry-run', '--url', 'https://own.example'])
    assert.deepEqual(notesOf(named, 'posts/c.md'), [])
    const ghost = (id: string, path: string) =>
      ghostPost({ id, slug: id, title: id, html: '<p>a</p>', canonical_url: `https://own.example/${path}` })
    const posts = [ghost('a', 'a/'), ghost('b', 'other/')]
    const found = await importExport('ghost', ghostExport({ posts }), '--dry-run')
    assert.deepEqual([notesOf(found, 'a').length, notesOf(found, 'b').length], [0, 1])
    const own = await importExport('ghost', ghostExport({ posts }), '--dry-run', '--url', 'https://own.example')
    assert.deepEqual(notesOf(own, 'b'), [])
  })

  test('a card that nobody knows here is left out, and named', async () => {
    const paragraph = { type: 'paragraph', children: [{ type: 'text', text: 'Waves.' }] }
    const lexical = JSON.stringify({ root: { children: [paragraph, { type: 'signup', version: 1, header: 'Join' }] } })
    const posts = [ghostPost({ id: 'p9', slug: 'waves', title: 'Waves', html: null, lexical })]
    const report = await importExport('ghost', ghostExport({ posts }))
    assert.equal((await postOf('waves')).content, 'Waves.')
    assert.deepEqual(notesOf(report, 'Waves'), ['elements that are links now, or left out: card signup'])
  })

  test('captions of cards are texts below them', async () => {
    const cards = [
      { type: 'image', src: 'https://a.example/a.png', alt: 'A', caption: 'One' },
      { type: 'gallery', images: [{ src: 'https://a.example/b.png', alt: 'B' }], caption: 'A <em>row</em>' },
      { type: 'codeblock', code: 'x', language: 'js', caption: 'Code' },
      { type: 'bookmark', url: 'https://a.example/', metadata: { title: 'Sea' }, caption: 'Read it' },
      { type: 'file', src: 'https://a.example/f.pdf', fileTitle: 'Table', fileCaption: 'Of tides' }
    ]
    const lexical = JSON.stringify({ root: { children: cards } })
    const posts = [ghostPost({ id: 'p9', slug: 'cards', title: 'Cards', html: null, lexical })]
    await importExport('ghost', ghostExport({ posts }))
    const { content } = await postOf('cards')
    assert.equal(content.match(/One/g)?.length, 1)
    for (const caption of ['A *row*', 'Code', 'Read it', 'Of tides'])
      assert.ok(content.includes(`\n\n${caption}`), caption)
  })

  test('cards for members and cards for mail are left out of a public post, and noted once', async () => {
    const paragraph = { type: 'paragraph', children: [{ type: 'text', text: 'For all.' }] }
    const card = (text: string, visibility?: unknown, type = 'html') => ({ type, html: `<p>${text}</p>`, visibility })
    const memberSegment = 'status:free,status:-free'
    const email = { memberSegment }
    const gated = [
      card('Members', { web: { nonMember: false, memberSegment }, email }),
      card('Unclear', { web: {}, email }),
      card('Mail', { showOnEmail: true, showOnWeb: false, segment: '' }),
      card('Older', { emailOnly: true, segment: '' }),
      card('Letter', undefined, 'email'),
      card('Call', undefined, 'email-cta')
    ]
    const open = [
      card('Shown', { web: { nonMember: true, memberSegment }, email }),
      { type: 'paywall' },
      card('Below', { showOnEmail: true, showOnWeb: true, segment: '' })
    ]
    const lexical = (children: unknown[]) => JSON.stringify({ root: { children } })
    const gate = (nonMember: boolean, text: string) =>
      `<!--kg-gated-block:begin nonMember:${nonMember} memberSegment:"${memberSegment}" --><p>${text}</p><!--kg-gated-block:end-->`
    const cards = gated.map(each => [10, each])
    const mobiledoc = JSON.stringify({
      markups: [],
      atoms: [],
      cards: gated.map(each => [each.type, each]),
      sections: [[1, 'p', [[0, [], 0, 'For all.']]], ...cards.map((_, at) => [10, at])]
    })
    const html = `<p>For all.</p>${gate(false, 'Members')}${gate(true, 'Shown')}<!--members-only--><p>Below</p><!--kg-gated-block:begin nonMember:false`
    const posts = [
      ghostPost({ id: 'p1', slug: 'html', title: 'HTML', html }),
      ghostPost({
        id: 'p2',
        slug: 'lexi',
        title: 'Lexi',
        html: null,
        lexical: lexical([paragraph, ...gated, ...open])
      }),
      ghostPost({ id: 'p3', slug: 'mobil', title: 'Mobil', html: null, lexical: null, mobiledoc }),
      ghostPost({ id: 'p4', slug: 'closed', title: 'Closed', html: gate(false, 'Members') }),
      ghostPost({
        id: 'p5',
        slug: 'sealed',
        title: 'Sealed',
        html: null,
        lexical: lexical(gated),
        plaintext: 'Members'
      })
    ]
    const report = await importExport('ghost', ghostExport({ posts }))
    assert.deepEqual([report.published, report.drafts, report.failed], [3, 2, 0])
    for (const [slug, name, shown] of [
      ['html', 'HTML', 'For all.\n\nShown\n\nBelow'],
      ['lexi', 'Lexi', 'For all.\n\nShown\n\nBelow'],
      ['mobil', 'Mobil', 'For all.']
    ] as const) {
      const { content, excerpt } = await postOf(slug)
      assert.equal(content, shown)
      assert.doesNotMatch(`${excerpt}`, /Members|Mail|Letter/)
      assert.deepEqual(notesOf(report, name), ['parts that not everybody could read were left out'])
    }
    for (const name of ['Closed', 'Sealed'])
      assert.deepEqual(notesOf(report, name), ['not everybody could read its text, so it is a draft'])
  })

  test('markdown with an element that no browser showed is left out, or makes a draft', async () => {
    const card = (markdown: string) => ({ type: 'markdown', version: 1, markdown })
    const paragraph = { type: 'paragraph', children: [{ type: 'text', text: 'For all.' }] }
    const hiding = 'Low.\n\n<div hidden>\n\nSecret\n\n</div>'
    const lexical = (children: unknown[]) => JSON.stringify({ root: { children } })
    const given = { html: null, mobiledoc: null, lexical: null }
    const posts = [
      ghostPost({ ...given, id: 'p1', slug: 'ebb', title: 'Ebb', lexical: lexical([paragraph, card(hiding)]) }),
      ghostPost({ ...given, id: 'p2', slug: 'tide', title: 'Tide', lexical: lexical([card(hiding)]) }),
      ghostPost({ ...given, id: 'p3', slug: 'old', title: 'Old', markdown: hiding }),
      ghostPost({ ...given, id: 'p4', slug: 'dry', title: 'Dry', lexical: lexical([card('Write `<p hidden>`.')]) })
    ]
    const report = await importExport('ghost', ghostExport({ posts }))
    assert.deepEqual([report.published, report.drafts], [2, 2])
    assert.equal((await postOf('ebb')).content, 'For all.')
    assert.equal((await postOf('dry')).content, 'Write `<p hidden>`.')
    assert.deepEqual(notesOf(report, 'Ebb'), ['parts that not everybody could read were left out'])
    for (const name of ['Tide', 'Old'])
      assert.deepEqual(notesOf(report, name), ['not everybody could read its text, so it is a draft'])
  })

  test('no heading of a text is beside the title: all are lower by one, but for a first one that is the title', async () => {
    const html = (first: string) =>
      `${first}<p>a</p><h1>One</h1><h2>Two</h2><blockquote><h1>Quoted</h1></blockquote><h6>Six</h6><pre><code># code</code></pre><ul><li><pre><code># code</code></pre></li></ul><h3>Three</h3>`
    const posts = [
      ghostPost({ id: 'p1', slug: 'shells', title: 'Shells', html: html('') }),
      ghostPost({ id: 'p2', slug: 'corals', title: 'Corals', html: html('<h1>Corals</h1>') }),
      ghostPost({ id: 'p3', slug: 'plain', title: 'Plain', html: '<h1>Plain</h1><h2>Two</h2>' })
    ]
    await importExport('ghost', ghostExport({ posts }))
    const lowered =
      'a\n\n## One\n\n### Two\n\n> ## Quoted\n\n###### Six\n\n```\n# code\n```\n\n-   ```\n    # code\n    ```\n    \n\n#### Three'
    assert.equal((await postOf('shells')).content, lowered)
    assert.equal((await postOf('corals')).content, `# Corals\n\n${lowered}`)
    assert.equal((await postOf('plain')).content, '# Plain\n\n## Two')
  })

  test('a file that is no export is refused in a sentence', async () => {
    assert.match(await refusalOf('ghost', 'no JSON'), /it is no JSON in UTF-8: take the file/)
    assert.match(await refusalOf('ghost', '{"db": [{"data": {}}]}'), /it is no export of Ghost/)
    assert.match(await refusalOf('ghost', Uint8Array.of(0x22, 0xff, 0x22)), /it is no JSON in UTF-8/)
    assert.match((await run('ghost', '/nowhere/at/all')).err, /it does not exist/)
    assert.match(await refusalOf('ghost', ''), /it is no JSON/)
    assert.deepEqual(readdirSync(path.join(service().home, 'work', 'import')), [])
  })
})

describe('galley import wordpress', () => {
  const label = (domain: string, name: string) =>
    `<category domain="${domain}" nicename="x"><![CDATA[${name}]]></category>`

  test('empty lines and a byte order mark before the declaration are no fault', async () => {
    const items = [wordpressItem({ id: '7', slug: 'moss', title: 'Moss', content: '<p>Moss grows.</p>' })]
    const report = await importExport('wordpress', `\r\n\n\ufeff ${wordpressExport(items)}`)
    assert.deepEqual([report.imported, report.failed], [1, 0])
  })

  test('posts of both editors keep slug, dates, author, labels and picture', async () => {
    const blocks = '<!-- wp:paragraph -->\n<p>Moss <em>grows</em>.</p>\n<!-- /wp:paragraph -->'
    const classic = 'One.\nTwo.\n\n<h2>Three</h2>\n\n[poll id="1"]\n\n[gallery ids="9"]\n\n<pre>a\n\nb</pre>'
    const report = await importExport(
      'wordpress',
      wordpressExport([
        wordpressItem(
          { id: '7', slug: 'moss', title: 'Moss &amp; <em>stone</em>', content: blocks, excerpt: 'Green' },
          [
            label('category', 'Science & more'),
            label('category', 'Plants'),
            label('post_tag', 'Green'),
            wordpressMeta('_thumbnail_id', '9'),
            wordpressMeta('_wp_old_slug', 'moos'),
            wordpressMeta('_wp_old_slug', 'moss-and-../../stone'),
            '<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>Hi</wp:comment_content></wp:comment>'
          ].join('\n')
        ),
        wordpressItem({ id: '8', slug: '%c3%bcber-uns', title: 'Classic', content: classic, creator: 'nobody' }),
        wordpressItem(
          { id: '9', slug: 'stone', type: 'attachment', status: 'inherit' },
          '<wp:attachment_url><![CDATA[https://blog.example/wp-content/uploads/2021/03/stone.jpg]]></wp:attachment_url>'
        )
      ])
    )
    // Of each post its address and its number, and of the first those under its two former slugs.
    assert.deepEqual([report.published, report.failed, report.redirects], [2, 0, 6])
    const moss = await postOf('moss')
    assert.deepEqual(
      [moss.title, moss.author, moss.category, moss.tags, moss.excerpt],
      ['Moss & stone', 'Ada Lovelace', 'science-and-more', ['Plants', 'Green'], 'Green']
    )
    assert.deepEqual([moss.published_at, moss.updated_at], ['2021-03-04T09:00:00.000Z', '2022-05-06T07:00:00.000Z'])
    assert.equal(moss.content, 'Moss *grows*.')
    assert.equal(moss.featured_image_url, 'https://blog.example/wp-content/uploads/2021/03/stone.jpg')
    const other = await postOf('ueber-uns')
    assert.equal(other.author, 'nobody')
    assert.match(other.content_html, /^<p>One\.<br.*>\s?Two\.<\/p>\n<h2>Three<\/h2>\n<p>\[poll id=.*<pre><code>a\n\nb/s)
    assert.ok(notesOf(report, 'Classic').includes('shortcodes stay in the text as they are: poll'))
    assert.equal(notesOf(report, 'comment').length, 1)
  })

  test('what the export does not have is named: pictures of galleries, covers and reusable blocks', async () => {
    const content = 'Sand.\n\n[gallery ids="91,92"]\n\n<!-- wp:block {"ref":5} /-->'
    const report = await importExport(
      'wordpress',
      wordpressExport([
        wordpressItem({ id: '17', slug: 'sand', title: 'Sand', content }, wordpressMeta('_thumbnail_id', '93'))
      ])
    )
    assert.equal((await postOf('sand')).content, 'Sand.')
    assert.deepEqual(notesOf(report, 'Sand'), [
      'reusable blocks were left out',
      'pictures that the export does not have: 93, 91, 92'
    ])
  })

  test('the form of a text stays: lines of code and poems, addresses, nested emphasis, its first heading', async () => {
    const content = [
      '<!-- wp:heading {"level":1} --><h1>Not the title</h1><!-- /wp:heading -->',
      '<!-- wp:verse --><pre class="wp-block-verse">Two roads<br>diverged</pre><!-- /wp:verse -->',
      '<!-- wp:embed --><figure><div>https://www.video.example/p/_Bpm_En_/?utm_source=ig_b</div></figure><!-- /wp:embed -->',
      '<p>Like <a href="https://a.example/_b_(c)">https://a.example/_b_</a>, <strong>very <strong>bold</strong></strong>.</p>',
      '<p>Or <code>.a {<br>\n  margin: 0;<br>\n}</code> and <code>one</code></p>'
    ].join('\n')
    await importExport(
      'wordpress',
      wordpressExport([wordpressItem({ id: '40', slug: 'form', title: 'Form', content })])
    )
    assert.equal(
      (await postOf('form')).content,
      [
        '## Not the title',
        '```\nTwo roads\ndiverged\n```',
        '<https://www.video.example/p/_Bpm_En_/?utm_source=ig_b>',
        'Like [https://a.example/\\_b\\_](https://a.example/_b_\\(c\\)), **very bold**.',
        'Or \n\n```\n.a {\n  margin: 0;\n}\n```\n\n and `one`'
      ].join('\n\n')
    )
  })

  test('footnotes of the block editor come along from the meta of their post', async () => {
    const mark = (id: string) => `<sup data-fn="${id}" class="fn"><a href="#${id}" id="${id}-link">1</a></sup>`
    const content = `<!-- wp:paragraph --><p>High${mark('a-1')} tide${mark('b-2')}, and${mark('gone')}.</p><!-- /wp:paragraph --><!-- wp:footnotes /-->`
    const notes = [
      { id: 'a-1', content: 'As <em>said</em> in\nprint.' },
      { id: 'b-2', content: '[1]: <script>alert(1)</script>no link' },
      { id: 7, content: null }
    ]
    const items = [JSON.stringify(notes), '{"broken'].map((meta, at) =>
      wordpressItem(
        { id: `5${at}`, slug: `notes-${at}`, title: `Notes ${at}`, content },
        wordpressMeta('footnotes', meta)
      )
    )
    await importExport('wordpress', wordpressExport(items))
    const { content: markdown, content_html } = await postOf('notes-0')
    assert.match(
      markdown,
      /^High\[\^1\] tide\[\^2\], and<sup.*\n\n\[\^1\]: As \*said\* in print\.\n\n\[\^2\]: \\\[1\\\]: no link$/s
    )
    assert.match(content_html, /High<sup class="ref"><a [^>]*href="#note-1"/)
    assert.match((await postOf('notes-1')).content, /^High<sup/)
  })

  test('only what everybody could read is public', async () => {
    const statuses = ['publish', 'draft', 'pending', 'private', 'future', 'trash', 'auto-draft']
    const items = statuses.map((status, index) => wordpressItem({ id: String(index), slug: `s-${status}`, status }))
    const zero = '0000-00-00 00:00:00'
    const report = await importExport(
      'wordpress',
      wordpressExport([
        ...items,
        wordpressItem({ id: '20', slug: 'locked', password: 'x' }),
        wordpressItem({ id: '21', slug: 'undated', date: zero }),
        wordpressItem({ id: '22', slug: 'about', type: 'page' }),
        wordpressItem({ id: '23', slug: 'menu', type: 'nav_menu_item' })
      ])
    )
    assert.deepEqual([report.published, report.drafts, report.left], [1, 6, 4])
    const { items: shown } = (await service().anonymous('GET', '/api/posts')).body
    assert.deepEqual(
      shown.map(({ slug }: { slug: string }) => slug),
      ['s-publish']
    )
  })

  test('a post is found by its number at the home page, as WordPress has it, while it is public', async () => {
    const item = wordpressItem({ id: '777', slug: 'numbered', title: 'Numbered' })
    const plain = item.replace(/<link>.*<\/link>/, '<link>https://blog.example/?p=777</link>')
    const draft = wordpressItem({ id: '778', slug: 'sketch', title: 'Sketch', status: 'draft' })
    const report = await importExport('wordpress', wordpressExport([plain, draft]))
    assert.equal(report.redirects, 3)
    const get = async (path: string) => {
      const { status, headers } = await fetch(`${service().url}${path}`, { redirect: 'manual' })
      return [status, headers.get('location')?.replace(/^https?:\/\/[^/]*/, '')]
    }
    for (const address of ['/?p=777', '/?page_id=777', '/?utm_source=x&p=777'])
      assert.deepEqual(await get(address), [301, '/posts/numbered'])
    for (const address of ['/', '/?p=778', '/?p=1', '/?p=777x', '/?p[]=1&p=a', '/?page=1'])
      assert.deepEqual(await get(address), [200, undefined])
  })

  test('shortcodes in a second pair of brackets are text, as WordPress shows them', async () => {
    const content =
      '[[gallery]] and [[video src="1"]], [[restrict]a[/restrict]] [[caption]b[/caption]].\n\n<pre>x[[i]] [[gallery]] [[ -f a ]] [[foo]] [[paid]]</pre>\n\nSee [[Wiki Link]], [[citation needed]], [[Private]] and [[private-notes]].'
    const report = await importExport(
      'wordpress',
      wordpressExport([wordpressItem({ id: '3', slug: 'howto', title: 'Howto', content })])
    )
    assert.equal(report.published, 1)
    const { content_html } = await postOf('howto')
    assert.match(
      content_html,
      /<p>\[gallery\] and \[video src="1"\], \[restrict\]a\[\/restrict\] \[caption\]b\[\/caption\]\.<\/p>/
    )
    assert.match(content_html, /x\[\[i\]\] \[gallery\] \[\[ -f a \]\] \[\[foo\]\] \[\[paid\]\]/)
    assert.match(
      content_html,
      /See \[\[Wiki Link\]\], \[\[citation needed\]\], \[\[Private\]\] and \[\[private-notes\]\]\./
    )
  })

  test('what membership plugins kept from visitors is a draft, and the report names how', async () => {
    const cases: [content: string, meta: string, named: string][] = [
      ['Text.', wordpressMeta('_jetpack_newsletter_access', 'paid_subscribers'), '_jetpack_newsletter_access'],
      ['Text.', wordpressMeta('_members_access_role', 'editor'), '_members_access_role'],
      ['Text.', wordpressMeta('_wpmem_block', '1'), '_wpmem_block'],
      ['<p>a</p><!-- wp:jetpack/paywall /--><p>b</p>', '', 'the block jetpack/paywall'],
      ['<!-- wp:premium-content/container --><p>a</p>', '', 'the block premium-content/container'],
      ['<!-- wp:p {"metadata":{"blockVisibility":false}} --><p>a</p>', '', 'blockVisibility of a block'],
      [
        `<!-- wp:group {"note":"${'y'.repeat(2_100)}","blockVisibility":{"controlSets":[{"id":1}]}} --><p>a</p>`,
        '',
        'blockVisibility of a block'
      ],
      ['Text.', wordpressMeta('groups-read', '5'), 'groups-read'],
      ['Text.', wordpressMeta('pms-content-restrict-subscription-plan', '7'), 'pms-content-restrict-subscription-plan'],
      ['Text.', wordpressMeta('pms-content-restrict-user-status', 'loggedin'), 'pms-content-restrict-user-status'],
      ['Text.', wordpressMeta('arm_access_plan', '0'), 'arm_access_plan'],
      ...[
        'groups_member',
        'pms-restrict',
        'arm_restrict_content',
        'mepr-show',
        'restrict',
        'members_only',
        's2If',
        'wlm_private',
        'um_loggedin',
        'membership',
        'private',
        'su_private',
        'su_members',
        'content_control',
        'memb_is_logged_in',
        'hide'
      ].map((name): [string, string, string] => [`a [${name} x="1"]b[/${name}]`, '', `the shortcode ${name}`])
    ]
    const ultimate = (isOn: number) =>
      wordpressMeta(
        'um_content_restriction',
        `a:2:{s:26:"_um_custom_access_settings";b:${isOn};s:14:"_um_accessible";s:1:"2";}`
      )
    cases.push(
      ['Text.', ultimate(1), 'um_content_restriction'],
      ['<pre>[private]</pre> a <pre>b[/private]</pre> [private]', '', 'the shortcode private'],
      ['[private]a <code>b[/private]</code>', '', 'the shortcode private'],
      ['<pre>a [private]b[/private]', '', 'the shortcode private']
    )
    const open: [content: string, meta: string][] = [
      ['<pre>[private]a[/private]</pre> <CODE class="x">[paid]</CODE> and <code>[/paid]</code>', ''],
      ['Text.', wordpressMeta('_jetpack_newsletter_access', 'everybody')],
      ['Text.', wordpressMeta('_wpmem_block', '0')],
      ['Text.', ultimate(0)],
      ['[groups_non_member]Join[/groups_non_member]', wordpressMeta('pms-content-restrict-type', 'default')],
      [
        '[member name="Ada"] [visitor]Hello[/visitor] [su_guests]b[/su_guests] [hide-bar] [wlm_nonmember]Join[/wlm_nonmember]',
        ''
      ]
    ]
    const report = await importExport(
      'wordpress',
      wordpressExport(
        [...cases, ...open].map(([content, meta], at) =>
          wordpressItem({ id: `${at + 1}`, slug: `m-${at}`, title: `M ${at}`, content }, meta)
        )
      )
    )
    assert.deepEqual([report.published, report.drafts], [open.length, cases.length])
    for (const [at, [, , named]] of cases.entries())
      assert.equal(notesOf(report, `M ${at}`)[0], `not everybody may have read it, so it is a draft: ${named}`)
    assert.equal(notesOf(report, `M ${cases.length}`)[0], 'shortcodes in its code were taken for text: private, paid')
  })

  test('what a page builder had switched off, or showed to some, makes a draft', async () => {
    const hidden = [
      ['[vc_row disable_element="yes"]a[/vc_row]', 'disable_element of vc_row'],
      ['[et_pb_row a="1" disabled="on"]a[/et_pb_row]', 'disabled of et_pb_row'],
      ['[et_pb_text disabled_on="on|on|on"]a[/et_pb_text]', 'disabled_on of et_pb_text'],
      ['[et_pb_text display_conditions="W3siaWQiOjF9XQ=="]a', 'display_conditions of et_pb_text'],
      [`[et_pb_row css="${'a'.repeat(9_000)}" disabled="on"]a`, 'disabled of et_pb_row'],
      ['[et_pb_row admin_label="[1" disabled="on"]a', 'disabled of et_pb_row'],
      ['[fusion_builder_container status="draft"]a', 'status of fusion_builder_container'],
      ['[fusion_text render_logics="W3siZmllbGQiOjF9XQ=="]a', 'render_logics of fusion_text'],
      ['<!-- wp:group {"otterConditions":[[{"type":"loggedInUser"}]]} --><p>a</p>', 'otterConditions of a block'],
      ['<!-- wp:group {"UAGDisplayConditions":"userstate"} --><p>a</p>', 'UAGDisplayConditions of a block'],
      ['<!-- wp:p {"editorskit":{"loggedin":true,"loggedout":false}} --><p>a</p>', 'editorskit of a block']
    ]
    const open = [
      '[vc_row el_class="a"]a[/vc_row] <code>[vc_row disable_element="yes"]</code>',
      '[et_pb_row disabled="off" disabled_on="on|off|off" display_conditions="W10="]a[/et_pb_row]',
      '[fusion_builder_container status="published" render_logics=""]a [fusion_alert status="draft"]',
      '<!-- wp:group {"otterConditions":[],"UAGDisplayConditions":"none"} --><p>a</p>',
      '<!-- wp:p {"editorskit":{"loggedin":true,"loggedout":true}} --><p>a</p>'
    ].map(content => [content, ''])
    const items = [...hidden, ...open].map(([content = ''], at) =>
      wordpressItem({ id: `${at + 1}`, slug: `b-${at}`, title: `B ${at}`, content })
    )
    const report = await importExport('wordpress', wordpressExport(items))
    assert.deepEqual([report.published, report.drafts], [open.length, hidden.length])
    for (const [at, [, named]] of hidden.entries())
      assert.equal(notesOf(report, `B ${at}`)[0], `not everybody may have read it, so it is a draft: ${named}`)
  })

  test('blocks that are made from data when somebody reads are named', async () => {
    const content =
      '<!-- wp:paragraph {"a":1} --><p>a</p><!-- /wp:paragraph --><!-- wp:acf/quote {"data":{"text":"b"}} /--><!-- wp:acf/box {"c":1} --><p>d</p><!-- /wp:acf/box --><!-- wp:latest-posts /--><!-- wp:more --><!--more--><!-- /wp:more --><!-- wp:post-title {"level":1} /--><!-- wp:acf/quote /-->'
    const report = await importExport(
      'wordpress',
      wordpressExport([wordpressItem({ id: '9', slug: 'data', title: 'Data', content })])
    )
    assert.equal((await postOf('data')).content, 'a\n\nd')
    assert.deepEqual(notesOf(report, 'Data'), ['blocks without HTML were left out: acf/quote, acf/box, latest-posts'])
  })

  test('a block that some readers are not shown makes a draft, and one that is hidden on small screens does not', async () => {
    const set = (controls: unknown, enable = true) => ({ controlSets: [{ id: 1, enable, controls }] })
    const allScreens = { hideOnScreenSize: { large: true, medium: true, small: true } }
    const limited = [
      set({ userRole: { visibilityByRole: 'logged-in' } }),
      set({ screenSize: { hideOnScreenSize: { small: true } }, dateTime: { schedules: [{ enable: true }] } }),
      set({ screenSize: allScreens }),
      set({ wpFusion: { tagsAny: [3] } }),
      { hideBlock: true },
      { viewport: { mobile: false, tablet: false, desktop: false } },
      { visibilityByRole: 'user-role', restrictedRoles: ['editor'] }
    ]
    const open = [
      { viewport: { mobile: false } },
      set({ screenSize: { hideOnScreenSize: { medium: true, small: true } }, userRole: {} }),
      set({ userRole: { visibilityByRole: 'logged-in' } }, false),
      set({ userRole: { visibilityByRole: 'public' }, dateTime: { schedules: [{ enable: false }] } }),
      { hideBlock: false, controlSets: [] }
    ]
    const marks = [...limited, ...open].map(value => [
      JSON.stringify({ blockVisibility: value }),
      JSON.stringify({ metadata: { name: 'a', blockVisibility: value } }, null, 2)
    ])
    const items = [...marks.flat(), '{"blockVisibility":{"viewport":'].map((mark, at) =>
      wordpressItem({
        id: `${at + 1}`,
        slug: `b-${at}`,
        title: `B ${at}`,
        content: `<!-- wp:group ${mark} --><p>a</p>`
      })
    )
    const report = await importExport('wordpress', wordpressExport(items))
    const drafts = report.notes.filter(({ note }) => note.endsWith('so it is a draft: blockVisibility of a block'))
    assert.deepEqual(
      drafts.map(({ name }) => name),
      items.map((_, at) => `B ${at}`).filter((_, at) => at < 2 * limited.length || at === items.length - 1)
    )
    assert.equal(report.published, 2 * open.length)
  })

  test('of premium content, posts have what visitors were shown', async () => {
    const block = (name: string, text: string) =>
      `<!-- wp:premium-content/${name} --><div><p>${text}</p></div><!-- /wp:premium-content/${name} -->`
    const empty = '<!-- wp:premium-content/subscriber-view /-->'
    const content = `<p>Free.</p>${empty}${block('container', block('subscriber-view', `Paid.${empty}`) + block('logged-out-view', 'Log in.'))}<p>End.</p>`
    const report = await importExport(
      'wordpress',
      wordpressExport([
        wordpressItem({ id: '1', slug: 'views', title: 'Views', content }),
        wordpressItem({ id: '2', slug: 'paid', title: 'Paid', content: block('subscriber-view', 'Paid.') })
      ])
    )
    assert.deepEqual([report.published, report.drafts], [1, 1])
    assert.equal((await postOf('views')).content, 'Free.\n\nLog in.\n\nEnd.')
    assert.deepEqual(notesOf(report, 'Views'), ['parts that not everybody could read were left out'])
    assert.deepEqual(notesOf(report, 'Paid'), ['not everybody could read its text, so it is a draft'])
  })

  test('an export in another encoding is read as it states, and one that nobody knows is refused', async () => {
    const inLatin = (encoding: string) =>
      Buffer.from(
        wordpressExport([wordpressItem({ slug: 'cafe', title: 'Café' })]).replace('UTF-8', encoding),
        'latin1'
      )
    await importExport('wordpress', inLatin('ISO-8859-1'))
    assert.equal((await postOf('cafe')).title, 'Café')
    const marked = `\ufeff${wordpressExport([wordpressItem({ id: '2', slug: 'wide', title: 'Wide ☂' })])}`
    await importExport('wordpress', Buffer.from(marked, 'utf16le'))
    assert.equal((await postOf('wide')).title, 'Wide ☂')
    assert.match(await refusalOf('wordpress', inLatin('klingon')), /nobody knows the encoding/)
  })

  test('hostile exports are refused, or lose what is hostile', async () => {
    const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    assert.match(await refusalOf('wordpress', wordpressExport([wordpressItem({})], bomb)), /it declares entities/)
    assert.match(await refusalOf('wordpress', '<html></html>'), /it is no export of WordPress: .* Tools, Export/)
    assert.match(await refusalOf('wordpress', ''), /it is no XML .*: take the file that WordPress .* Tools, Export/)
    assert.match(await refusalOf('wordpress', wordpressExport([]).slice(0, -20)), /it is no XML/)
    const report = await importExport(
      'wordpress',
      wordpressExport([
        wordpressItem({
          id: '1',
          slug: '../../x',
          title: '',
          content: '<script>alert(1)</script><p>a\u0007b &#7; c</p>'
        }),
        wordpressItem({ id: '2', slug: 'large', title: 'Large', content: 'x'.repeat(9_000_000) }),
        wordpressItem({ id: '3', slug: 'deep', title: 'Deep', content: `${'<div>'.repeat(3_000)}x` }),
        wordpressItem({ id: '4', slug: 'again', title: 'Again' }),
        wordpressItem({ id: '4', slug: 'twice', title: 'Twice' })
      ])
    )
    assert.deepEqual(notesOf(report, 'Large'), ['has more text than a post may have'])
    assert.match(notesOf(report, 'Deep')[0] ?? '', /^cannot be converted: it /)
    assert.deepEqual(notesOf(report, 'Twice'), ['has the id of another post before it'])
    const { items } = (await service().anonymous('GET', '/api/posts')).body
    assert.deepEqual(items.map(({ slug }: { slug: string }) => slug).sort(), ['again', 'x'])
    assert.doesNotMatch((await postOf('x')).content, /script|\u0007/)
  })
})
