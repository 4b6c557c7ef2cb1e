import { editDistance } from '../../text/edit-distance.ts'

/** The candidates a mistyped word may have meant, nearest first, at most three. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  const tolerated = Math.max(1, Math.floor(word.length / 3))
  return candidates
    .map(candidate => ({
      candidate,
      edits: candidate.startsWith(word) && word.length > 2 ? 0 : editDistance(word, candidate, tolerated + 1)
    }))
    .filter(({ edits }) => edits <= tolerated)
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}
