/**
 * The edits that turn one word into another (Damerau–Levenshtein): a letter more, fewer or replaced, or two neighbours
 * swapped. `max` and more are given as `max`.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) >= max) return max
  const editsAt = (row: readonly number[], column: number) => row[column] ?? max
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = editsAt(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1)
      let edits = Math.min(editsAt(last, column) + 1, editsAt(current, column - 1) + 1, replaced)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) edits = Math.min(edits, editsAt(beforeLast, column - 2) + 1)
      current.push(edits)
    }
    if (Math.min(...current) >= max) return max
    beforeLast = last
    last = current
  }
  return Math.min(editsAt(last, b.length), max)
}
