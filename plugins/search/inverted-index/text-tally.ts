/** What one text says, by number of the term, with the positions of each as a chain. Nothing is allocated for a text. */
export interface TextTally {
  /** Those that it says, in the order of their first mention. */
  readonly terms: number[]
  worths: Int32Array
  /** Index of the first and the last position of a term; 0 for none. */
  firsts: Int32Array
  lasts: Int32Array
  positions: Int32Array
  /** Index of the next position of the same term. */
  nexts: Int32Array
  /** Positions so far. */
  count: number
}

const firstTerms = 1024
const firstPositions = 1024

export const createTextTally = (): TextTally => ({
  terms: [],
  worths: new Int32Array(firstTerms),
  firsts: new Int32Array(firstTerms),
  lasts: new Int32Array(firstTerms),
  positions: new Int32Array(firstPositions),
  nexts: new Int32Array(firstPositions),
  count: 0
})

/** Adds a mention; without a position for one that stands elsewhere as well. */
export function addMention(tally: TextTally, term: number, worth: number, position: number | undefined): void {
  if (term >= tally.worths.length) growTerms(tally, term)
  const before = tally.worths[term] ?? 0
  if (before === 0) tally.terms.push(term)
  tally.worths[term] = before + worth
  if (position === undefined) return
  tally.count += 1
  if (tally.count >= tally.positions.length) growPositions(tally)
  const at = tally.count
  tally.positions[at] = position
  tally.nexts[at] = 0
  const last = tally.lasts[term] ?? 0
  if (last === 0) tally.firsts[term] = at
  else tally.nexts[last] = at
  tally.lasts[term] = at
}

export const firstPositionOf = ({ firsts }: TextTally, term: number): number => firsts[term] ?? 0

export function clearTextTally(tally: TextTally): void {
  for (const term of tally.terms) {
    tally.worths[term] = 0
    tally.firsts[term] = 0
    tally.lasts[term] = 0
  }
  tally.terms.length = 0
  tally.count = 0
}

function growTerms(tally: TextTally, term: number): void {
  const length = Math.max(term + 1, tally.worths.length * 2)
  tally.worths = grown(tally.worths, length)
  tally.firsts = grown(tally.firsts, length)
  tally.lasts = grown(tally.lasts, length)
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
