import { createBoundedMap } from '#core'

/** Turns texts into the numbers a BERT-like model reads. */
export interface Tokenizer {
  /** Numbers of a text with the marks at both ends; cut to `maxTokens`. */
  encode(text: string, maxTokens: number): number[]
  readonly pad: number
}

interface WordPieceOptions {
  vocabulary: ReadonlyMap<string, number>
  /** Upper case and accents do not count. */
  isUncased: boolean
}

/** Longer runs of letters are no words; BERT's own bound. */
const maxWordLength = 100
const maxCachedWords = 20_000

const signs = /[\p{P}\p{S}]/u
const ideographs = /[\p{Script=Han}]/u

/** BERT's WordPiece: words and signs, each as its longest pieces in the vocabulary. @throws TypeError for a vocabulary without its marks */
export function createWordPiece({ vocabulary, isUncased }: WordPieceOptions): Tokenizer {
  const markOf = (...names: string[]): number => {
    const found = names.map(name => vocabulary.get(name)).find(id => id !== undefined)
    if (found === undefined) throw new TypeError(`The vocabulary has none of ${names.join(', ')}.`)
    return found
  }
  const first = markOf('[CLS]', '<s>')
  const last = markOf('[SEP]', '</s>')
  const unknown = markOf('[UNK]', '<unk>')
  const pieces = createBoundedMap<string, readonly number[]>({ maxEntries: () => maxCachedWords })
  const cutWord = (word: string) => cut(word, vocabulary) ?? [unknown]
  return {
    pad: markOf('[PAD]', '<pad>'),
    encode(text, maxTokens) {
      const ids = [first]
      for (const word of wordsAndSigns(isUncased ? uncased(text) : text)) {
        ids.push(...pieces.getOrCompute(word, cutWord))
        if (ids.length >= maxTokens - 1) break
      }
      return [...ids.slice(0, maxTokens - 1), last]
    }
  }
}

/** As BERT's own tokenizer does it: `fold` of `#text` also joins compatible forms. */
const uncased = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}+/gu, '')

function wordsAndSigns(text: string): string[] {
  const words: string[] = []
  for (const run of text.replace(/[\0\ufffd]|(?![\t\n\r])\p{C}/gu, '').split(/\s+/)) {
    let word = ''
    for (const character of run) {
      const isAlone = signs.test(character) || ideographs.test(character)
      if (isAlone && word !== '') words.push(word)
      if (isAlone) words.push(character)
      word = isAlone ? '' : word + character
    }
    if (word !== '') words.push(word)
  }
  return words
}

/** The longest pieces from the left; null when some part is in no piece. */
function cut(word: string, vocabulary: ReadonlyMap<string, number>): number[] | null {
  const characters = [...word]
  if (characters.length > maxWordLength) return null
  const ids: number[] = []
  for (let at = 0; at < characters.length; ) {
    let end = characters.length
    let id: number | undefined
    for (; end > at && id === undefined; end--) {
      id = vocabulary.get((at === 0 ? '' : '##') + characters.slice(at, end).join(''))
    }
    if (id === undefined) return null
    ids.push(id)
    at = end + 1
  }
  return ids
}
