/** A text, and whether everybody could read it. */
export interface GatedText {
  html: string
  /** `part`: what some could not read is left out of `html`. `all`: nothing would be left, so it is whole. */
  gated: 'nothing' | 'part' | 'all'
}

/** Said of a post whose text is gated in part. */
export const partNote = 'parts that not everybody could read were left out'
/** Said of a post whose text is gated as a whole. */
export const allNote = 'not everybody could read its text, so it is a draft'

/** What a mark in a text is: the beginning of a part that is gated, of one that is not, the end of either, or nothing of these. */
export type MarkKind = 'gated' | 'open' | 'end' | 'none'

/** Leaves the gated parts out of a text, with all parts within. One without an end goes to the end of the text. */
export function withoutGated(html: string, mark: RegExp, kindOf: (mark: RegExpExecArray) => MarkKind): GatedText {
  const parts: string[] = []
  let depth = 0
  let position = 0
  let isGated = false
  for (const found of html.matchAll(mark)) {
    const kind = kindOf(found)
    if (kind === 'none') continue
    if (depth === 0) {
      if (kind !== 'gated') continue
      isGated = true
      parts.push(html.slice(position, found.index))
      depth = 1
    } else depth += kind === 'end' ? -1 : 1
    position = found.index + found[0].length
  }
  if (!isGated) return { html, gated: 'nothing' }
  const rest = [...parts, depth > 0 ? '' : html.slice(position)].join('')
  return hasContent(rest) ? { html: rest, gated: 'part' } : { html, gated: 'all' }
}

const hasContent = (html: string): boolean =>
  html.replace(/<!--[\s\S]*?(?:-->|$)|<\/?(?:p|div|figure|section)(?:\s[^<>]*)?>|&nbsp;/gi, '').trim() !== ''
