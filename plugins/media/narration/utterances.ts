import { cutText } from '#text/excerpts'
import type { Narration, SpokenSentence } from './narration.ts'

/** What an engine is given at once: a sentence, a few short ones, or a part of a long one. One cue of the transcript. */
export interface Utterance {
  text: string
  /** As of its sentence. */
  section: number | null
  /** Silence after it. */
  pauseMs: number
}

/** Sentences of a paragraph are spoken together up to this length: every call has its price. */
const maxGroupLength = 120
/** Engines get slower or refuse long texts, and a longer cue fills the screen. */
export const maxUtteranceLength = 400

const pauses = { sentence: 150, paragraph: 450, section: 900 }

/** Groups short sentences and splits long ones. */
export function utterancesOf({ sentences }: Pick<Narration, 'sentences'>): Utterance[] {
  const groups: SpokenSentence[] = []
  for (const sentence of sentences.flatMap(splitLong)) {
    const last = groups.at(-1)
    const joined = last === undefined ? '' : `${last.text}${blankAfter(last.text)}${sentence.text}`
    if (last === undefined || last.endsParagraph || joined.length > maxGroupLength) groups.push({ ...sentence })
    else Object.assign(last, { text: joined, endsParagraph: sentence.endsParagraph })
  }
  return groups.map(({ text, section, endsParagraph }, at) => ({
    text,
    section,
    pauseMs: pauseAfter(section, endsParagraph, groups[at + 1])
  }))
}

/** Chinese and Japanese have none between sentences. */
const blankAfter = (text: string): string =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff00-\uff65]$/u.test(text) ? '' : ' '

function pauseAfter(section: number | null, endsParagraph: boolean, next: SpokenSentence | undefined): number {
  if (next === undefined || next.section !== section) return pauses.section
  return endsParagraph ? pauses.paragraph : pauses.sentence
}

function splitLong(sentence: SpokenSentence): SpokenSentence[] {
  const parts: string[] = []
  let rest = sentence.text
  while (rest.length > maxUtteranceLength) {
    const end = endOfPart(rest)
    parts.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trim()
  }
  parts.push(rest)
  const spoken = parts.filter(text => text !== '')
  return spoken.map((text, at) => ({
    text,
    section: sentence.section,
    endsParagraph: sentence.endsParagraph && at === spoken.length - 1
  }))
}

/** After a comma or another mark where there is one, else between words, else anywhere but within a character. */
function endOfPart(text: string): number {
  const part = cutText(text, maxUtteranceLength)
  const [mark] = [...part.matchAll(/[,;:–—、，；]\s?/g)].slice(-1)
  if (mark !== undefined && mark.index > maxUtteranceLength / 4) return mark.index + mark[0].length
  const blank = part.lastIndexOf(' ')
  if (blank > 0) return blank
  return part.length
}
