/** `raw`: what stands there is shown as it is. The others are comments, which nobody sees. */
type Kind = 'raw' | 'liquid' | 'hugo' | 'kramdown'

interface Tags {
  start: RegExp
  end: RegExp
}

const tags: Readonly<Record<Kind, Tags>> = {
  raw: { start: /\{%-?\s*raw\s*-?%\}/, end: /\{%-?\s*endraw\s*-?%\}/ },
  liquid: { start: /\{%-?\s*comment\s*-?%\}/, end: /\{%-?\s*endcomment\s*-?%\}/ },
  hugo: { start: /\{\{[<%]\s*comment\s*[>%]\}\}/, end: /\{\{[<%]\s*\/\s*comment\s*[>%]\}\}/ },
  kramdown: { start: /\{::comment[ \t]*\}/, end: /\{:\/(?:comment)?[ \t]*\}/ }
}

/** What a text is written in decides which blocks it may have, and what is code in a line. */
export type TextFormat = 'html' | 'markdown'

const kinds: Readonly<Record<TextFormat, readonly Kind[]>> = {
  html: ['raw', 'liquid', 'hugo'],
  markdown: ['raw', 'liquid', 'hugo', 'kramdown']
}

/** Between ticks, of which as many end it as begin it. It shows tags, and ends with its paragraph. */
const codeInLine = /(?<![`\\])(?<ticks>`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S]){1,2000}?(?<!`)\k<ticks>(?!`)/

export interface TemplateBlocks {
  /** Whether the last text ended within a block. */
  isInside(): boolean
  /** The next text, with `plain` of what is in no block. */
  ofText(text: string, plain: (text: string) => string): string
  /** The next code, which shows all but the tags around what is raw. */
  ofCode(code: string): string
}

/** Follows the blocks of a text through its parts. One that nothing ends is none. Takes linear time. */
export function templateBlocks(whole: string, format: TextFormat): TemplateBlocks {
  const known = kinds[format].map(kind => {
    const { start, end } = tags[kind]
    const allEnds = anyOf([end])
    return { kind, start, end, allEnds, ends: countIn(whole, allEnds) }
  })
  type Block = (typeof known)[number]
  const code = format === 'html' ? [] : [codeInLine]
  const begins = anyOf([...code, ...known.flatMap(({ start, end }) => [start, end])])
  let inside: Block | null = null

  const pass = (text: string) => {
    for (const block of known) block.ends -= countIn(text, block.allEnds)
  }
  /** The block that a tag begins, if something ends it; else what is shown of the tag, or of code. */
  const shownOrBegun = (written: string): string | Block => {
    const begun = known.find(({ start }) => isWhole(start, written))
    if (begun !== undefined && begun.ends > 0) return begun
    return [tags.raw.start, tags.raw.end].some(tag => isWhole(tag, written)) ? '' : written
  }
  function ofText(text: string, plain: (part: string) => string): string {
    const shown: string[] = []
    // What a block divides is one text, for a tag may have code in it.
    let open = ''
    for (let at = 0; at < text.length; ) {
      const found = firstFrom(text, at, inside?.allEnds ?? begins)
      const before = text.slice(at, found.index)
      at = found.index + found.written.length
      pass(before + found.written)
      if (inside === null) {
        const next = shownOrBegun(found.written)
        open += typeof next === 'string' ? before + next : before
        if (typeof next !== 'string') inside = next
      } else {
        if (inside.kind === 'raw') shown.push(plain(open), before)
        if (inside.kind === 'raw') open = ''
        if (found.written !== '') inside = null
      }
    }
    return [...shown, plain(open)].join('')
  }
  return {
    isInside: () => inside !== null,
    ofText,
    ofCode(text) {
      if (inside !== null) return ofText(text, part => part)
      pass(text)
      return withoutRawTags(text)
    }
  }
}

const anyOf = (patterns: readonly RegExp[]): RegExp => new RegExp(patterns.map(({ source }) => source).join('|'), 'g')

const countIn = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const isWhole = (pattern: RegExp, written: string): boolean => pattern.exec(written)?.[0] === written

/** Nothing at the end of the text, where it is not found. */
function firstFrom(text: string, at: number, pattern: RegExp): { index: number; written: string } {
  pattern.lastIndex = at
  const found = pattern.exec(text)
  return found === null ? { index: text.length, written: '' } : { index: found.index, written: found[0] }
}

const rawTag = /(\{%-?\s*(?:end)?raw\s*-?%\})/

/** In turns begin and end; an uneven one stays, as all of them do then. */
function withoutRawTags(code: string): string {
  const parts = code.split(rawTag)
  const raw = parts.filter((_, index) => index % 2 === 1)
  const isEven = raw.length % 2 === 0 && raw.every((part, index) => isWhole(tags.raw.end, part) === (index % 2 === 1))
  return isEven ? parts.filter((_, index) => index % 2 === 0).join('') : code
}
