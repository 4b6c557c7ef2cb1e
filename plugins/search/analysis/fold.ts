const asciiOnly = /^[\x00-\x7f]*$/
const accentsOfLatin = /([A-Za-z])[\u0300-\u036f]+/g
/** Soft hyphen, joiners, forms of pictographs; vowel points of Hebrew and Arabic, and the stretched line of Arabic. */
const unseen =
  /\u00ad|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|[\u0640\u064b-\u0652\u0670]/g
const otherLetters = /[øłđıёßæœςĸŉ]/g
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ё: 'е',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
  ĸ: 'k',
  ŉ: 'n'
}

/**
 * A word in lower case, without accents on Latin letters; other forms of a letter (`ﬁ`, `①`, `Ａ`) are the plain ones. Takes words
 * only: normalizing a long text of nothing but accents takes seconds.
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
