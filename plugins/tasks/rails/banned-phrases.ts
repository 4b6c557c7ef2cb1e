import { withoutSurplusMarks } from '#text'
import { readMarkdown } from '../article.ts'
import type { BuiltInRail } from '../ports.ts'
import { findingOf, quote } from './faults.ts'

/** Phrases the operator does not want to read, whatever their case, as whole words. */
export const bannedPhrases: BuiltInRail = {
  name: 'banned_phrases',
  describe: 'None of the phrases in qa_banned_phrases.',
  mode: 'required',
  threshold: 100,
  weight: 0.5,
  check({ title, excerpt, content }, _assignment, context) {
    const { blocks, sections } = readMarkdown(content)
    const headings = sections.map(section => section.heading ?? '')
    const text = normalise([title, excerpt, ...headings, ...blocks.map(block => block.text)].join('\n'))
    const found = context.bannedPhrases.filter(phrase => occurs(normalise(phrase), text))
    return findingOf(
      found.map(phrase => `the banned phrase ${quote(phrase)}`),
      50,
      context.bannedPhrases.length === 0 ? 'No phrase is banned.' : 'No banned phrase.'
    )
  }
}

/**
 * Why a value of `qa_banned_phrases` is refused when it is set. The schema takes blank phrases: a stored list with one would not
 * be valid, and no phrase of it banned.
 */
export function faultOfPhrases(text: string): string | null {
  const phrases: readonly string[] = JSON.parse(text)
  const blank = phrases.findIndex(phrase => normalise(phrase) === '')
  return blank === -1 ? null : `item ${blank} must not be blank`
}

function normalise(text: string): string {
  return withoutSurplusMarks(text).normalize('NFKC').toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').trim()
}

function occurs(phrase: string, text: string): boolean {
  if (phrase === '') return false
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    const end = at + phrase.length
    const inside = joins(text.slice(Math.max(0, at - 1), at + 1)) || joins(text.slice(end - 1, end + 1))
    if (!inside) return true
  }
  return false
}

function joins(pair: string): boolean {
  return /^[\p{L}\p{N}]{2}$/u.test(pair)
}
