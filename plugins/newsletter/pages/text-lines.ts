/** Lines of a plain text as they come about. */
export interface TextLines {
  /** Adds to the present line. A run of blanks is one, and none at the beginning. */
  add(text: string): void
  /** Adds a text with its blanks and line breaks. */
  addVerbatim(text: string): void
  /** What comes next begins a line, or a paragraph. Several in a row are one. Returns whether it ended a line. */
  breakLine(kind: 'line' | 'paragraph'): boolean
  /** Puts `rest` before every line from now on, and `first` before the next one. */
  indent(rest: string, first?: string): void
  outdent(): void
  text(): string
}

/** Indents that are shown: with each, every line within is longer. */
const maxIndents = 8

export function createTextLines(): TextLines {
  const lines: string[] = []
  const indents: { rest: string; first?: string | undefined }[] = []
  let line: string | undefined
  /** The blank line that is due. */
  let blank: string | undefined
  const shown = () => indents.slice(0, maxIndents)
  const begin = (): string => {
    if (blank !== undefined && lines.length > 0) lines.push(blank)
    blank = undefined
    const begun = shown()
      .map(({ rest, first = rest }) => first)
      .join('')
    for (const indent of indents) indent.first = undefined
    return begun
  }
  const append = (text: string) => {
    line = (line ?? begin()) + text
  }
  const end = (): boolean => {
    const isBegun = line !== undefined
    if (line !== undefined) lines.push(line.trimEnd())
    line = undefined
    return isBegun
  }
  return {
    add(text) {
      const collapsed = text.replace(/[ \t\r\n]+/g, ' ')
      const added = line === undefined || line.endsWith(' ') ? collapsed.trimStart() : collapsed
      if (added !== '') append(added)
    },
    addVerbatim(text) {
      for (const [at, each] of text.split('\n').entries()) {
        if (at > 0) end()
        append(each)
      }
    },
    breakLine(kind) {
      const hasEnded = end()
      // The first paragraph of a list item stands beside its mark.
      if (kind === 'line' || shown().some(({ first }) => first !== undefined)) return hasEnded
      const present = shown()
        .map(({ rest }) => rest)
        .join('')
        .trimEnd()
      // Between a quotation and what is around it, that of the latter.
      if (blank === undefined || present.length < blank.length) blank = present
      return hasEnded
    },
    indent: (rest, first) => void indents.push({ rest, first }),
    outdent: () => void indents.pop(),
    text() {
      end()
      return lines.join('\n')
    }
  }
}
