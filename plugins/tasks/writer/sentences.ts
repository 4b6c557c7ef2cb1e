import { plainWordsOf, splitSentences, termsOf } from '#text'
import { countWords } from './words.ts'

/** A sentence that may be quoted, with what ranking needs to know about it. */
export interface Sentence {
  text: string
  words: number
  terms: readonly string[]
  /** Opens with a pronoun or a connective: makes sense only straight after its predecessor. */
  dependsOnPrevious: boolean
}

export const wordsIn = (sentences: readonly Sentence[]): number => sentences.reduce((sum, { words }) => sum + words, 0)

const sentenceWords = { min: 4, max: 60 }

const dependentOpening = new RegExp(
  `^(it|its|itself|this|these|those|that|they|them|their|he|she|his|her|hers|him|such|so|thus|hence|then|therefore|
  however|moreover|furthermore|besides|nevertheless|nonetheless|still|yet|and|but|or|nor|instead|otherwise|consequently|accordingly|
  also|similarly|likewise|meanwhile|afterwards|conversely|another|others?|both|neither|either|each of|some of|all of|most of|many of|
  one of (them|these|those)|the (former|latter|other|others|same|second|third|last|first|two|three|next|result|reason|rest)|
  for (example|instance|this|that|these)|in (contrast|addition|turn|other words|short|this|that|these|those|such|both)|as a (result|consequence)|
  as such|on the (other hand|contrary)|because of (this|that|these)|due to (this|that)|at (this|that|these)|by (this|that|contrast|then)|
  with (this|that|these)|from (this|these|that|then|there)|to (this|that|do (this|that|so))|after (this|that|which)|until then|only then|
  like (this|that)|under (this|these|that)|second|secondly|third|thirdly|finally|lastly|next|again|here|even so|if so|if not|when (this|that|it|they)|
  while (this|that|it|they)|if (this|that|it|they)|once (this|that|it|they)|because (it|they|this)|since (it|they|this)|of (these|those|them)|what is more)
  (?![\\p{L}])`.replace(/\n\s*/g, ''),
  'iu'
)

/** Sentences that point at a place in their own document, or speak to its reader, mean nothing elsewhere. */
const refersToDocument =
  /\b(as (described|mentioned|noted|shown|seen|discussed|explained) (above|below|earlier|before|previously|in)|(see|shown|listed|described) (above|below|also|here)|the following|following (section|chapter|table|figure|example|list)|previous (section|chapter|paragraph)|in (this|the next|the last) (article|section|chapter|post|guide|tutorial|paper|document)|(figure|table|chapter|section|appendix) \d|click here|read more|subscribe|lorem ipsum|copyright|all rights reserved)\b/i

/** Markup inside a line, taken away; code spans keep their content and their ticks. */
function plainSentences(markdown: string): string {
  return markdown
    .split(/(`[^`\n]+`)/)
    .map(part => (part.length > 1 && part.startsWith('`') ? part : plainProse(part)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

const plainProse = (text: string): string =>
  text
    .replace(/!\[[^\]\n]{0,500}\]\([^)\n]{0,2000}\)/g, '')
    .replace(/\[\^?\d{1,3}\]/g, '')
    .replace(/\[([^\]\n]{1,200})\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,200}\])/g, '$1')
    .replace(/<\/?[a-z][^<>]{0,1000}>/gi, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/(\*\*|__|~~)(?=\S)([^\n]{1,1000}?)\1/g, '$2')
    .replace(/(^|[\s("'])[*_](?=\S)([^*_\n]{1,500})[*_](?![\p{L}\p{N}])/gu, '$1$2')

/** Whole, self-sufficient and safe to print: no questions, fragments, addresses, stray markup or leftovers of tables. */
function isQuotable(text: string): boolean {
  const words = countWords(text)
  if (words < sentenceWords.min || words > sentenceWords.max || text.length > 600) return false
  if (!/[.!。！…][)"'”’»]?$/u.test(text) || /(\.\.\.|…)$/.test(text)) return false
  if (!/^["'“‘«(`]?[\p{Lu}\p{Lo}\p{N}`]/u.test(text) || /^\d+[.)]\s/.test(text)) return false
  if (/https?:|www\.\S+\/|\b\S+@\S+\.\S/.test(text.replace(/`[^`]*`/g, '')) || refersToDocument.test(text)) return false
  return isCleanlyWritten(text)
}

function isCleanlyWritten(text: string): boolean {
  const prose = text.replace(/`[^`]*`/g, 'code')
  if (/[`<>[\]{}|\\*#~^\p{Cc}\p{Cs}\p{Extended_Pictographic}�]/u.test(prose)) return false
  if ((prose.match(/\(/g)?.length ?? 0) !== (prose.match(/\)/g)?.length ?? 0)) return false
  if ((prose.match(/["“”]/g)?.length ?? 0) % 2 !== 0) return false
  const letters = prose.match(/[\p{L}\s]/gu)?.length ?? 0
  const capitals = prose.match(/\p{Lu}/gu)?.length ?? 0
  return letters >= prose.length * 0.75 && capitals < prose.length * 0.4
}

/** Letters and figures alone, to tell whether two sentences are one. */
export const sentenceKey = (text: string): string => plainWordsOf(text).join(' ')

/**
 * Sentences of one paragraph; those that lean on a dropped sentence are dropped with it, and so is what `read`, the
 * sentences of the source so far, already has.
 */
export function readSentences(paragraph: string, read: Set<string>): Sentence[] {
  const found: Sentence[] = []
  let isPreviousTaken = false
  for (const text of splitSentences(plainSentences(paragraph))) {
    const dependsOnPrevious = dependentOpening.test(text)
    const isNew = !read.has(sentenceKey(text))
    isPreviousTaken = isNew && isQuotable(text) && (isPreviousTaken || !dependsOnPrevious)
    read.add(sentenceKey(text))
    if (isPreviousTaken) found.push({ text, words: countWords(text), terms: termsOf(text), dependsOnPrevious })
  }
  return found
}

/** A heading without numbering, markup and closing punctuation; empty when it could not stand in a post. */
export function tidyHeading(markdown: string): string {
  const text = plainSentences(markdown)
    .replace(/^(\d+(\.\d+)*[.)]?|[-*•])\s+/, '')
    .replace(/[\s:.;,]+$/, '')
  return text.length >= 2 && text.length <= 90 && isCleanlyWritten(text.toLowerCase()) ? text : ''
}
