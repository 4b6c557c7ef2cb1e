import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeHtml } from '#text/html-entities'
import { render } from '../../../plugins/posts/rendering/render.ts'
import { markdownToText } from '../../../plugins/search/snippets/plain-text.ts'
import { createSnippets } from '../../../plugins/search/snippets/snippet.ts'
import { found, payloads } from './xss-payloads.ts'

test('nothing that runs comes out of any of thousands of payloads, in the HTML, the excerpt or a snippet', () => {
  assert.ok(found('<a href="java\tscript:x" onclick=y><script>').length === 3, 'the check itself finds what runs')
  const snippet = createSnippets(['alert', 'x'])
  let count = 0
  for (const payload of payloads()) {
    count += 1
    const { content_html, excerpt } = render(payload)
    const shown = { content_html, excerpt: escapeHtml(excerpt), snippet: snippet(markdownToText(payload)) }
    for (const [where, html] of Object.entries(shown)) {
      const faults = found(html)
      if (faults.length > 0) assert.fail(`${where} of ${JSON.stringify(payload)} has ${faults.join(', ')}: ${html}`)
    }
  }
  assert.ok(count > 4000, String(count))
})
