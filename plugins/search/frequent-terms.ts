import { eachToken } from './analysis/analyze.ts'
import type { SearchLanguage } from './analysis/languages.ts'
import { mentionIn } from './inverted-index/frequency.ts'
import { headingsOf } from './inverted-index/text-fields.ts'

/** The terms that a text says most, those of title and headings above all. */
export function frequentTerms(
  { title, excerpt, body }: { title: string; excerpt: string; body: string },
  language: SearchLanguage,
  max: number
): string[] {
  const counts = new Map<string, number>()
  const count = (text: string, worth: number) =>
    eachToken(text, language, 0, term => {
      if (term.length >= 2) counts.set(term, (counts.get(term) ?? 0) + worth)
    })
  count(title, mentionIn.title)
  count(excerpt, mentionIn.text)
  count(body, mentionIn.text)
  for (const heading of headingsOf(body)) count(heading, mentionIn.heading)
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, max)
    .map(([term]) => term)
}
