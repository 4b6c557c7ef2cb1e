import { cutText, oneLine } from '#text/excerpts'
import type { SourceItem } from './source-post.ts'
import { textOfHtml } from './text-of-html.ts'

/** Says of a category or tag that its description was left out, which may have HTML as its name may; nothing where it has none. */
export function describedLabel(name: string, description: string): SourceItem[] {
  const text = oneLine(textOfHtml(description))
  const reason = `has a description, which was left out (galley categories describe sets that of a category): ${cutText(text, 300)}`
  return text === '' ? [] : [{ kind: 'left', name: textOfHtml(name), reason }]
}
