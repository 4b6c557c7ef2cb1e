import { indentedCode } from './indented-code.ts'

/** Code, fenced or between ticks: what stands in it is shown as it is typed. A fence may end with the text. */
export const markdownCode =
  /^[ \t>]*(`{3,}(?!`)|~{3,}(?!~))[^`\n]*(?=\n)[\s\S]*?(?:\n[ \t>]*\1|(?![\s\S]))|(?<![`\\])(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S]){1,2000}?(?<!`)\2(?!`)/gm

/** What may begin a comment, a script or a style: at the beginning of a line, or in it. Code is passed over. */
const opening = new RegExp(
  String.raw`${markdownCode.source}|(?:(?<start>^[ \t]*)|)(?<opener>(?<!\\)<(?:!--|(?<element>script|style)(?=[\s>])))`,
  'gim'
)
const mayHide = /<!--|<(?:script|style)[\s>]/i

/**
 * A markdown text without what its page does not show: comments, scripts and styles. At the beginning of a line one ends with
 * the text where nothing else ends it; in a line it ends with its paragraph, or is no such thing. Linear.
 */
export const withoutHidden = (markdown: string): string =>
  mayHide.test(markdown) ? leftOut(markdown, () => true, ' ') : markdown

/** The same of comments alone, which leave nothing behind. One that nothing ends stays, and so does one without words, which divides lists. */
export const withoutComments = (markdown: string): string =>
  markdown.includes('<!--')
    ? leftOut(markdown, (kind, inner) => kind === 'comment' && inner !== null && !/^\s*-->$/.test(inner), '')
    : markdown

/** The same with something in the place of its code, in whatever form. */
export function withoutCode(text: string, by = ''): string {
  const unfenced = text.replace(markdownCode, () => by)
  const parts: string[] = []
  let at = 0
  for (const { from, to } of indentedCode(unfenced)) {
    parts.push(unfenced.slice(at, from))
    at = to
  }
  return [...parts, unfenced.slice(at)].join(by)
}

type Kind = 'comment' | 'script' | 'style'

/** `isMeant`: asked with what stands in one up to its end; null where nothing ends it. */
function leftOut(markdown: string, isMeant: (kind: Kind, inner: string | null) => boolean, by: string): string {
  const blankLine = nextOf(markdown, /\n[ \t]*\n/g)
  const ends = {
    comment: nextOf(markdown, /-->/g),
    script: nextOf(markdown, /<\/script\s*>/gi),
    style: nextOf(markdown, /<\/style\s*>/gi)
  }
  const code = indentedCode(markdown)
  let nextCode = 0
  let shown = ''
  let from = 0
  opening.lastIndex = 0
  for (let found = opening.exec(markdown); found !== null; found = opening.exec(markdown)) {
    const { start, opener, element } = found.groups ?? {}
    if (opener === undefined) continue
    const inner = found.index + found[0].length
    while ((code[nextCode]?.to ?? inner) < inner) nextCode += 1
    if ((code[nextCode]?.from ?? inner) < inner) continue
    const end = isWholeComment(markdown, inner)
      ? { from: inner, to: markdown.indexOf('>', inner) + 1 }
      : ends[kindOf(element)](inner)
    if (!isMeant(kindOf(element), Number.isFinite(end.to) ? markdown.slice(inner, end.to) : null)) continue
    // Further to the right it ends with its list.
    const isInLine = start === undefined || (/^(?: {4}| {0,3}\t)/.test(start) && !Number.isFinite(end.to))
    if (isInLine && end.to >= blankLine(inner).from) continue
    shown += `${markdown.slice(from, found.index)}${by}`
    from = end.to
    opening.lastIndex = from
  }
  return shown + markdown.slice(from)
}

const kindOf = (element: string | undefined): Kind => {
  if (element === undefined) return 'comment'
  return element.toLowerCase() === 'script' ? 'script' : 'style'
}

/** `<!-->` and `<!--->`. */
const isWholeComment = (markdown: string, inner: number): boolean =>
  markdown.startsWith('--', inner - 2) && (markdown.startsWith('>', inner) || markdown.startsWith('->', inner))

const nowhere = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** Finds the next match from a place on, for places that follow each other: each part of the text is looked at once. */
function nextOf(text: string, pattern: RegExp): (place: number) => { from: number; to: number } {
  let next = { from: -1, to: -1 }
  return place => {
    if (next.from >= place) return next
    pattern.lastIndex = place
    const found = pattern.exec(text)
    next = found === null ? nowhere : { from: found.index, to: pattern.lastIndex }
    return next
  }
}
