import { columns, rowOf, type TermRows } from './term-rows.ts'

/** What one text says: its terms, and the positions of each as a chain. Nothing is allocated for a text. */
export interface TextTally {
  readonly rows: TermRows
  /** Those that it says, in the order of their first mention. */
  readonly terms: number[]
  positions: Int32Array
  /** Place of the next position of the same term; 0 for none. */
  nexts: Int32Array
  /** Positions so far. */
  count: number
}

const firstPositions = 1024

export const createTextTally = (rows: TermRows): TextTally => ({
  rows,
  terms: [],
  positions: new Int32Array(firstPositions),
  nexts: new Int32Array(firstPositions),
  count: 0
})

/** Adds a mention of a term that has a row; without a position for one that stands elsewhere as well. */
export function addMention(tally: TextTally, term: number, boost: number, position: number | undefined): void {
  const { values } = tally.rows
  const row = rowOf(term)
  const before = values[row + columns.frequency] ?? 0
  if (before === 0) tally.terms.push(term)
  values[row + columns.frequency] = before + boost
  if (position === undefined) return
  tally.count += 1
  if (tally.count >= tally.positions.length) growPositions(tally)
  const at = tally.count
  tally.positions[at] = position
  tally.nexts[at] = 0
  const last = values[row + columns.lastPosition] ?? 0
  if (last === 0) values[row + columns.firstPosition] = at
  else tally.nexts[last] = at
  values[row + columns.lastPosition] = at
}

export function clearTextTally(tally: TextTally): void {
  const { values } = tally.rows
  for (const term of tally.terms) {
    const row = rowOf(term)
    values[row + columns.frequency] = 0
    values[row + columns.firstPosition] = 0
    values[row + columns.lastPosition] = 0
  }
  tally.terms.length = 0
  tally.count = 0
}

function growPositions(tally: TextTally): void {
  const length = tally.positions.length * 2
  tally.positions = grown(tally.positions, length)
  tally.nexts = grown(tally.nexts, length)
}

function grown(array: Int32Array, length: number): Int32Array {
  const larger = new Int32Array(length)
  larger.set(array)
  return larger
}
