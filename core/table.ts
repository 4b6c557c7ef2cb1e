import type { Terminal } from './command.ts'
import { showTime } from './time.ts'

/** What of a terminal decides how a text looks; without colour and zone it is plain, and times are ISO 8601 as in JSON. */
export type Looks = Partial<Pick<Terminal, 'columns' | 'colour' | 'timeZone'>>

/** A whole list in the shape every list has. */
export function listOf<Item>(items: Item[]): { items: Item[]; total: number; limit: number; offset: number } {
  return { items, total: items.length, limit: Math.max(items.length, 1), offset: 0 }
}

const gap = '  '
/** Columns are not made narrower than this, however small the terminal. */
const narrowest = 8

/**
 * Rows under headings, columns padded to the widest cell; control characters and line breaks become blanks.
 * With a terminal, columns are cut so that a row fits on a line (a pipe's is wide enough for all): the widest of those that
 * hold sentences first, since a name or a time says nothing when it is cut. Instants are shown in the operator's zone.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  terminal: Looks = {}
): string {
  const lines = [headings, ...rows].map(row => row.map(cell => clean(timeOr(cell ?? '–', terminal))))
  const natural = headings.map((_, column) => Math.max(...lines.map(line => displayWidth(line[column] ?? ''))))
  const prose = headings.map((_, column) => rows.some(row => isProse(row[column] ?? '')))
  const widths = fit(natural, prose, terminal.columns ?? Number.POSITIVE_INFINITY)
  const [heading = '', ...rest] = lines.map(line =>
    line
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join(gap)
      .trimEnd()
  )
  return [paint(heading, 'bold', terminal), ...rest].join('\n')
}

const codes = { bold: [1, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const

/** The text in a colour, where the terminal shows colours. */
export function paint(text: string, colour: keyof typeof codes, { colour: isShown = false }: Looks): string {
  const [on, off] = codes[colour]
  return isShown ? `\u001b[${on}m${text}\u001b[${off}m` : text
}

/** As the API writes instants; any other text is not taken for one. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const timeOr = (text: string, { timeZone }: Looks): string =>
  timeZone !== undefined && instant.test(text) && !Number.isNaN(Date.parse(text)) ? showTime(text, timeZone) : text

const isProse = (cell: string): boolean => /\s/.test(cell.trim()) && !instant.test(cell)

function fit(natural: readonly number[], prose: readonly boolean[], columns: number): number[] {
  const widths = [...natural]
  const total = () => widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1)
  const cut = (mayBeCut: (column: number) => boolean) => {
    while (total() > columns) {
      const widest = Math.max(...widths.filter((_, column) => mayBeCut(column)))
      if (widest <= narrowest) return
      widths[widths.findIndex((width, column) => width === widest && mayBeCut(column))] = widest - 1
    }
  }
  cut(column => prose[column] === true)
  cut(() => true)
  return widths
}

function pad(text: string, width: number): string {
  const shown = shorten(text, width)
  return shown + ' '.repeat(Math.max(0, width - displayWidth(shown)))
}

/** The text as far as it fits, with `…` where it is cut. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const character of text) {
    used += displayWidth(character)
    if (used > width - 1) break
    kept += character
  }
  return `${kept}…`
}

/** Characters a terminal draws over two cells: CJK, full-width forms, emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u
const unseen = /[\p{Mn}\p{Me}\u200b-\u200f\ufeff]/u

/** Cells that a text takes on a terminal. */
export function displayWidth(text: string): number {
  // Nearly all text is printable ASCII.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += unseen.test(character) ? 0 : wide.test(character) ? 2 : 1
  return width
}

// A title must not be able to move the cursor or forge a second row.
const clean = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

/** `name  value` lines, for one item; with a terminal, instants are shown in the operator's zone. */
export function fieldLines(item: Readonly<Record<string, unknown>>, terminal: Looks = {}): string {
  const width = Math.max(...Object.keys(item).map(name => name.length))
  return Object.entries(item)
    .map(([name, value]) => `${name.padEnd(width)}  ${clean(valueText(value, terminal))}`)
    .join('\n')
}

/** Lists as their parts, objects as what is set in them, what is empty as `–`. */
function valueText(value: unknown, terminal: Looks): string {
  if (typeof value === 'string') return timeOr(value, terminal)
  if (value === null || value === undefined) return '–'
  if (typeof value !== 'object') return String(value)
  const parts = Array.isArray(value)
    ? value.map(part => valueText(part, terminal))
    : Object.entries(value)
        .filter(([, part]) => part !== null && part !== undefined)
        .map(([name, part]) => `${name} ${valueText(part, terminal)}`)
  return parts.length === 0 ? '–' : parts.join(', ')
}

/** `1 slot`, `2 slots`: a number with its noun, which is given in the singular. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
