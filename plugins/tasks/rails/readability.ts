import { isStopWord, splitSentences, wordsOf } from '#text'
import { readMarkdown, withoutCitations } from '../article.ts'
import type { BuiltInRail } from '../ports.ts'

const minWords = 50
/** English prose runs at 40 to 60 % function words; below this share the text is in another language or is no prose. */
const englishShare = 0.2

/** Flesch reading ease. Cannot run on very short texts and on languages the formula was not made for. */
export const readability: BuiltInRail = {
  name: 'readability',
  describe: 'Flesch reading ease of English text: 60 (plain English) and above is full score, 0 is 40.',
  mode: 'advisory',
  threshold: 50,
  weight: 0.5,
  check({ content }) {
    const prose = readMarkdown(content).blocks.flatMap(block => splitSentences(withoutCitations(block.text)))
    const all = prose.flatMap(wordsOf)
    if (all.length < minWords || !isEnglish(all)) return null
    const perSentence = all.length / prose.length
    const ease =
      206.835 - 1.015 * perSentence - (84.6 * all.reduce((sum, word) => sum + syllables(word), 0)) / all.length
    const score = Math.round(Math.min(100, Math.max(0, 40 + ease)))
    return { score, note: `Reading ease ${Math.round(ease)}, ${Math.round(perSentence)} words a sentence.` }
  }
}

function isEnglish(all: readonly string[]): boolean {
  return all.filter(isStopWord).length / all.length >= englishShare
}

function syllables(word: string): number {
  const groups = word.replace(/(?:[^laeiouy]es|[^td]ed|[^l]e)$/, '').match(/[aeiouy]+/g)
  return Math.max(1, groups?.length ?? 1)
}
