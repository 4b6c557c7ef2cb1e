import type { Source } from '../ports.ts'
import { readSentences, type Sentence, tidyHeading } from './sentences.ts'

/** A run of sentences that stood together in the source; unusable ones have been dropped. */
export interface Passage {
  /** Index into the assignment's sources. */
  source: number
  /** Index of the section within its source. */
  section: number
  /** Position within its source. */
  position: number
  sentences: readonly Sentence[]
}

/** A stretch of a source under one heading; the text before the first heading has none. */
interface SourceSection {
  heading: string | null
  passages: Passage[]
}

/** A source, parsed. */
export interface ParsedSource {
  source: number
  /** Null: neither the source nor its text has one. */
  title: string | null
  sections: SourceSection[]
}

/** Characters read of one source: about 15,000 words, far beyond what a draft can draw on. */
const maxParsedChars = 100_000

type Block = { kind: 'title' | 'heading' | 'paragraph'; text: string }

/** Lines that never carry prose: tables, rules, link definitions, images standing alone. */
const isNonProseLine = (line: string): boolean =>
  /^\s*(\||[-*_=]{3,}\s*$|\[[^\]]{1,200}\]:|!\[)/.test(line) || (line.match(/\|/g)?.length ?? 0) > 2

/** Cuts out what stands between two marks. Linear: a mark left open ends the search. */
function withoutSpans(text: string, opening: RegExp, closing: string): string {
  let outside = ''
  let rest = text
  for (let start = rest.search(opening); start >= 0; start = rest.search(opening)) {
    const end = rest.indexOf(closing, start + 1)
    if (end < 0) break
    outside += `${rest.slice(0, start)}\n\n`
    rest = rest.slice(end + closing.length)
  }
  return outside + rest
}

const hidden: readonly (readonly [RegExp, string])[] = [
  [/^---\n(?=[\w-]+:)/, '\n---\n'],
  [/<!--/, '-->'],
  [/<script\b/i, '</script>'],
  [/<style\b/i, '</style>'],
  [/<pre\b/i, '</pre>']
]

const withoutFences = (markdown: string): string =>
  hidden
    .reduce((text, [opening, closing]) => withoutSpans(text, opening, closing), markdown)
    .replace(/^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?(?:^ {0,3}\1[^\n]*$|$(?![\s\S]))/gm, '\n')

/** Headings and paragraphs in order; a list item is a paragraph's line. */
function splitBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  let lines: string[] = []
  const close = () => {
    if (lines.length > 0) blocks.push({ kind: 'paragraph', text: lines.join(' ') })
    lines = []
  }
  for (const line of withoutFences(markdown).split('\n')) {
    const heading = /^ {0,3}(#{1,6})\s+(.{1,300}?)\s*#*\s*$/.exec(line)
    if (heading || line.trim() === '' || isNonProseLine(line)) close()
    if (heading) blocks.push({ kind: heading[1] === '#' ? 'title' : 'heading', text: tidyHeading(heading[2] ?? '') })
    else if (line.trim() !== '' && !isNonProseLine(line))
      lines.push(line.replace(/^\s*(?:>\s*)*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?/, ''))
  }
  close()
  return blocks
}

/** Passages of at most this many sentences, and headless texts in sections of at most this many passages, stay readable. */
const maxPassageSentences = 6
const maxSectionPassages = 3

/** Cuts a long paragraph where a sentence stands on its own. */
function splitPassages(sentences: readonly Sentence[]): Sentence[][] {
  const parts: Sentence[][] = []
  for (const sentence of sentences) {
    const last = parts.at(-1)
    if (last && (last.length < maxPassageSentences || sentence.dependsOnPrevious)) last.push(sentence)
    else parts.push([sentence])
  }
  return parts
}

/** Sections under these headings hold no prose of the source's own. */
const nonProseHeadings =
  /^(references|see also|sources|further reading|external links|(table of )?contents|bibliography|footnotes|notes|related)$/i

/** Parses a source into sections, passages and sentences. Never throws: what cannot be used is left out. */
export function parseSource(source: Source, index: number): ParsedSource {
  const sections: SourceSection[] = [{ heading: null, passages: [] }]
  let title = tidyHeading(source.title)
  const read = new Set<string>()
  let position = 0
  const text = source.text.slice(0, maxParsedChars).toWellFormed().replace(/\r\n?/g, '\n').normalize('NFC')
  for (const block of splitBlocks(text)) {
    const current = sections.at(-1)
    if (block.kind === 'title' && position === 0 && sections.length === 1) title ||= block.text
    else if (block.kind !== 'paragraph') sections.push({ heading: block.text || null, passages: [] })
    else if (current && !nonProseHeadings.test(current.heading ?? '')) {
      for (const sentences of splitPassages(readSentences(block.text, read)))
        current.passages.push({ source: index, section: 0, position: position++, sentences })
    }
  }
  return { source: index, title: title || null, sections: numberSections(sections) }
}

/** Drops empty sections, cuts a headless text into several, and numbers each passage's section. */
function numberSections(sections: readonly SourceSection[]): SourceSection[] {
  const filled = sections.filter(({ passages }) => passages.length > 0)
  const cut = filled.length === 1 ? filled.flatMap(cutHeadless) : filled
  return cut.map(({ heading, passages }, section) => ({
    heading,
    passages: passages.map(passage => ({ ...passage, section }))
  }))
}

function cutHeadless({ heading, passages }: SourceSection): SourceSection[] {
  if (passages.length <= maxSectionPassages) return [{ heading, passages }]
  const count = Math.ceil(passages.length / maxSectionPassages)
  return Array.from({ length: count }, (_, part) => ({
    heading: part === 0 ? heading : null,
    passages: passages.slice(part * maxSectionPassages, (part + 1) * maxSectionPassages)
  }))
}
