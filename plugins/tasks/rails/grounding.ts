import { splitSentences, termsOf, wordsOf } from '#text'
import {
  type Article,
  citations,
  type ListedSource,
  numbers,
  quotations,
  readMarkdown,
  withoutCitations
} from '../article.ts'
import type { Assignment, BuiltInRail, Draft, RailFinding, Source } from '../ports.ts'
import { findingOf, quote } from './faults.ts'

/** A sentence is a source's when one source has this share of its content words and all of its numbers. */
const sentenceShare = 0.8
/** A cited source must have at least this share of the content words of the passage that cites it. */
const passageShare = 0.25
/** In a shorter passage a fair paraphrase may share no word with its source. */
const minPassageWords = 6
/** Sentences with fewer content words make no claim ("Why does it matter?"). */
const minClaimWords = 3
/** Whole numbers up to this count things of the text itself ("three reasons", "2 steps"). */
const smallNumber = 10
/** Two words in quotation marks are a manner of speaking; four are somebody's. */
const minQuotationWords = 4

interface SourceIndex {
  source: Source
  terms: ReadonlySet<string>
  numbers: ReadonlySet<string>
  running: string
}

/**
 * Holds a draft against the sources it was written from. For every draft: citations `[n]` resolve to the Sources list, the
 * list names only sources of the task, and a cited source is about what it is cited for. An extractive draft's sentences
 * must come from a source. A model words things anew, so of its draft only numbers and quotations are looked up: a wrong
 * claim without either is left to the critic and the reader.
 */
export const grounding: BuiltInRail = {
  name: 'grounding',
  describe: 'Citations resolve, and sentences (of a model: numbers and quotations) are found in the sources.',
  mode: 'required',
  threshold: 80,
  weight: 2,
  check(draft, assignment) {
    const { isExtractive = false } = draft
    // An extractive writer that drew on nothing found nothing on the topic in the sources it was given.
    if (assignment.sources.length === 0 || (isExtractive && draft.source_ids.length === 0)) {
      return { score: 0, note: withoutSources(assignment) }
    }
    const article = readMarkdown(draft.content)
    const indexes = assignment.sources.map(indexSource)
    const faults = [...citationFaults(article, indexes)]
    if (isExtractive) return extractiveFinding(article, indexes, faults)
    faults.push(...numberFaults(draft, article, assignment, indexes), ...quotationFaults(article, indexes))
    return findingOf(faults, 25, 'Citations, numbers and quotations are found in the sources.')
  }
}

function withoutSources({ topic, hasMemory = true }: Assignment): string {
  const first = hasMemory ? '' : 'add the plugin memory to plugins.config.json, '
  return `No stored source covers ${quote(topic)}: ${first}store texts about it (galley memory store --writer operator --file <file>), then create the task again.`
}

function indexSource(source: Source): SourceIndex {
  const text = `${source.title}\n${source.text}`
  return {
    source,
    terms: new Set(termsOf(text)),
    numbers: new Set(numbers(text)),
    running: ` ${wordsOf(text).join(' ')} `
  }
}

function citationFaults({ blocks, listed }: Article, indexes: readonly SourceIndex[]): string[] {
  const cited = new Set(blocks.flatMap(block => citations(block.outsideCode)))
  if (cited.size === 0) return ['no source is cited as [n]']
  if (listed.length === 0) return ['the text cites sources but has no ## Sources list']
  const byNumber = new Map(listed.map(entry => [entry.number, findListed(entry, indexes)]))
  return [
    ...[...cited].filter(number => !byNumber.has(number)).map(number => `[${number}] is not in the Sources list`),
    ...listed
      .filter(entry => !byNumber.get(entry.number))
      .map(entry => `the Sources list names ${quote(entry.text)}, which is none of the task's sources`),
    ...blocks.flatMap(block => unsupportedCitations(block.outsideCode, byNumber))
  ]
}

function findListed({ text }: ListedSource, indexes: readonly SourceIndex[]): SourceIndex | undefined {
  const running = ` ${wordsOf(text).join(' ')} `
  return indexes.find(({ source: { title, url, source_id } }) => {
    if (url !== null && text.includes(url)) return true
    const name = wordsOf(title)
    return name.length > 0 ? running.includes(` ${name.join(' ')} `) : text.includes(source_id)
  })
}

function unsupportedCitations(passage: string, byNumber: ReadonlyMap<number, SourceIndex | undefined>): string[] {
  const claim = termsOf(withoutCitations(passage))
  if (claim.length < minPassageWords) return []
  return [...new Set(citations(passage))].flatMap(number => {
    const index = byNumber.get(number)
    return !index || shareIn(claim, index) >= passageShare
      ? []
      : [`[${number}] says nothing about ${quote(withoutCitations(passage))}`]
  })
}

function shareIn(terms: readonly string[], index: SourceIndex): number {
  return terms.filter(stem => index.terms.has(stem)).length / terms.length
}

function extractiveFinding(article: Article, indexes: readonly SourceIndex[], faults: readonly string[]): RailFinding {
  const claims = article.blocks
    .flatMap(block => splitSentences(withoutCitations(block.text)))
    .filter(sentence => termsOf(sentence).length >= minClaimWords)
  const unsupported = claims.filter(sentence => !indexes.some(index => isFrom(sentence, index)))
  const share = claims.length === 0 ? 0 : 1 - unsupported.length / claims.length
  const notes = [`${Math.round(share * 100)} % of ${claims.length} sentences are found in the sources`, ...faults]
  if (unsupported.length > 0) notes.push(`not found: ${quote(unsupported[0] ?? '')}`)
  return { score: Math.round(Math.max(0, 100 * share - 25 * faults.length)), note: `${notes.slice(0, 5).join('; ')}.` }
}

function isFrom(sentence: string, index: SourceIndex): boolean {
  return shareIn(termsOf(sentence), index) >= sentenceShare && numbers(sentence).every(n => index.numbers.has(n))
}

function numberFaults(
  draft: Draft,
  article: Article,
  { topic, feedback }: Assignment,
  indexes: readonly SourceIndex[]
): string[] {
  const text = [draft.title, draft.excerpt, ...article.blocks.map(block => block.outsideCode)].map(withoutCitations)
  const known = new Set(numbers(`${topic} ${feedback ?? ''}`))
  return [...new Set(text.flatMap(numbers))]
    .filter(number => !(Number.isInteger(Number(number)) && Number(number) <= smallNumber))
    .filter(number => !known.has(number) && !indexes.some(index => index.numbers.has(number)))
    .map(number => `the number ${number} is in none of the sources`)
}

function quotationFaults({ blocks }: Article, indexes: readonly SourceIndex[]): string[] {
  return blocks
    .flatMap(block => quotations(withoutCitations(block.text)))
    .filter(text => wordsOf(text).length >= minQuotationWords)
    .filter(text => !indexes.some(index => index.running.includes(` ${wordsOf(text).join(' ')} `)))
    .map(text => `the quotation ${quote(text)} is in none of the sources`)
}
