import type { TextLanguage } from '../languages.ts'
import { kindOfUnit, characterKinds as kinds } from './characters.ts'
import { joinedFormAt } from './joined-forms.ts'
import { endOfComposedRun, endOfWord, kindAt, widthAt } from './scan.ts'
import { type AnalyzedWord, type WordReader, wordReaderOf } from './word-reader.ts'

/** One word of a text as the index of posts has it. */
export interface AnalyzedToken {
  /** Stem, folded; '' for a stop word. At most 100 characters. */
  term: string
  /** Folded, in lower case. */
  word: string
  /** Counts every word, stop words too. A token at the position of the one before it is another form: `email` of `e-mail`. */
  position: number
  /** The words it stands for: 2 for a joined form, which has the next position within it. */
  span: number
}

/** Called for each token in order, so positions never decrease. */
type TokenVisitor = (term: string, position: number, word: string, span: number) => void
/** The same with the word as it is cached. */
type WordVisitor = (word: AnalyzedWord, position: number, span: number) => void

/** The tokens of a text. For queries and tests: indexing uses `eachToken`. */
export function analyze(text: string, language: TextLanguage): AnalyzedToken[] {
  const tokens: AnalyzedToken[] = []
  eachToken(text, language, 0, (term, position, word, span) => tokens.push({ term, word, position, span }))
  return tokens
}

/**
 * Visits the tokens of a text, the first at position `from`, and returns the position after the last. Takes linear time: each
 * character is looked at twice at most, and a word by its first 256.
 */
export function eachToken(text: string, language: TextLanguage, from: number, visit: TokenVisitor): number {
  return eachWord(text, language, from, ({ term, word }, position, span) => visit(term, position, word, span))
}

/** The hot path of indexing: as `eachToken`. */
export function eachWord(text: string, language: TextLanguage, from: number, visit: WordVisitor): number {
  return visitTokens({ text, read: wordReaderOf(language), visit, isComposed: false }, from)
}

interface Scan {
  text: string
  read: WordReader
  visit: WordVisitor
  /** What is left uncomposed stays so. */
  isComposed: boolean
}

function visitTokens(scan: Scan, from: number): number {
  const { text, isComposed } = scan
  let position = from
  let at = 0
  while (at < text.length) {
    const kind = kindAt(text, at)
    if (kind === kinds.letter || kind === kinds.word || kind === kinds.composed) {
      const end = kind === kinds.letter ? endOfWord(text, at) : at + widthAt(text, at)
      if (!isComposed && (kind === kinds.composed || isComposing(text, end))) {
        const endOfRun = endOfComposedRun(text, end)
        const composed = text.slice(at, endOfRun).normalize('NFKC')
        position = visitTokens({ ...scan, text: composed, isComposed: true }, position)
        at = endOfRun
      } else {
        position = visitWord(scan, at, end, position)
        at = end
      }
    } else at += kind === kinds.mark ? widthAt(text, at) : 1
  }
  return position
}

function visitWord(scan: Scan, start: number, end: number, position: number): number {
  const { text, read, visit } = scan
  const indexed = read(text, start, end)
  if (indexed.isStopWord && indexed.word === '') return position
  visit(indexed, position, 1)
  const joined = joinedFormAt(text, start, end, read)
  if (joined !== undefined) visit(joined, position, 2)
  return position + 1
}

const isComposing = (text: string, at: number) => at < text.length && kindOfUnit(text.charCodeAt(at)) === kinds.composed
