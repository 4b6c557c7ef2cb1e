import { setImmediate as yieldToOthers } from 'node:timers/promises'

/** A passage holds about this many words: long enough for a thought, and measurably nearer to a query than 200 or more. */
const targetWords = 120
/** Below this a passage takes in the next section instead of ending at its heading. */
const minWords = 60
/** Never more: longer paragraphs are divided at sentences, longer sentences at words. */
const maxWords = 200
/** Bounds scripts and data without blanks. */
const maxCharacters = 3000
/** Passages repeat their headings: a longer one is taken for a paragraph. */
const maxHeadingLength = 200
/** Passages repeat the headings they stand under: if the headings would multiply the text by more than this, each passage repeats only its last heading. */
const maxGrowth = 4
const smallText = 65_536
/** Of work without a pause. */
const maxBlockingMs = 10

/** A paragraph, or a piece of a long one, with the headings it stands under. */
interface Block {
  readonly path: string
  /** The last of them. */
  readonly heading: string
  readonly text: string
  readonly words: number
  /** True for the first block under a heading. */
  readonly opens: boolean
}

/**
 * Cuts a markdown or plain text into passages of about 120 words along headings and paragraphs. Each begins with the
 * line of headings it stands under. A text with anything but blanks gives at least one; none is empty.
 */
export function passagesOf(text: string, title: string | null = null): string[] {
  const cutting = createPassageBuilder()
  for (const block of blocksOf(text, title)) cutting.add(block)
  return cutting.finish(text.length)
}

/** The same for a text that may be large: other work gets its turn meanwhile. */
export async function passagesOfLargeText(text: string, title: string | null): Promise<string[]> {
  const cutting = createPassageBuilder()
  let yieldAt = performance.now() + maxBlockingMs
  for (const block of blocksOf(text, title)) {
    cutting.add(block)
    if (performance.now() < yieldAt) continue
    await yieldToOthers()
    yieldAt = performance.now() + maxBlockingMs
  }
  return cutting.finish(text.length)
}

function createPassageBuilder() {
  const passages: Block[][] = []
  let open: Block[] = []
  let words = 0
  let characters = 0
  return {
    add(block: Block) {
      const size = block.text.length + (open.at(-1)?.path === block.path ? 0 : block.path.length)
      const isFull = words + block.words > maxWords || characters + size > maxCharacters
      if (open.length > 0 && (isFull || words >= targetWords || (block.opens && words >= minWords))) {
        passages.push(open)
        open = []
        words = 0
        characters = 0
      }
      open.push(block)
      words += block.words
      characters += size
    },
    finish(textLength: number): string[] {
      if (open.length > 0) passages.push(open)
      const whole = passages.map(blocks => render(blocks, block => block.path))
      const maxCharactersInAll = Math.max(maxGrowth * textLength, smallText)
      if (whole.reduce((sum, passage) => sum + passage.length, 0) <= maxCharactersInAll) return whole
      return passages.map(blocks => render(blocks, block => block.heading))
    }
  }
}

/** A passage of an entry; `chunk`, as JSON and the table name it, is its index there, from 0. */
export interface EntryPassage {
  entry_id: string
  chunk: number
  text: string
}

export const passageRows = (entry_id: string, texts: readonly string[]): EntryPassage[] =>
  texts.map((text, chunk) => ({ entry_id, chunk, text }))

/** The first first-level heading of a markdown text, or null. */
export function headingOf(text: string): string | null {
  for (const paragraph of paragraphsOf(text)) {
    const heading = readHeading(paragraph)
    if (heading?.depth === 1) return heading.text
  }
  return null
}

function render(blocks: readonly Block[], pathOf: (block: Block) => string): string {
  const lines: string[] = []
  let path = ''
  for (const block of blocks) {
    if (pathOf(block) !== path) lines.push(pathOf(block))
    path = pathOf(block)
    if (block.text !== '') lines.push(block.text)
  }
  return lines.join('\n\n')
}

function* blocksOf(text: string, title: string | null): Generator<Block> {
  const shownTitle = title?.trim().slice(0, maxHeadingLength).toWellFormed() ?? ''
  const headings: { depth: number; text: string }[] = []
  let opens = false
  const path = () => {
    const texts = headings.map(heading => heading.text)
    return (shownTitle === '' || texts[0] === shownTitle ? texts : [shownTitle, ...texts]).join(' › ')
  }
  const block = (piece: string): Block => {
    const made = { path: path(), heading: headings.at(-1)?.text ?? '', text: piece, words: countWords(piece), opens }
    opens = false
    return made
  }
  for (const paragraph of paragraphsOf(text)) {
    const heading = readHeading(paragraph)
    if (heading === null) {
      for (const piece of piecesOf(paragraph)) yield block(piece)
      continue
    }
    // A heading with nothing below it is a block of its own.
    if (opens && heading.depth <= (headings.at(-1)?.depth ?? 0)) yield block('')
    while (heading.depth <= (headings.at(-1)?.depth ?? 0)) headings.pop()
    headings.push(heading)
    opens = true
  }
  if (opens) yield block('')
}

function readHeading(paragraph: string): { depth: number; text: string } | null {
  if (paragraph.length > maxHeadingLength || paragraph.includes('\n')) return null
  const match = /^(#{1,6})[ \t]+(\S.*)$/.exec(paragraph)
  if (match === null) return null
  const [, marks = '', text = ''] = match
  return { depth: marks.length, text: text.replace(/[ \t]+#+$/, '') }
}

/** Headings, paragraphs and fenced code, trimmed; blank lines inside a fence do not divide it. */
function* paragraphsOf(text: string): Generator<string> {
  let lines: string[] = []
  let fence: string | null = null
  function* close() {
    const paragraph = lines.join('\n').trim()
    if (paragraph !== '') yield paragraph
    lines = []
  }
  for (const line of text.split(/\r\n?|\n/)) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1] ?? null
    const isHeading = fence === null && /^#{1,6}[ \t]+\S/.test(line)
    if (isHeading || (fence === null && line.trim() === '')) yield* close()
    lines.push(line)
    if (isHeading) yield* close()
    if (mark !== null) fence = fence === null ? mark : fence === mark ? null : fence
  }
  yield* close()
}

/** A paragraph whole, or cut where it is too long: after sentences if possible, else between words, else anywhere. */
function piecesOf(paragraph: string): string[] {
  if (fits(paragraph)) return [paragraph]
  const pieces: string[] = []
  let piece = ''
  let words = 0
  for (const atom of atomsOf(paragraph)) {
    const more = countWords(atom)
    if (piece !== '' && (words + more > maxWords || piece.length + atom.length > maxCharacters)) {
      pieces.push(piece)
      piece = ''
      words = 0
    }
    piece += atom
    words += more
  }
  return [...pieces, piece].map(each => each.trim()).filter(each => each !== '')
}

function atomsOf(paragraph: string): string[] {
  const sentences = paragraph.split(/(?<=[.!?…。！？]["'”’)\]]?\s)(?=\S)|(?<=[。！？])/)
  const words = sentences.flatMap(sentence => (fits(sentence) ? [sentence] : sentence.split(/(?<=\s)(?=\S)/)))
  // The flag u keeps the two halves of a character outside the BMP together.
  return words.flatMap(word => (word.length <= maxCharacters ? [word] : (word.match(/.{1,1000}/gsu) ?? [])))
}

const fits = (text: string): boolean => text.length <= maxCharacters && countWords(text) <= maxWords

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}
