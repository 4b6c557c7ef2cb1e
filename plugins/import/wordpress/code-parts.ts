/** An element of code, to the end of the text where it has none. */
const code = /(<pre(?=[\s>])[\s\S]*?(?:<\/pre>|$)|<code(?=[\s>])[\s\S]*?(?:<\/code>|$))/i

/** A text, divided into its code and what is none. */
export const partsByCode = (text: string): { part: string; isCode: boolean }[] =>
  text.split(code).map((part, index) => ({ part, isCode: index % 2 === 1 }))
