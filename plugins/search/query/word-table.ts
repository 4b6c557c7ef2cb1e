import { hasNoWords } from '../repository/words.ts'
import { groupBy } from './group-by.ts'
import type { TermFrequencies } from './spelling.ts'

/** Found where there were no words to compare with. It is cached as long as what was found of words is. */
const noneStored: readonly string[] = []

/** What was found, by what was asked for. */
export const foundTerms = (
  asked: readonly string[],
  rows: readonly { asked: string | null; term: string | null }[]
): Map<string, readonly string[]> =>
  hasNoWords(rows)
    ? new Map(asked.map(word => [word, noneStored]))
    : groupBy(asked, rows, row => [row.asked ?? '', row.term ?? ''])

/** Call for each query with what was found for it. */
export function noteMissing(
  index: Pick<TermFrequencies, 'missWords'>,
  found: ReadonlyMap<string, readonly string[]>
): void {
  if ([...found.values()].some(terms => terms === noneStored)) index.missWords?.()
}
