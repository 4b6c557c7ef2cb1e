import { hasNoWords } from '../repository/words.ts'
import { groupBy } from './group-by.ts'
import type { TermFrequencies } from './spelling.ts'

/** Knows whether there were words to compare with when they were asked for last. */
export interface WordLookups {
  /** What was found, by what was asked for. */
  found(asked: readonly string[], rows: readonly { asked: string | null; term: string | null }[]): Map<string, string[]>
  /** Call for each query that words were looked up for. */
  noteUse(index: Pick<TermFrequencies, 'missWords'>): void
}

export function createWordLookups(): WordLookups {
  let isEmpty = false
  return {
    found(asked, rows) {
      isEmpty = hasNoWords(rows)
      return groupBy(asked, rows, row => [row.asked ?? '', row.term ?? ''])
    },
    noteUse(index) {
      if (isEmpty) index.missWords?.()
    }
  }
}
