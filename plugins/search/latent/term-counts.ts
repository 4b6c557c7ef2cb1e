import { eachWord } from '#text'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import type { TermCounts } from './lsa.ts'

export function countTerms({ title, excerpt, body, analyzed_as: language }: AnalyzedPost): TermCounts {
  const counts = new Map<string, number>()
  for (const text of [title, excerpt, body])
    eachWord(text, language, 0, ({ term, isStopWord }) => {
      if (!isStopWord) counts.set(term, (counts.get(term) ?? 0) + 1)
    })
  return counts
}
