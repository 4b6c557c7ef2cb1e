import { plainWordsOf } from '#text'
import { type Heading, headingsIn } from './heading-lines.ts'

const lowest = 6

/**
 * A text without headings of the first level, which is the title of its post: where there is one, all are one level lower. A
 * first heading that is the title stays as it is, for readers get it once. So do all where the post has no title but in them.
 */
export function withLowerHeadings(markdown: string, title: string): string {
  const lines = markdown.split('\n')
  const headings = headingsIn(lines)
  const [first] = headings
  const isLeading = first?.level === 1 && first.at === (first.isUnderlined ? 1 : 0)
  if (!isLeading && plainTitle(title) === '') return markdown
  const others = isLeading && isTitle(lines[0] ?? '', title) ? headings.slice(1) : headings
  if (!others.some(({ level }) => level === 1)) return markdown
  for (const heading of others) lower(lines, heading)
  return lines.join('\n')
}

function lower(lines: string[], { at, level, isUnderlined }: Heading): void {
  const line = lines[at] ?? ''
  if (level === lowest) return
  if (!isUnderlined) lines[at] = line.replace('#', '##')
  else if (level === 1) lines[at] = '-'.repeat(Math.max(line.trim().length, 3))
  else {
    // Only the first two levels are underlined.
    lines[at - 1] = `### ${(lines[at - 1] ?? '').trim()}`
    lines[at] = ''
  }
}

/** `line`: a heading. Of a link in it, the text counts. */
function isTitle(line: string, title: string): boolean {
  const text = line.replace(/\[([^[\]]{0,500})\]\([^()]{0,2000}\)/g, '$1')
  return plainTitle(title) === '' || plainTitle(text) === plainTitle(title)
}

const plainTitle = (text: string): string => plainWordsOf(text).join(' ')
