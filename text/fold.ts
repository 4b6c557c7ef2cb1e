/** A text in lower case and without accents; other forms of a letter (`ﬁ`, `①`, `Ａ`) are the plain ones. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .toLowerCase()
