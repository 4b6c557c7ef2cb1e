const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** Without the marks that turn the direction of what follows: a piece of a text may lack the one that ends it. */
export function withoutDirections(text: string): string {
  return text.replace(directions, '')
}

/** At most `length` UTF-16 units, with `…` at the end of a text that is cut, and no half of a character. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
