/** A heading of markdown. `at`: its line, or the line below it that makes it one. */
export interface Heading {
  at: number
  level: number
  isUnderlined: boolean
}

/** A mark of a quotation or of a list, in which a block may stand. */
const container = /^[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))/
const outer = `(?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t])))*`
const heading = new RegExp(`^${outer} {0,3}(#{1,6})(?=\\s|$)`)
/** The line below a heading of the first two levels, as markdown of other editors has it. */
const underline = /^ {0,3}(=+|-+)[ \t]*$/
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/

const fence = new RegExp(`^${outer}[ \\t]*(\`{3,}(?!.*\`)|~{3,})`)
const fenceEnd = new RegExp(`^${outer}[ \\t]*(\`{3,}|~{3,})[ \\t]*$`)
const rawHtml = /^ {0,3}<(pre|script|style|textarea)(?=[\s>]|$)/i
const comment = /^ {0,3}<!--/
const htmlBlock =
  /^ {0,3}<\/?(?:address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?=[\s/>]|$)/i

/** `from`: its first line. `isPlain`: it stands in no list or quotation. */
interface Paragraph {
  from: number
  isPlain: boolean
}

type IsEnd = (line: string) => boolean

/** The headings of a text, by its lines. What is code or HTML has none. */
export function headingsIn(lines: readonly string[]): Heading[] {
  const found: Heading[] = []
  let isEnd: IsEnd | null = null
  let isInList = false
  let paragraph: Paragraph | null = null
  for (const [at, line] of lines.entries()) {
    const before: Paragraph | null = paragraph
    paragraph = null
    if (isEnd !== null) {
      if (isEnd(line)) isEnd = null
      continue
    }
    if (line.trim() === '') continue
    const level = before?.isPlain ? underlinedLevel(line, at - before.from) : 0
    if (level > 0) {
      found.push({ at, level, isUnderlined: true })
      continue
    }
    if (rule.test(line)) continue
    const isMarked = container.test(line)
    const indent = indentOf(line)
    if (!isInList && before === null && indent >= 4) continue
    if (isMarked) isInList = true
    else if (before === null && indent < 2) isInList = false
    isEnd = isInList || indent < 4 ? endOfCode(line) : null
    if (isEnd !== null) {
      if (rawHtml.test(line) || comment.test(line)) isEnd = isEnd(line) ? null : isEnd
      continue
    }
    const [, marks] = heading.exec(line) ?? []
    if (marks !== undefined) found.push({ at, level: marks.length, isUnderlined: false })
    else paragraph = before ?? { from: at, isPlain: !isMarked && !isInList }
  }
  return found
}

/** `count`: of the lines above it that are text. One of several lines is taken for one of the first level alone. */
function underlinedLevel(line: string, count: number): number {
  const [, marks = ''] = underline.exec(line) ?? []
  if (marks === '') return 0
  return marks.startsWith('=') ? 1 : count === 1 ? 2 : 0
}

/** What ends the code or the HTML that a line begins; null where it begins none. */
function endOfCode(line: string): IsEnd | null {
  const [, mark] = fence.exec(line) ?? []
  if (mark !== undefined) return each => fenceEnd.exec(each)?.[1]?.startsWith(mark) === true
  const [, element] = rawHtml.exec(line) ?? []
  if (element !== undefined) return each => each.toLowerCase().includes(`</${element.toLowerCase()}>`)
  if (comment.test(line)) return each => each.includes('-->')
  return htmlBlock.test(line) ? each => each.trim() === '' : null
}

const indentOf = (line: string): number => (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length
