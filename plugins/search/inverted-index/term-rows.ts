/**
 * What is known of each term, by its number: a row of integers, side by side in memory. A posting of a rare term touches one row
 * and one place of the pool, and little else that is not in the processor's cache.
 */
export interface TermRows {
  values: Int32Array
}

/** Columns of a row. */
export const columns = {
  /** How often the present text says it. */
  frequency: 0,
  /** Its first and its last position in the present text, as places of the tally; 0 for none. */
  firstPosition: 1,
  lastPosition: 2,
  /** The last post of its list. */
  lastPost: 3,
  /** Its list in the pool: where it begins, 0 without one; where it goes on; where its last piece ends, and how large that is. */
  begin: 4,
  next: 5,
  end: 6,
  pieceSize: 7
} as const

const rowSize = 8
const firstTerms = 1024

export const createTermRows = (): TermRows => ({ values: new Int32Array(rowSize * firstTerms) })

/** Where the row of a term begins. */
export const rowOf = (term: number): number => term * rowSize

/** Makes room for the row of a term. */
export function ensureRow(rows: TermRows, term: number): void {
  if (rowOf(term + 1) <= rows.values.length) return
  const larger = new Int32Array(Math.max(rowOf(term + 1), 2 * rows.values.length))
  larger.set(rows.values)
  rows.values = larger
}
