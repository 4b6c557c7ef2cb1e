/** Of Liquid, and of Hugo as shortcode; and code in a line that shows one of them. */
const tag =
  /(`[^`\n]{0,150}\{(?:%-?\s{0,20}(?:end)?(?:raw|comment)|\{[<%]\s{0,20}\/?\s{0,20}comment)[^`\n]{0,150}`|\{%-?\s*(?:end)?(?:raw|comment)\s*-?%\}|\{\{[<%]\s*\/?\s*comment\s*[>%]\}\})/
const isCode = (part: string): boolean => part.startsWith('`')
const isEnd = (written: string): boolean => /^(?:\{%-?\s*end|\{\{[<%]\s*\/)/.test(written)

/** `raw`: what stands there is shown as it is. The others are seen by nobody. */
type Kind = 'raw' | 'comment' | 'shortcode'

function kindOf(written: string): Kind {
  if (written.startsWith('{%')) return written.includes('raw') ? 'raw' : 'comment'
  return 'shortcode'
}

export interface TemplateBlocks {
  /** Whether the last text ended within a block. */
  isInside(): boolean
  /** The next text, with `plain` of what is in no block. */
  ofText(text: string, plain: (text: string) => string): string
  /** The next code, which shows all but the tags around what is raw. */
  ofCode(code: string): string
}

/** Follows the blocks of a text through its parts. One that nothing ends is none. Takes linear time. */
export function templateBlocks(whole: string): TemplateBlocks {
  const ends: Record<Kind, number> = { raw: 0, comment: 0, shortcode: 0 }
  for (const written of tagsIn(whole)) if (isEnd(written)) ends[kindOf(written)] += 1
  let inside: Kind | null = null

  function ofTag(written: string, plain: (part: string) => string): string {
    const kind = kindOf(written)
    if (isEnd(written)) ends[kind] -= 1
    if (inside === null && !isEnd(written) && ends[kind] > 0) inside = kind
    else if (inside === kind && isEnd(written)) inside = null
    else if (inside === 'raw') return written
    else if (inside === null && kind !== 'raw') return plain(written)
    return ''
  }
  function ofText(text: string, plain: (part: string) => string): string {
    const parts = text.split(tag).map((part, index) => {
      if (index % 2 === 1 && !isCode(part)) return ofTag(part, plain)
      if (inside === null) return plain(part)
      return inside === 'raw' ? part : ''
    })
    return parts.join('')
  }
  return {
    isInside: () => inside !== null,
    ofText,
    ofCode(code) {
      if (inside !== null) return ofText(code, part => part)
      for (const written of tagsIn(code)) if (isEnd(written)) ends[kindOf(written)] -= 1
      return withoutRawTags(code)
    }
  }
}

const tagsIn = (text: string): string[] => text.split(tag).filter((part, index) => index % 2 === 1 && !isCode(part))

/** In turns begin and end; an uneven one stays, as all of them do then. */
function withoutRawTags(code: string): string {
  const parts = code.split(tag)
  const isRawTag = (part: string, index: number) => index % 2 === 1 && !isCode(part) && kindOf(part) === 'raw'
  const raw = parts.filter(isRawTag)
  const isEven = raw.length % 2 === 0 && raw.every((part, index) => isEnd(part) === (index % 2 === 1))
  return isEven ? parts.filter((part, index) => !isRawTag(part, index)).join('') : code
}
