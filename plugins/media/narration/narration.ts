import { lexer, type Token, type Tokens } from 'marked'
import { splitSentences, spokenWordCountOf } from '#text'
import { stripDirectionMarks } from '#text/excerpts'
import { closeGaps, withoutGaps } from './gaps.ts'
import { spokenInline } from './inline.ts'
import { type Phrases, phrasesIn } from './phrases.ts'

/** What is read of a post. */
export interface NarrationInput {
  title: string
  /** Markdown. */
  content: string
  /** BCP 47. */
  language: string
}

export interface SpokenSentence {
  text: string
  /** Which second-level heading it stands under, from 0 on; null before the first one. */
  section: number | null
  /** The last sentence of its paragraph, heading or list item. */
  endsParagraph: boolean
}

/** A post as a narrator reads it. The first sentence is the title, and each heading is a sentence. */
export interface Narration {
  sentences: SpokenSentence[]
  /** The second-level headings, in order. */
  sections: string[]
}

/** Words of a text that are read, about eleven hours. */
export const maxSpokenWords = 100_000

/** For `bounded`, which passes one text: the JSON of a `NarrationInput`. */
export const narrateJson = (input: string): Narration => narrate(JSON.parse(input))

/** Turns a post's markdown into sentences to speak. */
export function narrate({ title, content, language }: NarrationInput): Narration {
  const narrator = createNarrator(language)
  narrator.say(withoutGaps(title))
  narrator.readBlocks(withoutTitle(lexer(withoutGaps(content))))
  return narrator.narration
}

interface Narrator {
  narration: Narration
  say(text: string): void
  readBlocks(tokens: readonly Token[]): void
}

function createNarrator(language: string): Narrator {
  const phrases = phrasesIn(language)
  const narration: Narration = { sentences: [], sections: [] }
  const { sentences, sections } = narration
  let words = 0
  let isFull = false
  const add = (text: string, endsParagraph: boolean) =>
    sentences.push({ text, section: sections.length === 0 ? null : sections.length - 1, endsParagraph })
  const say = (text: string) => {
    const spoken = splitSentences(tidy(text), language).filter(isSpeakable)
    for (const [at, sentence] of spoken.entries()) {
      if (isFull) return
      isFull = words >= maxSpokenWords
      // A sign alone is said, too.
      words += Math.max(1, spokenWordCountOf(sentence))
      add(isFull ? phrases.rest : sentence, isFull || at === spoken.length - 1)
    }
  }
  /** Two code blocks in a row are announced once. */
  const mention = (phrase: string) => {
    if (sentences.at(-1)?.text !== phrase) say(phrase)
  }
  const readBlocks = (tokens: readonly Token[]) => {
    for (const token of tokens) if (!isFull) readBlock(token, { phrases, sections, say, mention: mention, readBlocks })
  }
  return { narration, say, readBlocks }
}

interface Reading extends Pick<Narrator, 'say' | 'readBlocks'> {
  phrases: Phrases
  sections: string[]
  mention(phrase: string): void
}

function readBlock(token: Token, { phrases, sections, say, mention, readBlocks }: Reading): void {
  if (isList(token)) for (const item of token.items) readBlocks(item.tokens)
  else if (token.type === 'blockquote') readBlocks(token.tokens ?? [])
  else if (token.type === 'code') mention(phrases.code)
  else if (token.type === 'table') mention(phrases.table)
  else if (token.type === 'heading' || token.type === 'paragraph' || token.type === 'text' || token.type === 'html') {
    const text = tidy(spokenInline(token, phrases))
    if (isSectionHeading(token) && isSpeakable(text)) sections.push(text)
    say(text)
  }
}

const isList = (token: Token): token is Tokens.List => token.type === 'list'
const isSectionHeading = (token: Token): boolean => token.type === 'heading' && token.depth === 2

/** A leading H1 is the title, which is said already. */
function withoutTitle(tokens: Token[]): Token[] {
  const first = tokens.findIndex(token => token.type !== 'space')
  const leading = tokens[first]
  return leading?.type === 'heading' && leading.depth === 1 ? tokens.slice(first + 1) : tokens
}

/** What is left of a sentence without its address or mark: no blanks before its full stop, no empty parentheses. */
const tidy = (text: string): string =>
  closeGaps(stripDirectionMarks(text))
    .replace(/(^|\s)[([]\s*[)\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,…])/g, '$1')
    .trim()

const isSpeakable = (text: string): boolean => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text)
