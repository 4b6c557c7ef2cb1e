import { cutText, oneLine } from '#text/excerpts'
import type { SourceItem } from './source-post.ts'
import { textOfHtml } from './text-of-html.ts'

/** Says of a category or tag that its description, which may have HTML, was left out; nothing where it has none. */
export function describedLabel(name: string, description: string): SourceItem[] {
  const text = oneLine(textOfHtml(description))
  const reason = `has a description, which was left out (galley categories describe sets that of a category): ${cutText(text, 300)}`
  return text === '' ? [] : [{ kind: 'left', name, reason }]
}
