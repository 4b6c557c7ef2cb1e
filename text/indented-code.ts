interface Range {
  from: number
  to: number
}

const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/
/** Elements whose content some indent: kramdown takes it for no code. */
const element =
  /^ {0,3}<\/?(?:div|section|article|aside|main|header|footer|nav|figure|details|table|thead|tbody|tr|td|th|ul|ol|li|dl|dd|blockquote|center|p)\b/i

/** Where code stands that is only indented: behind an empty line, and further to the right than the text of a list around it. Linear. */
export function indentedCode(markdown: string): Range[] {
  const found: Range[] = []
  /** Where the texts of the list items around a line begin. */
  const margins: number[] = []
  let isBehindEmpty = true
  let isCode = false
  let isInElement = false
  let from = 0
  for (const line of markdown.split(/(?<=\n)/)) {
    const to = from + line.length
    if (line.trim() === '') isBehindEmpty = true
    else {
      const column = columnOf(/^[ \t]*/.exec(line)?.[0] ?? '')
      const [marker] = item.exec(line.trimEnd()) ?? []
      if (isBehindEmpty || marker !== undefined) while (column < (margins.at(-1) ?? 0)) margins.pop()
      isCode = column >= (margins.at(-1) ?? 0) + 4 && (isBehindEmpty || isCode) && !isInElement
      if (isCode) found.push({ from, to })
      else {
        if (marker !== undefined) margins.push(columnOf(marker.replace(/(?<=\S)[ \t]{5,}$|(?<=\S)$/, ' ')))
        isInElement = element.test(line)
      }
      isBehindEmpty = false
    }
    from = to
  }
  return found
}

/** How far to the right blanks and a mark reach. */
function columnOf(text: string): number {
  let column = 0
  for (const letter of text) column += letter === '\t' ? 4 - (column % 4) : 1
  return column
}
