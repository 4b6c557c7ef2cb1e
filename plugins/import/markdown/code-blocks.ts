/** Code of a text in a fence or between tags, by the numbers of its first and its last line. */
export interface CodeBlock {
  from: number
  to: number
  /** What its tag says of it; null for a fence. */
  tag: string | null
}

const tagStart =
  /^[ \t]*(?:\{%-?\s*(?:highlight|codeblock|code)\b(?<liquid>[^%]*)%\}|\{\{[<%]\s*highlight\b(?<hugo>[^>%]*)[>%]\}\})[ \t]*$/
const liquidEnd = /^[ \t]*\{%-?\s*end(?:highlight|codeblock|code)\s*-?%\}[ \t]*$/
const hugoEnd = /^[ \t]*\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}[ \t]*$/
const fenceStart = /^(?<indent>[ \t]*)(?<mark>`{3,}(?=[^`]*$)|~{3,})/
const fenceEnd = /^(?<indent>[ \t]*)(?<mark>`{3,}|~{3,})[ \t]*$/

/**
 * The blocks of code of a text. A fence that nothing ends has all that follows, unless it stands so far to the right that it may be
 * shown itself. Tags that nothing ends, and those in what is raw, are text.
 */
export function codeBlocks(lines: readonly string[]): CodeBlock[] {
  const blocks: CodeBlock[] = []
  const endOf = blockEnds(lines)
  let isRaw = false
  for (let from = 0; from < lines.length; from += 1) {
    const block = (isRaw ? null : endOf.tag(from)) ?? endOf.fence(from)
    if (block === null) {
      isRaw = isRawBehind(lines[from] ?? '', isRaw)
      continue
    }
    blocks.push(block)
    from = block.to
  }
  return blocks
}

/** What begins in a line. What has no end is not looked for again: takes linear time. */
function blockEnds(lines: readonly string[]) {
  const ends = lines.flatMap((line, at) => (fenceEnd.test(line) ? [{ at, ...fenceOf(fenceEnd, line) }] : []))
  let nextEnd = 0
  const unended = new Set<RegExp | string>()
  return {
    tag(from: number): CodeBlock | null {
      const { liquid, hugo } = tagStart.exec(lines[from] ?? '')?.groups ?? {}
      const end = hugo === undefined ? liquidEnd : hugoEnd
      if ((liquid ?? hugo) === undefined || unended.has(end)) return null
      let isRaw = false
      for (let to = from + 1; to < lines.length; to += 1) {
        const line = lines[to] ?? ''
        if (!isRaw && end.test(line)) return { from, to, tag: liquid ?? hugo ?? '' }
        isRaw = end === liquidEnd && isRawBehind(line, isRaw)
      }
      unended.add(end)
      return null
    },
    fence(from: number): CodeBlock | null {
      const line = lines[from] ?? ''
      if (!fenceStart.test(line)) return null
      const { indent, mark } = fenceOf(fenceStart, line)
      while ((ends[nextEnd]?.at ?? lines.length) <= from) nextEnd += 1
      if (!unended.has(`${indent}${mark}`))
        for (let next = nextEnd; next < ends.length; next += 1) {
          const end = ends[next]
          if (end?.mark.startsWith(mark) === true && end.indent <= indent + 3) return { from, to: end.at, tag: null }
        }
      unended.add(`${indent}${mark}`)
      return indent > 3 ? null : { from, to: lines.length - 1, tag: null }
    }
  }
}

interface Fence {
  indent: number
  mark: string
}

function fenceOf(pattern: RegExp, line: string): Fence {
  const { indent = '', mark = '' } = pattern.exec(line)?.groups ?? {}
  return { indent: indent.replace(/\t/g, '    ').length, mark }
}

/** Whether what follows a line of text is raw. Code in the line shows tags. */
function isRawBehind(line: string, isRaw: boolean): boolean {
  const last = line
    .replace(/`[^`]*`/g, '')
    .match(/\{%-?\s*(?:end)?raw\s*-?%\}/g)
    ?.at(-1)
  return last === undefined ? isRaw : !last.includes('end')
}
