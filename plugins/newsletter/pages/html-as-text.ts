import { createTextLines, type TextLines } from './text-lines.ts'

const piece = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|[^<]+/g
const characters: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

const paragraphs = new Set([
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'p',
  'pre',
  'blockquote',
  'table',
  'hr',
  'figure',
  'details',
  'section',
  'dl'
])
const lineStarts = new Set(['li', 'tr', 'dt', 'dd', 'caption', 'summary', 'figcaption'])

/** The text of sanitised HTML as a mail reader without HTML shows it: links with their address, lists with their marks. */
export function htmlAsText(html: string): string {
  const reading: Reading = { lines: createTextLines(), lists: [], links: [], raised: [], isVerbatim: false, cells: 0 }
  for (const [text, end, name, attributes = ''] of html.matchAll(piece)) {
    if (name === undefined) say(reading, decoded(text))
    else if (end === '/') close(reading, name)
    else open(reading, name, key => attributeIn(attributes, key))
  }
  return reading.lines.text()
}

/** What is known on the way through a text. */
interface Reading {
  lines: TextLines
  /** The number of the next item of each list that is open; undefined in one without numbers. */
  lists: (number | undefined)[]
  links: { address: string; text: string }[]
  /** What ends each `sup` that is open. */
  raised: string[]
  /** Blanks and line breaks stand as they are. */
  isVerbatim: boolean
  /** Of the present row of a table. */
  cells: number
}

type Attribute = (name: string) => string

const decoded = (text: string): string => text.replace(/&(?:amp|lt|gt|quot);/g, found => characters[found] ?? found)

const attributeIn = (attributes: string, name: string): string =>
  decoded(new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')

function say({ lines, links, isVerbatim }: Reading, text: string): void {
  const link = links.at(-1)
  // The way back from a note leads nowhere in a mail.
  if (link?.address.startsWith('#noteref')) return
  if (link !== undefined) link.text += text
  if (isVerbatim) lines.addVerbatim(text.replace(/\n$/, ''))
  else lines.add(text)
}

function breakAt({ lines, lists }: Reading, name: string): void {
  if (name === 'ul' || name === 'ol') lines.breakLine(lists.length === 0 ? 'paragraph' : 'line')
  else if (paragraphs.has(name)) lines.breakLine('paragraph')
  // Two of them make the blank line that they show.
  else if (name === 'br' && !lines.breakLine('line')) lines.breakLine('paragraph')
  else if (lineStarts.has(name)) lines.breakLine('line')
}

function open(reading: Reading, name: string, attribute: Attribute): void {
  breakAt(reading, name)
  opened[name]?.(reading, attribute)
  if (name === 'hr') breakAt(reading, name)
}

function close(reading: Reading, name: string): void {
  closed[name]?.(reading)
  breakAt(reading, name)
}

const opened: Readonly<Record<string, (reading: Reading, attribute: Attribute) => void>> = {
  ul: ({ lists }) => void lists.push(undefined),
  ol: ({ lists }, attribute) => void lists.push(/^\d{1,9}$/.test(attribute('start')) ? Number(attribute('start')) : 1),
  li({ lines, lists }) {
    const mark = nextMark(lists)
    lines.indent(' '.repeat(mark.length), mark)
  },
  blockquote: ({ lines }) => lines.indent('> '),
  dd: ({ lines }) => lines.indent('  '),
  pre(reading) {
    reading.isVerbatim = true
  },
  tr(reading) {
    reading.cells = 0
  },
  th: nextCell,
  td: nextCell,
  hr: reading => say(reading, '* * *'),
  a: ({ links }, attribute) => void links.push({ address: attribute('href'), text: '' }),
  img: (reading, attribute) => say(reading, pictureText(attribute, reading.links.length > 0)),
  sup(reading, attribute) {
    const isNote = attribute('class') === 'ref'
    reading.raised.push(isNote ? ']' : '')
    say(reading, isNote ? '[' : '^')
  },
  q: reading => say(reading, '"')
}

const closed: Readonly<Record<string, (reading: Reading) => void>> = {
  ul: ({ lists }) => void lists.pop(),
  ol: ({ lists }) => void lists.pop(),
  li: ({ lines }) => lines.outdent(),
  blockquote: ({ lines }) => lines.outdent(),
  dd: ({ lines }) => lines.outdent(),
  pre(reading) {
    reading.isVerbatim = false
  },
  a(reading) {
    const link = reading.links.pop()
    if (link !== undefined && isShown(link)) say(reading, ` (${link.address})`)
  },
  sup: reading => say(reading, reading.raised.pop() ?? ''),
  q: reading => say(reading, '"')
}

function nextCell(reading: Reading): void {
  if (reading.cells > 0) say(reading, ' | ')
  reading.cells += 1
}

/** The mark of the next item of the innermost list. */
function nextMark(lists: (number | undefined)[]): string {
  const number = lists.at(-1)
  if (number === undefined) return '- '
  lists[lists.length - 1] = number + 1
  return `${number}. `
}

/** An address that the text itself says, or one within the mail, is left out. */
const isShown = ({ address, text }: { address: string; text: string }): boolean =>
  address !== '' && !address.startsWith('#') && address.replace(/^mailto:/, '') !== text.trim()

function pictureText(attribute: Attribute, isLink: boolean): string {
  const alt = attribute('alt')
  return alt === '' || isLink ? alt : `${alt} (${attribute('src')})`
}
