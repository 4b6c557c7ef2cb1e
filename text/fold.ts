const asciiOnly = /^[\x00-\x7f]*$/
/** More marks than 30 on one letter: Unicode's bound for texts that are normalized as they come (UAX 15, Stream-Safe). */
const surplusMarks = /(\p{M}{30})\p{M}+/gu
const accents = /[\u0300-\u036f]+/g
const accentsOfLatin = /([A-Za-z])[\u0300-\u036f]+/g
/** Soft hyphen, joiners, forms of pictographs; vowel points of Hebrew and Arabic, and the stretched line of Arabic. */
export const unseen =
  /\u00ad|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|[\u0640\u064b-\u0652\u0670]/g

/** Letters that Unicode does not decompose, and what people type for them. */
export const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ё: 'е',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
  ĸ: 'k'
}
const otherLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')

/** A text that `normalize` takes linear time for. It sorts the marks of a letter, and 200,000 on one take 20 s. */
export const withoutSurplusMarks = (text: string): string => text.replace(surplusMarks, '$1')

/**
 * A text in lower case and without accents; other forms of a letter (`ﬁ`, `①`, `Ａ`) are the plain ones. The vectors of the
 * embedded embedder depend on it.
 */
export const fold = (text: string): string =>
  withoutSurplusMarks(text).normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase()

/**
 * A word in lower case, without accents on Latin letters, as the index of posts has it: `ø` is `o`, and points of Arabic are left
 * out. Takes words only: normalizing a long text of nothing but accents takes seconds.
 */
export function foldWord(word: string): string {
  if (asciiOnly.test(word)) return word.toLowerCase()
  return word
    .normalize('NFKD')
    .replace(accentsOfLatin, '$1')
    .normalize('NFC')
    .replace(unseen, '')
    .toLowerCase()
    .replace(otherLetters, letter => plainLetters[letter] ?? letter)
    .normalize('NFC')
}
