import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchResultsText } from '../../../plugins/search/commands/search-results-text.ts'
import type { SearchResult } from '../../../plugins/search/search.ts'

const found = (snippet: string) => ({ score: 0.25, slug: 'soil', title: 'Living soil', snippet }) as SearchResult
const page = { total: 1, offset: 0 }

test('a post found is a row with its snippet below, as plain text', () => {
  const snippet = '… &lt;b&gt; <mark>Soil</mark> &amp; more. …'
  assert.equal(
    searchResultsText({ items: [found(snippet)], ...page }, {}),
    'SCORE   SLUG  TITLE\n0.2500  soil  Living soil\n        … <b> Soil & more. …\n1 of 1'
  )
  const coloured = searchResultsText({ items: [found(snippet)], ...page }, { hasColour: true })
  assert.match(coloured, /<b> \u001b\[1mSoil\u001b\[22m & more/)
})

test('snippets are wrapped at blanks, and a text cannot move the cursor', () => {
  const text = searchResultsText(
    { items: [found(`${'Soil lives. '.repeat(20)}\u001b[2J\u009b1A`)], ...page },
    { columns: 50 }
  )
  assert.ok(text.split('\n').every(line => line.length <= 50))
  assert.doesNotMatch(text, /\u001b|\u009b/)
})

const sentences: [name: string, list: Parameters<typeof searchResultsText>[0], text: RegExp][] = [
  ['nothing found', { items: [], total: 0, offset: 0 }, /^No public post has these words or comes near them\.$/],
  ['a page past the end', { items: [], total: 3, offset: 20 }, /^No post from 21 on: 3 were found\. A smaller --offset/]
]
for (const [name, list, text] of sentences) {
  test(`a sentence tells of ${name}`, () => assert.match(searchResultsText(list, {}), text))
}
