import { eachWord } from '../analysis/analyze.ts'
import { type SearchLanguage, writesCompounds } from '../analysis/languages.ts'
import type { IndexedWord } from '../analysis/words.ts'
import { writeNumber } from './byte-writer.ts'
import { lengthCode, maxFrequency, mentionIn } from './frequency.ts'
import type { EncodedList } from './posting-lists.ts'
import { createListReader, createPostingLog, logPosting, type PostingLog } from './posting-log.ts'
import { type AnalyzedPost, fieldGap, headingsOf } from './text-fields.ts'
import { addMention, clearTextTally, createTextTally, firstPositionOf, type TextTally } from './text-tally.ts'

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

/** Makes the posting lists of some posts. */
export interface SegmentBuilder {
  /** Adds a post with a higher number than those before. @returns the code of its length */
  add(post: AnalyzedPost): number
  /** In the order in which they were met. */
  terms(): readonly string[]
  /** Reads the lists of terms, one after the other: each is good until the next is read. Call it when all posts are added. */
  listReader(): (term: string) => EncodedList
  /** The different words of all texts, each with a term it is indexed by. */
  words(): WordOfTerm[]
}

export function createSegmentBuilder(): SegmentBuilder {
  const terms = createTerms()
  const log = createPostingLog()
  const tally = createTextTally()
  const readField = (text: string, language: SearchLanguage, from: number, worth: number) => {
    let count = 0
    const inCompounds = writesCompounds(language)
    const end = eachWord(text, language, from, (word, position) => {
      if (word.term === '') return
      count += 1
      addMention(tally, terms.numberOf(word, inCompounds), worth, position)
    })
    return { end, count }
  }
  return {
    add({ post_no, title, excerpt, body, analyzed_as: language }) {
      const ofTitle = readField(title, language, 0, mentionIn.title)
      const ofExcerpt = readField(excerpt, language, ofTitle.end + fieldGap, mentionIn.text)
      const ofBody = readField(body, language, ofExcerpt.end + fieldGap, mentionIn.text)
      for (const heading of headingsOf(body))
        eachWord(heading, language, 0, word => {
          if (word.term !== '')
            addMention(tally, terms.numberOf(word, writesCompounds(language)), mentionIn.heading, undefined)
        })
      writePost(log, tally, post_no)
      return lengthCode(ofTitle.count + ofExcerpt.count + ofBody.count)
    },
    terms: terms.all,
    listReader() {
      const read = createListReader(log, terms.all().length)
      return term => read(terms.find(term))
    },
    words: terms.words
  }
}

/** Numbers the terms of one builder. A word that was numbered is not looked up again. */
function createTerms() {
  const numbers = new Map<string, number>()
  const all: string[] = []
  const words: WordOfTerm[] = []
  return {
    numberOf(word: IndexedWord, in_compounds: boolean): number {
      if (word.countedBy === numbers) return word.number
      const known = numbers.get(word.term)
      const number = known ?? all.length
      if (known === undefined) {
        numbers.set(word.term, number)
        all.push(word.term)
      }
      words.push({ word: word.word, term: word.term, in_compounds })
      word.countedBy = numbers
      word.number = number
      return number
    },
    all: () => all,
    find: (term: string) => numbers.get(term) ?? -1,
    words: () => words
  }
}

function writePost(log: PostingLog, tally: TextTally, postNo: number): void {
  for (const term of tally.terms) {
    logPosting(log, term, postNo, Math.min(maxFrequency, tally.worths[term] ?? 0))
    let count = 0
    for (let at = firstPositionOf(tally, term); at !== 0; at = tally.nexts[at] ?? 0) count += 1
    writeNumber(log.positions, count)
    let last = 0
    for (let at = firstPositionOf(tally, term); at !== 0; at = tally.nexts[at] ?? 0) {
      const position = tally.positions[at] ?? 0
      writeNumber(log.positions, position - last)
      last = position
    }
  }
  clearTextTally(tally)
}
