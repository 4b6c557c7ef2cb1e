import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlAsText } from '../../../plugins/newsletter/pages/html-as-text.ts'
import { render } from '../../../plugins/posts/rendering/render.ts'

/** Markdown as a post shows it, and then as a mail reads in plain text. */
const read: Readonly<Record<string, readonly [markdown: string, text: string]>> = {
  'headings and emphasis': ['## Ebb\n\nThe *sea* is **low**,\nand `calm`.', 'Ebb\n\nThe sea is low, and calm.'],
  'links, once where the text is the address': [
    '[moon](https://a.example/?a=1&b=2), <https://b.example>, <me@c.example>',
    'moon (https://a.example/?a=1&b=2), https://b.example, me@c.example'
  ],
  'pictures by their text': [
    '![A chart](https://a.example/c.png)\n\n![](https://a.example/d.png)\n\n[![A map](https://a.example/m.png)](https://a.example/m)',
    'A chart (https://a.example/c.png)\n\nA map (https://a.example/m)'
  ],
  lists: ['- one\n- two\n  1. a\n  2. b\n- [x] done', '- one\n- two\n  1. a\n  2. b\n- ☑ done'],
  'paragraphs of a list item': ['3. one\n\n   more\n4. two', ' 3. one\n\n    more\n\n 4. two'],
  quotations: ['> The sea\n>\n> - is low\n\nsaid Ada.', '> The sea\n>\n> - is low\n\nsaid Ada.'],
  'code as it stands': ['```js\nif (a < b) {\n\n  ebb("**")\n}\n```\n\nEnd.', 'if (a < b) {\n\n  ebb("**")\n}\n\nEnd.'],
  'empty lines of code': [
    '```py\ndef ebb():\n\n\n  pass\n\n\ndef flow():\n```\n\n> ```\n> a\n>\n>\n> b\n> ```',
    'def ebb():\n\n\n  pass\n\n\ndef flow():\n\n> a\n>\n>\n> b'
  ],
  'lines of code that are blank': ['```\na\n  \n\t\nb\n```\n\nEnd.', 'a\n\n\nb\n\nEnd.'],
  tables: ['| Place | High |\n|---|---|\n| Sylt | 1 m |', 'Place | High\nSylt | 1 m'],
  'rules and line ends': ['One  \ntwo\n\n---\n\nthree', 'One\ntwo\n\n* * *\n\nthree'],
  'two line ends as a blank line': ['One<br><br>two<br>three', 'One\n\ntwo\nthree'],
  'notes, without the way back': ['Low[^1].\n\n[^1]: By a metre.', 'Low[1].\n\n 1. By a metre.'],
  'powers, which are another number without': ['10<sup>3</sup> m<sub>a</sub>', '10^3 ma'],
  'lists of terms': [
    '<dl><dt>Ebb</dt><dd>It goes.</dd><dt>Flood</dt><dd>It comes.</dd></dl>',
    'Ebb\nIt goes.\nFlood\nIt comes.'
  ],
  'details after their summary': [
    'One.\n\n<details><summary>Why?</summary>The moon.</details>\n\nTwo.',
    'One.\n\nWhy?\nThe moon.\n\nTwo.'
  ],
  'captions in a line of their own': [
    '<figure><img src="https://a.example/c.png" alt="A chart"><figcaption>Of 1900</figcaption></figure><table><caption>Tides</caption><tr><td>low</td><td>1 m</td></tr></table>',
    'A chart (https://a.example/c.png)\nOf 1900\n\nTides\nlow | 1 m'
  ],
  'quotations within a sentence': ['He said <q>low</q>.', 'He said "low".'],
  'signs of HTML': ['a < b &amp; "c" \\&lt;', 'a < b & "c" &lt;'],
  'no comments': ['Seen.\n\n<!-- not seen -->', 'Seen.']
}
for (const [what, [markdown, text]] of Object.entries(read))
  test(`plain text of a mail: ${what}`, async () => assert.equal(await htmlAsText(render(markdown).content_html), text))

test('deep quotations do not make every line longer and longer', async () => {
  const text = await htmlAsText(`${'<blockquote>'.repeat(5_000)}sea${'</blockquote>'.repeat(5_000)}`)
  assert.match(text, /^(> ){1,33}\.\.\.$/)
})
