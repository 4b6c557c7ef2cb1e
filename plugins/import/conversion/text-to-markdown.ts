/** Two tildes, the other one of which may be in another text. */
const strikes = /~.*~|^~|~$/s
/** Of a tag, which may go on in the next text, or of a character reference. */
const markupStart = /<(?=[a-z/!?]|$)|&(?=#?\w{1,32};)/gi
const listNumber = /^(\d{1,9})([.)])(?=\s|$)/
/** Alone, they are a heading or a list without text. */
const emptyBlock = /^(?:#{1,6}|\+)$/

/** An address in a text, without the punctuation behind it. */
const address = /(?:https?:\/\/|www\.)[^\s<>"]*[^\s<>"'.,;:!?)\]}]/g

/** Markdown takes what follows at once for a part of the address, but for these. What follows a text is not known. */
const endOfAddress = /^[.,:!?)]*\s/
const maxEndLength = 10

/** Makes markdown of texts, which shows them. */
export interface TextToMarkdown {
  /** Addresses stay links. */
  toMarkdown(text: string): string
  /** Addresses are plain text: a link has no other within. */
  toLinkText(text: string): string
}

/** `escapeMarkdown` is Turndown's, which leaves tags, references, lists and what is struck out. */
export function createTextToMarkdown(escapeMarkdown: (text: string) => string): TextToMarkdown {
  const escapeText = (text: string) =>
    (strikes.test(text) ? text.split('~') : [text])
      .map(escapeMarkdown)
      .join('\\~')
      .replace(markupStart, '\\$&')
      .replace(listNumber, '$1\\$2')
      .replace(emptyBlock, '\\$&')
  const ofAddress = (found: string, rest: string) => {
    if (escapeText(found) === found && endOfAddress.test(rest)) return found
    // HTML has no link there. With this mark markdown has none either.
    return found.startsWith('www.') ? escapeText(found).replace('www.', 'www\\.') : `<${found}>`
  }
  const toMarkdown = (text: string) => {
    let end = 0
    const parts: string[] = []
    for (const { 0: found, index } of text.matchAll(address)) {
      parts.push(escapeText(text.slice(end, index)))
      end = index + found.length
      parts.push(ofAddress(found, text.slice(end, end + maxEndLength)))
    }
    return [...parts, escapeText(text.slice(end))].join('')
  }
  return { toMarkdown, toLinkText: escapeText }
}
