const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** Without the marks that turn the direction of what follows: an excerpt of a text may lack the one that ends it. */
export function stripDirectionMarks(text: string): string {
  return text.replace(directions, '')
}

/** A text in one line: every run of white space is one blank, none at the ends. */
export const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** Without the full stop at its end: a sentence that is to stand within another. A long run of dots is read once. */
export const withoutFullStop = (sentence: string): string => sentence.replace(/(?<![.\s])[.\s]+$/, '')

/** The first `length` UTF-16 units, without the half of a character that the cut may leave. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** The same with `…` at the end of a text that is cut, within the `length`. */
export const truncateText = (text: string, length: number): string =>
  text.length <= length ? text : `${cutText(text, length - 1)}…`
