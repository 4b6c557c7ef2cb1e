import { eachToken, type TextLanguage } from '#text'
import { fieldBoost } from './inverted-index/frequency.ts'
import { headingsOf, type PostText, shownBody } from './inverted-index/text-fields.ts'
import type { WeightedTerm } from './matching/matching.ts'

/** How soon a repeated term stops counting more: as in a query. */
const saturation = 3

/** The terms that a text says most, those of title and headings above all; each counts by how often it is said. */
export function frequentTerms(
  post: Pick<PostText, 'title' | 'excerpt' | 'body'>,
  language: TextLanguage,
  max: number
): WeightedTerm[] {
  const counts = new Map<string, number>()
  const count = (text: string, boost: number) =>
    eachToken(text, language, 0, term => {
      if (term.length >= 2) counts.set(term, (counts.get(term) ?? 0) + boost)
    })
  const body = shownBody(post)
  count(post.title, fieldBoost.title)
  count(post.excerpt, fieldBoost.text)
  count(body, fieldBoost.text)
  for (const heading of headingsOf(body)) count(heading, fieldBoost.heading)
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, max)
    .map(([term, frequency]) => {
      const mentions = frequency / fieldBoost.text
      return { term, weight: (mentions * (saturation + 1)) / (saturation + mentions) }
    })
}
