import { graphemesOf } from '#text/graphemes'
import { closeGaps, gap, withoutGaps } from '../narration/gaps.ts'
import type { FontCoverage } from './font-coverage.ts'

/** What fonts need no glyph for: joiners, variation selectors and the like. */
const invisible = /[\p{Default_Ignorable_Code_Point}\s]/u
/** Before the first character that is seen they move it, and alone they cannot be drawn. */
const invisibleStart = /^[\p{Default_Ignorable_Code_Point}\s]+/u
/** An author's line breaks and direction marks are for running text. */
const unwanted = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu
/** No script has more on one letter. Without a bound they would reach over the page. */
const maxMarks = 8
const mark = /\p{M}/u
/** The key around a digit is drawn beside it. */
const keycap = /\ufe0f?\u20e3/gu
/** Pictures, arrows and the like. */
const symbol = /\p{Extended_Pictographic}|\p{Regional_Indicator}|^[\p{S}\p{No}]/u

/**
 * A text as a cover shows it; empty where the fonts cannot write it, because boxes are worse than no text. Symbols that they
 * lack, as most emoji, are left out.
 */
export function coverText(text: string, fonts: Pick<FontCoverage, 'has'>): string {
  const isWritable = (grapheme: string) =>
    [...grapheme].every(each => invisible.test(each) || fonts.has(each.codePointAt(0) ?? 0))
  const clean = withoutGaps(text.normalize('NFC')).replaceAll(keycap, '').replaceAll(unwanted, ' ').slice(0, 600)
  const isLeftOut = (grapheme: string) => symbol.test(grapheme) && !isWritable(grapheme)
  const shown = graphemesOf(clean).map(grapheme => (isLeftOut(grapheme) ? gap : withFewMarks(grapheme)))
  if (!shown.every(grapheme => grapheme === gap || isWritable(grapheme))) return ''
  return closeGaps(shown.join('')).replaceAll(/\s+/g, ' ').replace(invisibleStart, '').trim()
}

function withFewMarks(grapheme: string): string {
  let marks = 0
  return [...grapheme].filter(each => !mark.test(each) || ++marks <= maxMarks).join('')
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** By its first letter, as Unicode's algorithm decides it. */
export function isRightToLeft(text: string): boolean {
  const [first] = /\p{L}/u.exec(text) ?? []
  return first !== undefined && rightToLeft.test(first)
}
