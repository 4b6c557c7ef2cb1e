import { foldWord } from '../fold.ts'
import type { TextLanguage } from '../languages.ts'
import { stemmerOf } from '../stemmers.ts'
import { stopWordsOf } from '../stop-words.ts'
import { createWordTable } from './word-table.ts'

/** A word as the index of posts has it. */
export interface AnalyzedWord {
  /** In lower case, without accents; '' for one of signs that are seen as nothing. */
  word: string
  /** Its stem; '' for a stop word. */
  term: string
  /** Its term is ''. Whoever counts words need not look at the term itself. */
  isStopWord: boolean
  /** The number that `countedBy` gave it last: whoever counts words needs no table of its own. */
  number: number
  countedBy: number
}

/** Characters of a term or a word. What is longer is cut: nobody types it, and a key of the index has to end. */
const maxTermLength = 100

/** Characters of a word that are looked at: its accents fall away before it is cut. */
const maxWordLength = 256

/** Of each language, 4 MB at most: texts of a language repeat most of their words. */
let maxCachedWords = 30_000

/** For a process that reads archives, which repeat far more words: 25 MB of each language at most. */
export function enlargeWordCache(): void {
  maxCachedWords = 200_000
}

/** Words as they stand in texts of a language, from `start` to `end`, turned into those of the index. Known ones are a look-up. */
export type WordReader = (text: string, start: number, end: number) => AnalyzedWord

const readers = new Map<TextLanguage, WordReader>()

export function wordReaderOf(language: TextLanguage): WordReader {
  const reader = readers.get(language) ?? createWordReader(language)
  readers.set(language, reader)
  return reader
}

function createWordReader(language: TextLanguage): WordReader {
  const termOf = language === 'simple' ? (word: string) => word : createTermOf(language)
  const cached = createWordTable<AnalyzedWord>(() => maxCachedWords)
  return (text, start, end) => {
    const known = cached.find(text, start, end)
    if (known !== undefined) return known
    const written = ownCopy(text.slice(start, end))
    const word = ownCopy(cut(foldWord(cut(written, maxWordLength)), maxTermLength))
    const term = termOf(word)
    const read = { word, term, isStopWord: term === '', number: 0, countedBy: 0 }
    cached.add(written, read)
    return read
  }
}

function createTermOf(language: Exclude<TextLanguage, 'simple'>): (word: string) => string {
  const stopWords = stopWordsOf(language)
  const stem = stemmerOf(language)
  return word => {
    if (stopWords.has(word)) return ''
    // Of words with digits no letter is an ending. Some stemmers leave nothing of a short word.
    return /\d/.test(word) ? word : cut(stem(word) || word, maxTermLength)
  }
}

const cut = (text: string, length: number) => (text.length <= length ? text : text.slice(0, length).toWellFormed())

/** Part of a string keeps the whole text in memory. */
const ownCopy = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le')
