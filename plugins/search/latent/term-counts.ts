import { eachWord } from '#text'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import type { TermCounts } from './lsa.ts'

/** The beginning says what a text is about, and a long one costs no more than others. */
const maxCharacters = 20_000

export function countTerms({ title, excerpt, body, analyzed_as: language }: AnalyzedPost): TermCounts {
  const counts = new Map<string, number>()
  for (const text of [title, excerpt, body.slice(0, maxCharacters)])
    eachWord(text, language, 0, ({ term, isStopWord }) => {
      if (!isStopWord) counts.set(term, (counts.get(term) ?? 0) + 1)
    })
  return counts
}
