import { type AnalyzedWord, eachWord, type TextLanguage, writesCompounds } from '#text'
import type { EncodedList } from './encoded-list.ts'
import { fieldBoost, lengthCode, maxFrequency } from './frequency.ts'
import { createPostingLog } from './posting-log.ts'
import { createTermRows, ensureRow, type TermRows } from './term-rows.ts'
import { type AnalyzedPost, fieldGap, headingsOf, shownBody } from './text-fields.ts'
import { addMention, clearTextTally, createTextTally } from './text-tally.ts'

/** A word as texts have it, in lower case, and the term it is indexed by. */
export interface WordOfTerm {
  word: string
  term: string
  /** The text's language writes compounds as one word. */
  in_compounds: boolean
}

/** Tells words apart that are stored apart. */
export const keyOfWord = ({ word, term, in_compounds }: WordOfTerm): string =>
  `${word} ${term}${in_compounds ? ' +' : ''}`

/** Makes the posting lists of some posts. Terms keep their numbers: it is faster for the next segment. */
export interface SegmentBuilder {
  /** Adds a post with a higher number than those before in this segment. @returns the code of its length */
  add(post: AnalyzedPost): number
  /** Those of the segment, in any order. */
  terms(): string[]
  /** The list of a term of the segment, until the next is asked for. */
  listOf(term: string): EncodedList
  /** Bytes that the lists of the segment take in memory, about. */
  bytes(): number
  /** Begins the next segment. */
  clear(): void
  /** Words that no text before had, each with a term it is indexed by; they are not given again. */
  takeWords(): WordOfTerm[]
  /** Terms so far, of all segments. */
  termCount(): number
}

export function createSegmentBuilder(): SegmentBuilder {
  const rows = createTermRows()
  const terms = createTerms(rows)
  const log = createPostingLog(rows)
  const tally = createTextTally(rows)
  const readField = (text: string, language: TextLanguage, from: number, boost: number) => {
    let count = 0
    const inCompounds = writesCompounds(language)
    const end = eachWord(text, language, from, (word, position) => {
      if (word.isStopWord) return
      count += 1
      addMention(tally, terms.numberOf(word, inCompounds), boost, position)
    })
    return { end, count }
  }
  return {
    add({ post_no, analyzed_as: language, ...post }) {
      const { title, excerpt } = post
      const body = shownBody(post)
      const ofTitle = readField(title, language, 0, fieldBoost.title)
      const ofExcerpt = readField(excerpt, language, ofTitle.end + fieldGap, fieldBoost.text)
      const ofBody = readField(body, language, ofExcerpt.end + fieldGap, fieldBoost.text)
      for (const heading of headingsOf(body))
        eachWord(heading, language, 0, word => {
          if (!word.isStopWord)
            addMention(tally, terms.numberOf(word, writesCompounds(language)), fieldBoost.heading, undefined)
        })
      log.add(tally, post_no, maxFrequency)
      clearTextTally(tally)
      return lengthCode(ofTitle.count + ofExcerpt.count + ofBody.count)
    },
    terms: () => terms.all.filter((_, number) => log.has(number)),
    listOf: term => log.read(terms.find(term)),
    bytes: log.bytes,
    clear: () => log.clear(terms.all.length),
    takeWords: terms.takeWords,
    termCount: () => terms.all.length
  }
}

/** Words outlive builders: they say which one numbered them last by its number, so that they do not hold its terms. */
let builders = 0

/** Numbers the terms of one builder. A word that was numbered is not looked up again. */
function createTerms(rows: TermRows) {
  builders += 1
  const builder = builders
  const numbers = new Map<string, number>()
  const all: string[] = []
  let words: WordOfTerm[] = []
  return {
    all,
    numberOf(word: AnalyzedWord, in_compounds: boolean): number {
      if (word.countedBy === builder) return word.number
      const known = numbers.get(word.term)
      const number = known ?? all.length
      if (known === undefined) {
        numbers.set(word.term, number)
        all.push(word.term)
        ensureRow(rows, number)
      }
      words.push({ word: word.word, term: word.term, in_compounds })
      word.countedBy = builder
      word.number = number
      return number
    },
    find: (term: string) => numbers.get(term) ?? -1,
    takeWords() {
      const taken = words
      words = []
      return taken
    }
  }
}
