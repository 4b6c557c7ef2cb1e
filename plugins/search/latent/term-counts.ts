import { eachWord } from '#text'
import { type AnalyzedPost, shownBody } from '../inverted-index/text-fields.ts'
import type { TermCounts } from './lsa.ts'

export function countTerms({ analyzed_as: language, ...post }: AnalyzedPost): TermCounts {
  const counts = new Map<string, number>()
  for (const text of [post.title, post.excerpt, shownBody(post)])
    eachWord(text, language, 0, ({ term, isStopWord }) => {
      if (!isStopWord) counts.set(term, (counts.get(term) ?? 0) + 1)
    })
  return counts
}
