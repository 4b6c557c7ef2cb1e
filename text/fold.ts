/** More marks than 30 on one letter: Unicode's bound for texts that are normalized as they come (UAX 15, Stream-Safe). */
const surplusMarks = /(\p{M}{30})\p{M}+/gu

/** A text that `normalize` takes linear time for. It sorts the marks of a letter, and 200,000 on one take 20 s. */
export const withoutSurplusMarks = (text: string): string => text.replace(surplusMarks, '$1')

/** A text in lower case and without accents; other forms of a letter (`ﬁ`, `①`, `Ａ`) are the plain ones. */
export const fold = (text: string): string =>
  withoutSurplusMarks(text)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .toLowerCase()
