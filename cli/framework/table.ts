import type { Terminal } from '../../core/contract/command.ts'
import { graphemesOf } from '../../text/graphemes.ts'
import { formatInstant } from '../../time/instant.ts'
import { sanitizeLine } from './sanitize.ts'

/** What of a terminal decides how a text looks; without colour and zone it is plain, and times are ISO 8601 as in JSON. */
export type TerminalFormat = Partial<Pick<Terminal, 'columns' | 'hasColour' | 'timeZone'>>

/** A whole list in the shape every list has. */
export function listOf<Item>(items: Item[]): { items: Item[]; total: number; limit: number; offset: number } {
  return { items, total: items.length, limit: Math.max(items.length, 1), offset: 0 }
}

/**
 * A column of a table. What is made narrower where a terminal is too small are sentences (`isText`), and where that is not
 * enough, columns with the highest `dropOrder` are left out whole: an id, a name or a time says nothing when it is cut.
 */
export interface Column {
  readonly heading: string
  /** Sentences and titles, which may be cut. Of a column given as a plain word it is whether a cell holds a blank. */
  readonly isText?: boolean
  /** What goes first where there is no room; a column without it never goes. */
  readonly dropOrder?: number
  /** Of the last column: what does not fit goes on under it instead of being cut. */
  readonly wraps?: boolean
}

const gap = '  '
/** A sentence that would have less room than this goes before others do. */
const minTextWidth = 10
/** Texts are not made narrower than this, however small the terminal. */
const minColumnWidth = 8

/**
 * Rows under headings, columns padded to the widest cell; control characters and line breaks become blanks.
 * With a terminal, a row fits on a line as `Column` says (a pipe's is wide enough for all). Of headings that are given as
 * plain words the last without sentences goes first, and the first never does. Instants are shown in the operator's zone.
 */
export function table(
  headings: readonly (string | Column)[],
  rows: readonly (readonly (string | null)[])[],
  terminal: TerminalFormat = {}
): string {
  const columns = headings.map((heading, index) => columnOf(heading, index, rows))
  const lines = [columns.map(({ heading }) => heading), ...rows].map(row =>
    row.map(cell => sanitizeLine(localTimeOr(cell ?? '–', terminal)))
  )
  const natural = columns.map((_, index) => Math.max(...lines.map(line => displayWidth(line[index] ?? ''))))
  const widths = fit(columns, natural, terminal.columns ?? Number.POSITIVE_INFINITY)
  const [heading = '', ...rest] = lines.flatMap(line =>
    wrappedRows(line, columns.at(-1)?.wraps ? (widths.at(-1) ?? null) : null).map(row =>
      row
        .flatMap((cell, index) => pad(cell, widths[index] ?? null))
        .join(gap)
        .trimEnd()
    )
  )
  return [paint(heading, 'bold', terminal), ...rest].join('\n')
}

function columnOf(
  given: string | Column,
  index: number,
  rows: readonly (readonly (string | null)[])[]
): Required<Column> {
  if (typeof given !== 'string') return { isText: false, dropOrder: 0, wraps: false, ...given }
  const isText = rows.some(row => isProse(row[index] ?? ''))
  return { heading: given, dropOrder: isText ? 0 : index, isText, wraps: false }
}

/** What a page shows of, and the sentence for a list that holds nothing: what there is to do about it. */
interface PageFacts {
  total: number
  offset: number
  empty: string
}

/** A page of a list as people read it: its rows and how many there are, or in a sentence why there are none. */
export function pageTable(
  columns: readonly Column[],
  rows: readonly (readonly (string | null)[])[],
  { total, offset, empty }: PageFacts,
  terminal: TerminalFormat = {}
): string {
  if (rows.length > 0) return `${table(columns, rows, terminal)}\n${rows.length} of ${total}`
  return total === 0 ? empty : `Nothing from ${offset + 1} on: there are ${total}. A smaller --offset shows them.`
}

const codes = { bold: [1, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const

/** The text in a colour, where the terminal shows colours. */
export function paint(
  text: string,
  colour: keyof typeof codes,
  { hasColour: isShown = false }: TerminalFormat
): string {
  const [on, off] = codes[colour]
  return isShown ? `\u001b[${on}m${text}\u001b[${off}m` : text
}

/** As the API writes instants; any other text is not taken for one. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const localTimeOr = (text: string, { timeZone }: TerminalFormat): string =>
  timeZone !== undefined && instant.test(text) && !Number.isNaN(Date.parse(text)) ? formatInstant(text, timeZone) : text

const localTime = /^\d{4}-\d\d-\d\d \d\d:\d\d(Z|[+-]\d\d:\d\d)$/
const isProse = (cell: string): boolean => /\s/.test(cell.trim()) && !instant.test(cell) && !localTime.test(cell)

/** The width of each column that stays; null for those that are left out. */
function fit(
  columns: readonly { isText: boolean; dropOrder: number }[],
  natural: readonly number[],
  available: number
): (number | null)[] {
  const widths: (number | null)[] = [...natural]
  const total = (minWidth: (width: number, index: number) => number) => {
    const shown = widths.flatMap((width, index) => (width === null ? [] : minWidth(width, index)))
    return shown.reduce((sum, width) => sum + width, gap.length * (shown.length - 1))
  }
  const needed = (width: number, index: number) => (columns[index]?.isText ? Math.min(width, minTextWidth) : width)
  while (total(needed) > available) {
    const maxDrop = Math.max(...columns.map(({ dropOrder }, index) => (widths[index] === null ? 0 : dropOrder)))
    if (maxDrop === 0) break
    widths[columns.findIndex(({ dropOrder }, index) => dropOrder === maxDrop && widths[index] !== null)] = null
  }
  while (total(width => width) > available) {
    const widest = Math.max(...widths.map((width, index) => (columns[index]?.isText ? (width ?? 0) : 0)))
    if (widest <= minColumnWidth) break
    widths[widths.findIndex((width, index) => width === widest && columns[index]?.isText)] = widest - 1
  }
  return widths
}

/** The lines of a row whose last cell is as wide as given; null: as it comes. */
function wrappedRows(line: readonly string[], width: number | null): string[][] {
  const [first = '', ...more] = width === null ? [line.at(-1) ?? ''] : wrapped(line.at(-1) ?? '', width)
  const blank = line.slice(1).map(() => '')
  return [[...line.slice(0, -1), first], ...more.map(part => [...blank, part])]
}

/** A text in lines of a width, broken at blanks, and within a word only where that is wider. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  const add = (part: string, blank: string) => {
    if (line !== '' && displayWidth(line + blank + part) > width) lines.push(line)
    else part = line === '' ? part : line + blank + part
    line = part
  }
  for (const word of text.split(' '))
    if (displayWidth(word) <= width) add(word, ' ')
    else for (const [index, character] of graphemesOf(word).entries()) add(character, index === 0 ? ' ' : '')
  return [...lines, line]
}

function pad(text: string, width: number | null): string[] {
  if (width === null) return []
  const shown = shorten(text, width)
  return [shown + ' '.repeat(Math.max(0, width - displayWidth(shown)))]
}

/** The text as far as it fits, with `…` where it is cut. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let shown = ''
  let used = 0
  for (const character of graphemesOf(text)) {
    used += widthOf(character)
    if (used > width - 1) break
    shown += character
  }
  return `${shown}…`
}

/** Characters a terminal draws over two cells: CJK, full-width forms, emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f|[\u{20000}-\u{3fffd}]/u
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]*$/u

const widthOf = (character: string): number => (zeroWidth.test(character) ? 0 : wide.test(character) ? 2 : 1)

/** Cells that a text takes on a terminal. */
export function displayWidth(text: string): number {
  // Nearly all text is printable ASCII.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  return graphemesOf(text).reduce((width, character) => width + widthOf(character), 0)
}

/** `name  value` lines, for one item; with a terminal, instants are shown in the operator's zone. */
export function fieldLines(item: Readonly<Record<string, unknown>>, terminal: TerminalFormat = {}): string {
  const width = Math.max(...Object.keys(item).map(name => name.length))
  return Object.entries(item)
    .map(([name, value]) => `${name.padEnd(width)}  ${sanitizeLine(valueText(value, terminal))}`)
    .join('\n')
}

/** Lists as their parts, objects as what is set in them, what is empty as `–`. */
function valueText(value: unknown, terminal: TerminalFormat): string {
  if (typeof value === 'string') return localTimeOr(value, terminal)
  if (value === null || value === undefined) return '–'
  if (typeof value !== 'object') return String(value)
  const parts = Array.isArray(value)
    ? value.map(part => valueText(part, terminal))
    : Object.entries(value)
        .filter(([, part]) => part !== null && part !== undefined)
        .map(([name, part]) => `${name} ${valueText(part, terminal)}`)
  return parts.length === 0 ? '–' : parts.join(', ')
}
