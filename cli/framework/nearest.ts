/** Edits (insert, delete, replace, swap neighbours) that turn one word into the other. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      const edits = [at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + cost]
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) edits.push(at(beforeLast, column - 2) + 1)
      current.push(Math.min(...edits))
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY

/** The candidates a mistyped word may have meant, nearest first, at most three. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  const tolerated = Math.max(1, Math.floor(word.length / 3))
  return candidates
    .map(candidate => ({
      candidate,
      edits: candidate.startsWith(word) && word.length > 2 ? 0 : distance(word.slice(0, 64), candidate)
    }))
    .filter(({ edits }) => edits <= tolerated)
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}
