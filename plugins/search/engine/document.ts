import { eachToken, writesCompounds } from '#text'
import type { EngineDocument } from '../driver.ts'
import { fieldBoost, maxFrequency } from '../inverted-index/frequency.ts'
import type { WordOfTerm } from '../inverted-index/segment-builder.ts'
import { type AnalyzedPost, headingsOf, shownBody, wordsOfTitle } from '../inverted-index/text-fields.ts'

/** A post with what it is chosen by. */
interface FedPost extends AnalyzedPost, Pick<EngineDocument, 'revision' | 'published' | 'category' | 'tags'> {}

/** A document with the words that its terms were made of. */
interface MadeDocument {
  document: EngineDocument
  words: WordOfTerm[]
}

/** A term as engines get it: some signs are several words when they are written out. */
export const engineTerm = (term: string): string => term.replace(/\s+/g, '_')

/** A stop word as engines get it. No term begins so. */
export const engineStopWord = (word: string): string => `=${engineTerm(word)}`

/** How often a term counts, in halves of a mention in the text, and how often it has a place. */
interface Tally {
  frequency: number
  positions: number
}

export function documentOf(post: FedPost): MadeDocument {
  const { title, excerpt, analyzed_as: language } = post
  const body = shownBody(post)
  const tallies = new Map<string, Tally>()
  const words = new Map<string, WordOfTerm>()
  const in_compounds = writesCompounds(language)
  const count = (term: string, boost: number, positions: number) => {
    const tally = tallies.get(term) ?? { frequency: 0, positions: 0 }
    tallies.set(term, { frequency: tally.frequency + boost, positions: tally.positions + positions })
  }
  const readField = (text: string, boost: number): string => {
    const terms: string[] = []
    eachToken(text, language, 0, (term, _, word, span) => {
      if (term === '') {
        if (span === 1) terms.push(engineStopWord(word))
        return
      }
      words.set(word, { word, term, in_compounds })
      const written = engineTerm(term)
      // A joined form stands where its first word does: an engine that splits at blanks has no place for it.
      if (span === 1) terms.push(written)
      count(written, boost, span === 1 ? 1 : 0)
    })
    return terms.join(' ')
  }
  const fields = [
    readField(title, fieldBoost.title),
    readField(excerpt, fieldBoost.text),
    readField(body, fieldBoost.text)
  ]
  for (const heading of headingsOf(body))
    eachToken(heading, language, 0, term => {
      if (term !== '') count(engineTerm(term), fieldBoost.heading, 0)
    })
  const document = {
    ...labelsOf(post),
    titleWords: wordsOfTitle(title).map(engineTerm),
    fields,
    boostTerms: boostTermsOf(tallies)
  }
  return { document, words: [...words.values()] }
}

const labelsOf = ({ post_no, revision, published, category, tags, language }: FedPost) => ({
  post_no,
  revision,
  published,
  category,
  tags,
  language: language === null ? null : (language.split('-', 1)[0]?.toLowerCase() ?? null)
})

function boostTermsOf(tallies: ReadonlyMap<string, Tally>): string[] {
  const boostTerms: string[] = []
  for (const [term, { frequency, positions }] of tallies)
    for (let count = positions; count < Math.min(frequency, maxFrequency); count++) boostTerms.push(term)
  return boostTerms
}
