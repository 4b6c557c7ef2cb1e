import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutHidden } from '../../text/hidden-markdown.ts'

const cases: [name: string, markdown: string, shown: string][] = [
  ['a comment', 'a <!-- b --> c', 'a   c'],
  ['one over paragraphs', '<!-- b\n\nc -->d', ' d'],
  ['one that nothing ends', 'a\n\n<!-- b\n\nc', 'a\n\n '],
  ['the shortest ones', 'a <!--> b <!---> c', 'a   b   c'],
  ['a script and a style', '<script>\nb\n\n</script>c <style media="x">d</style> e', ' c   e'],
  ['no arrow', 'a <!-- b\n\nc', 'a <!-- b\n\nc'],
  ['no comment that ends in another paragraph', 'a <!-- b\n\nc --> d', 'a <!-- b\n\nc --> d'],
  ['nothing after a backslash', '\\<!-- b -->', '\\<!-- b -->'],
  ['no script that nothing ends in a line', 'a <script> b\n\nc', 'a <script> b\n\nc'],
  ['no element of another name', '<style-guide>b</style-guide>', '<style-guide>b</style-guide>'],
  ['no code', 'a `<!-- b -->`\n\n```\n<script>c</script>\n```', 'a `<!-- b -->`\n\n```\n<script>c</script>\n```'],
  ['no indented code', 'a\n\n    <!-- b -->', 'a\n\n    <!-- b -->'],
  [
    'no code of two lines, nor in a list',
    '\t<a>\n\n\t<!-- b -->\n\n- c\n\n      <!-- d -->',
    '\t<a>\n\n\t<!-- b -->\n\n- c\n\n      <!-- d -->'
  ],
  ['what a list has further to the right', '1.  a\n\n    <!-- b\n\n    c -->\n\n2.  d', '1.  a\n\n \n\n2.  d'],
  ['what a nested list has', '- a\n    - b\n    <!-- c -->\n    - d', '- a\n    - b\n \n    - d'],
  ['what an element has', '<div>\n\n    <!-- b -->\n</div>', '<div>\n\n \n</div>'],
  ['what a paragraph has', 'a\n    <!-- b -->', 'a\n '],
  ['no rest of a text behind a list', '- a\n\n    <!-- b\n\nc', '- a\n\n    <!-- b\n\nc']
]
for (const [name, markdown, shown] of cases)
  test(`a page hides: ${name}`, () => assert.equal(withoutHidden(markdown), shown))

test('no text takes long', () => {
  const pieces = [
    '~',
    '<!--',
    '<!-- -->',
    '\n<!--',
    '<script ',
    '`a',
    '\n    ',
    '\n- ',
    '\n\n\t<!-- ',
    ' \n',
    '<!-- -->\n'
  ]
  for (const piece of pieces)
    for (const [begin, end] of [
      ['<!-- -->\n', ''],
      ['', '\n\n-->']
    ])
      assert.equal(typeof withoutHidden(`${begin}${piece.repeat(200_000 / piece.length)}${end}`), 'string')
})
