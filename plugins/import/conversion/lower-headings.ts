import { plainWordsOf } from '#text'

/** Marks of quotations and lists, in which a block may stand. */
const outer = '(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])(?=[ \\t]))*'
const fence = new RegExp(`^${outer}[ \\t]*(\`{3,}|~{3,})(.*)$`)
const heading = new RegExp(`^${outer} {0,3}(#{1,6})(?=\\s|$)`)
/** The line below a heading of the first level, as markdown of other editors has it. */
const underline = /^\s{0,3}=+\s*$/
const lowest = 6

/**
 * A text without headings of the first level, which is the title of its post: where there is one, all are one level lower. A
 * first heading that is the title stays as it is, for readers get it once.
 */
export function withLowerHeadings(markdown: string, title: string): string {
  const lines = markdown.split('\n')
  const levels = levelsOf(lines)
  const first = hasTitle(lines[0] ?? '', title) ? 1 : 0
  if (!levels.slice(first).includes(1)) return markdown
  return lines.map((line, at) => (at < first ? line : lowered(line, levels[at] ?? 0))).join('\n')
}

/** Of each line; 0 for one that is no heading. */
function levelsOf(lines: readonly string[]): number[] {
  let open: string | null = null
  return lines.map((line, at) => {
    const [, mark, behind = ''] = fence.exec(line) ?? []
    if (open !== null) {
      if (mark?.startsWith(open) && behind.trim() === '') open = null
      return 0
    }
    if (mark !== undefined) open = mark
    if (underline.test(line) && (lines[at - 1] ?? '').trim() !== '') return 1
    return heading.exec(line)?.[1]?.length ?? 0
  })
}

function lowered(line: string, level: number): string {
  if (level === 0 || level === lowest) return line
  return underline.test(line) ? line.replaceAll('=', '-') : line.replace('#', '##')
}

function hasTitle(line: string, title: string): boolean {
  const [, text] = /^# +(.*)/.exec(line) ?? []
  return text !== undefined && (plainTitle(title) === '' || plainTitle(text) === plainTitle(title))
}

const plainTitle = (text: string): string => plainWordsOf(text).join(' ')
