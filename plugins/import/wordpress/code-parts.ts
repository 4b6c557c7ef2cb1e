/** An element of code, to the end of the text where it has none. */
const code = /(<pre(?=[\s>])[\s\S]*?(?:<\/pre>|$)|<code(?=[\s>])[\s\S]*?(?:<\/code>|$))/i

/** A text, divided into its code and what is none. */
export const partsByCode = (text: string): { part: string; isCode: boolean }[] =>
  text.split(code).map((part, index) => ({ part, isCode: index % 2 === 1 }))

/** A text without its code. An element of code without an end may not be meant, so what stands behind stays. */
export const outsideOfCode = (text: string): string =>
  partsByCode(text)
    .map(({ part, isCode }) => (isCode && /<\/(?:pre|code)>$/i.test(part) ? ' ' : part))
    .join('')
