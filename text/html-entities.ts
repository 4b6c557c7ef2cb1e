/** Those that people type. Others stay as they are. */
const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    hellip: '…',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    copy: '©',
    reg: '®',
    trade: '™',
    euro: '€'
  })
)
/** Numbers from 128 on that browsers take for those of Windows-1252. */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const unknown = '\ufffd'

const reference = /(?<!\\)&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,6}));/g

/** HTML's character references in a text, `&amp;` and `&#8212;`, as a browser shows them. The text is no HTML: escape it. */
export function decodeHtmlEntities(text: string): string {
  return text.replace(reference, (whole, decimal?: string, hex?: string, name = '') => {
    if (decimal !== undefined) return character(Number(decimal))
    if (hex !== undefined) return character(Number.parseInt(hex, 16))
    return named.get(name) ?? whole
  })
}

function character(code: number): string {
  if (code > 0x10ffff) return unknown
  const found = code >= 0x80 && code <= 0x9f ? (windows[code - 0x80] ?? unknown) : String.fromCodePoint(code)
  // What no text holds: half a character, and controls, which XML feeds do not take.
  return /[\ud800-\udfff\ufffe\uffff]|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/u.test(found) ? unknown : found
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Most texts have none, and to look takes half as long as to replace nothing. */
const escaped = /[&<>"']/

/** A text as it stands in HTML, between tags and within quotes. */
export function escapeHtml(text: string): string {
  return escaped.test(text) ? text.replace(/[&<>"']/g, character => escapes[character] ?? character) : text
}

/** What HTML reads as a character reference, some of them without a semicolon. */
const readAsReference = /&(?=#|[A-Za-z][A-Za-z0-9])/g

/** A text for feeds, which most readers take for HTML and some as it stands: it has no tag and no reference. Other & stay as they are. */
export const escapeMarkup = (text: string): string =>
  text.replace(readAsReference, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
