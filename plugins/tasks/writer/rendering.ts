import { isStopWord, termsOf, wordsOf } from '#text'
import { readMarkdown } from '../article.ts'
import type { Source } from '../ports.ts'
import { type Extract, sectionKey } from './opening-and-closing.ts'
import type { RankedPassage, RelevantSource } from './relevance.ts'
import type { Selection } from './selection.ts'
import { wordsIn } from './sentences.ts'
import { countWords } from './words.ts'

/** What lists call a source without a title. */
export const untitled = 'Untitled source'

/** Headings that say too little once they stand beside those of other sources. */
const vagueHeadings =
  /^(overview|introduction|summary|conclusions?|background|basics|details|abstract|preface|general|about|intro|in short)$/i
/** Sections on use and trouble come after those on how things work. */
const practiceHeadings =
  /\b(practice|costs?|limits?|tuning|watching|monitoring|mistakes?|faults?|troubleshooting|tips|choosing|working (well )?with|safe(ly)?|caring|care|when .* (not|fails?)|finding out|best|policy|in the garden|what .* can do|testing|risks?)\b/i
/** Paragraphs shorter than this join the one before. */
const minParagraphWords = 22

interface Part {
  heading: string
  extracts: Extract[]
}

const textOf = ({ sentences }: Extract): string => sentences.map(({ text }) => text).join(' ')

/** The distinctive word pair, or word, of some passages: a heading for texts that bring none. */
function themeOf(extracts: readonly Extract[], taken: ReadonlySet<string>): string {
  const counts = new Map<string, number>()
  for (const { sentences } of extracts) {
    for (const { text } of sentences) {
      const words = wordsOf(text)
      words.forEach((word, index) => {
        if (!isDistinctive(word)) return
        counts.set(word, (counts.get(word) ?? 0) + 1)
        const next = words[index + 1]
        if (next && isDistinctive(next)) counts.set(`${word} ${next}`, (counts.get(`${word} ${next}`) ?? 0) + 1)
      })
    }
  }
  const theme = [...counts]
    .filter(([words, count]) => count > 1 && termsOf(words).every(term => !taken.has(term)))
    .sort((one, other) => other[1] - one[1] || other[0].length - one[0].length || (one[0] < other[0] ? -1 : 1))[0]?.[0]
  return theme ? theme.charAt(0).toUpperCase() + theme.slice(1) : 'Further details'
}

const isDistinctive = (word: string): boolean => word.length > 3 && !isStopWord(word) && !/^\d|'/.test(word)

/** Gives each section of the post a heading of its own. */
function headingFor(
  reading: RelevantSource,
  section: number,
  extracts: readonly Extract[],
  title: string,
  used: Set<string>
): string {
  const own = reading.sections[section]?.heading ?? null
  const sourceTitle = reading.title === null || sameText(reading.title, title) ? null : reading.title
  const candidates = [
    own && !vagueHeadings.test(own) && !sameText(own, title) ? own : null,
    section === 0 ? sourceTitle : null,
    section === 0 ? 'Overview' : null,
    own && sourceTitle ? `${sourceTitle}: ${own}` : null,
    themeOf(extracts, new Set(termsOf(`${title} ${reading.title ?? ''} ${[...used].join(' ')}`)))
  ]
  const heading =
    candidates.find(candidate => candidate && !used.has(candidate.toLowerCase())) ?? `Further details ${used.size}`
  used.add(heading.toLowerCase())
  return heading
}

const sameText = (one: string, other: string): boolean => termsOf(one).join(' ') === termsOf(other).join(' ')

/** The opening's own section first, then those of the best source in their order; those on use and trouble last. */
function planParts({ opening, body }: Selection, parsedSources: readonly RelevantSource[], title: string): Part[] {
  const rankOf = new Map(parsedSources.map(({ source }, rank) => [source, rank]))
  const stageOf = (passage: RankedPassage): number => {
    if (sectionKey(passage) === sectionKey(opening.passage)) return 0
    return practiceHeadings.test(
      parsedSources[rankOf.get(passage.source) ?? 0]?.sections[passage.section]?.heading ?? ''
    )
      ? 2
      : 1
  }
  const ordered = [...body].sort(
    ({ passage: one }, { passage: other }) =>
      stageOf(one) - stageOf(other) ||
      (rankOf.get(one.source) ?? 0) - (rankOf.get(other.source) ?? 0) ||
      one.position - other.position
  )
  const used = new Set(['in short', 'sources'])
  return [...Map.groupBy(ordered, ({ passage }) => sectionKey(passage)).values()].flatMap(extracts => {
    const passage = extracts[0]?.passage
    const reading = passage && parsedSources[rankOf.get(passage.source) ?? 0]
    return reading ? [{ heading: headingFor(reading, passage.section, extracts, title, used), extracts }] : []
  })
}

/** Very short paragraphs join the one before; all of a part come from one source, so one mark is enough. */
function joinShort(extracts: readonly Extract[]): Extract[][] {
  const isShort = ({ sentences }: Extract) => wordsIn(sentences) < minParagraphWords
  const paragraphs: Extract[][] = []
  for (const extract of extracts) {
    const previous = paragraphs.at(-1)
    if (previous && (isShort(extract) || previous.every(isShort))) previous.push(extract)
    else paragraphs.push([extract])
  }
  return paragraphs
}

const linkable = (url: string | null): string | null =>
  url && /^https?:\/\/[^\s<>"]+$/i.test(url) ? url.replace(/[()]/g, mark => (mark === '(' ? '%28' : '%29')) : null

/** One line of the list: the source's own title, so that it can be found again, or what its text calls itself and its id. */
function sourceLine(source: Source | undefined, ownTitle: string, number: number): string {
  const stored = plainLabel(source?.title ?? '')
  const label = /[\p{L}\p{N}]/u.test(stored) ? stored : plainLabel(`${ownTitle} (${source?.source_id})`)
  const url = linkable(source?.url ?? null)
  return `${number}. ${url ? `[${label}](${url})` : label}`
}

const plainLabel = (text: string): string =>
  text
    .slice(0, 300)
    .toWellFormed()
    .replace(/[\p{Cc}\s`*#<>[\]{}|\\~]+/gu, ' ')
    .trim()

/** A finished text and the sources it cites, in the order of their numbers. */
export interface RenderedDraft {
  content: string
  cited: readonly number[]
}

/** Sets the selection as markdown: opening, sections, a short ending, and the numbered sources. */
export function renderDraft(
  selection: Selection,
  parsedSources: readonly RelevantSource[],
  sources: readonly Source[],
  title: string,
  missing: readonly string[]
): RenderedDraft {
  const cited: number[] = []
  const mark = (source: number): string => {
    if (!cited.includes(source)) cited.push(source)
    return `[${cited.indexOf(source) + 1}]`
  }
  const paragraph = (extracts: readonly Extract[]): string => {
    const marks = [...new Set(extracts.map(({ passage }) => passage.source))].map(mark).sort()
    return `${extracts.map(textOf).join(' ')} ${marks.join(' ')}`
  }
  const blocks = [paragraph([selection.opening])]
  for (const { heading, extracts } of planParts(selection, parsedSources, title))
    blocks.push(`## ${heading}`, ...joinShort(extracts).map(paragraph))
  if (selection.closing.length > 0) blocks.push('## In short', paragraph(selection.closing))
  const titleOf = new Map(parsedSources.map(reading => [reading.source, reading.title]))
  const list = cited.map((source, index) => sourceLine(sources[source], titleOf.get(source) ?? untitled, index + 1))
  blocks.push('## Sources', list.join('\n'))
  if (missing.length > 0) blocks.push(`Not covered by these sources: ${missing.join(', ')}.`)
  return { content: `${blocks.join('\n\n')}\n`, cited }
}

/** Words of the prose and headings, without the list of sources. */
export function countProse(content: string): number {
  const texts = readMarkdown(content).sections.flatMap(({ heading, blocks }) => [
    heading ?? '',
    ...blocks.map(({ text }) => text)
  ])
  return texts.reduce((sum, text) => sum + countWords(text), 0)
}
