/** What a character is to a text that is split into words. */
export const characterKinds = {
  separator: 1,
  /** A letter or a digit. */
  letter: 2,
  /** Stands within a word only: marks, soft hyphens and joiners. */
  mark: 3,
  /** A word of its own: scripts without blanks between words, pictographs. */
  word: 4,
  /** First half of a character beyond U+FFFF. */
  surrogate: 5,
  hyphen: 6,
  apostrophe: 7,
  /** Another character is meant by it, or by it and its neighbours: half-width kana, parts of Hangul, fractions. */
  composed: 8
} as const

const kinds = characterKinds

const letterOrDigit = /^[\p{L}\p{N}]/u
const markPattern = /^\p{M}/u
const plainLetters = /^[\p{L}\p{N}\p{M}]+$/u

/** Thai to Lao, Burmese, Khmer, Han with its radicals, kana, Hangul. */
const unspacedScript =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3ffff}]/u
/** Without the tones of skin, which change another pictograph. */
const pictograph = /[\u2600-\u27bf\u2b00-\u2bff\u{1f000}-\u{1f3fa}\u{1f400}-\u{1faff}]/u
/** Parts of Hangul, and the marks of kana: composed with the character before them. */
const composing = /[\u1100-\u11ff\u3099\u309a]/
const hyphens = /[-\u2010\u2011]/
const apostrophes = /['\u2019\u02bb\u02bc]/
/** Seen as nothing: soft hyphen, joiners. */
const ignored = /\u00ad|\u200c|\u200d|\u2060/
/** `Name™` is the word `Name`. */
const tradeMarks = /[\u2120\u2122]/

/** By UTF-16 unit, 0 where not yet asked for: 64 KB, filled as texts need it. */
const known = new Uint8Array(0x10000)

/** The kind of a UTF-16 unit. */
export const kindOfUnit = (unit: number): number => known[unit] || classify(unit)

function classify(unit: number): number {
  const kind = unit >= 0xd800 && unit <= 0xdfff ? kindOfHalf(unit) : kindOf(String.fromCharCode(unit))
  known[unit] = kind
  return kind
}

const kindOfHalf = (unit: number) => (unit <= 0xdbff ? kinds.surrogate : kinds.separator)

/** The kind of a character beyond U+FFFF. */
export const kindOfCodePoint = (codePoint: number): number => kindOf(String.fromCodePoint(codePoint))

function kindOf(character: string): number {
  if (hyphens.test(character)) return kinds.hyphen
  if (apostrophes.test(character)) return kinds.apostrophe
  if (ignored.test(character)) return kinds.mark
  if (tradeMarks.test(character)) return kinds.separator
  const meant = character.normalize('NFKC')
  // Among them are letters in circles, and digits with a full stop.
  if (meant === character && pictograph.test(character)) return kinds.word
  if (composing.test(character)) return kinds.composed
  if (meant !== character && (!plainLetters.test(meant) || unspacedScript.test(meant))) return kindOfForm(meant)
  if (meant !== character && !markPattern.test(character)) return kinds.letter
  return kindOfPlain(character)
}

/** Of a form of other characters: `¨` is a blank and a mark, so it separates. */
function kindOfForm(meant: string): number {
  return markPattern.test(meant) || /[\p{L}\p{N}]/u.test(meant) ? kinds.composed : kinds.separator
}

function kindOfPlain(character: string): number {
  const isLetter = letterOrDigit.test(character)
  if (unspacedScript.test(character)) return isLetter || markPattern.test(character) ? kinds.word : kinds.separator
  if (isLetter) return kinds.letter
  return markPattern.test(character) ? kinds.mark : kinds.separator
}
