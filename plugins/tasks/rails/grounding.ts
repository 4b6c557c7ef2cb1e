import { termsOf, wordsOf } from '#text'
import type { Assignment, BuiltInRail, Draft, RailFinding, Source } from '../pipeline/ports.ts'
import {
  type Article,
  citations,
  type ListedSource,
  numbers,
  quotations,
  readMarkdown,
  sentences,
  withoutCitations
} from '../text.ts'
import { findingOf, quote } from './faults.ts'

/** `Draft.model` of writers that only repeat what sources say, so that each sentence can be held against them. */
const extractiveWriters: ReadonlySet<string> = new Set(['embedded'])
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

interface Ground {
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
    const isExtractive = extractiveWriters.has(draft.model)
    // An extractive writer that drew on nothing found nothing on the topic in the sources it was given.
    if (assignment.sources.length === 0 || (isExtractive && draft.source_ids.length === 0)) {
      return { score: 0, note: withoutSources(assignment.topic) }
    }
    const article = readMarkdown(draft.content)
    const grounds = assignment.sources.map(groundOf)
    const faults = [...citationFaults(article, grounds)]
    if (isExtractive) return extractiveFinding(article, grounds, faults)
    faults.push(...numberFaults(draft, article, assignment, grounds), ...quotationFaults(article, grounds))
    return findingOf(faults, 25, 'Citations, numbers and quotations are found in the sources.')
  }
}

function withoutSources(topic: string): string {
  return `No stored source covers ${quote(topic)}: store texts about it (galley memory store --writer operator --file <file>), then create the task again.`
}

function groundOf(source: Source): Ground {
  const text = `${source.title}\n${source.text}`
  return {
    source,
    terms: new Set(termsOf(text)),
    numbers: new Set(numbers(text)),
    running: ` ${wordsOf(text).join(' ')} `
  }
}

function citationFaults({ blocks, listed }: Article, grounds: readonly Ground[]): string[] {
  const cited = new Set(blocks.flatMap(block => citations(block.outsideCode)))
  if (cited.size === 0) return ['no source is cited as [n]']
  if (listed.length === 0) return ['the text cites sources but has no ## Sources list']
  const byNumber = new Map(listed.map(entry => [entry.number, groundFor(entry, grounds)]))
  return [
    ...[...cited].filter(number => !byNumber.has(number)).map(number => `[${number}] is not in the Sources list`),
    ...listed
      .filter(entry => !byNumber.get(entry.number))
      .map(entry => `the Sources list names ${quote(entry.text)}, which is none of the task's sources`),
    ...blocks.flatMap(block => strayCitations(block.outsideCode, byNumber))
  ]
}

function groundFor({ text }: ListedSource, grounds: readonly Ground[]): Ground | undefined {
  const running = ` ${wordsOf(text).join(' ')} `
  return grounds.find(({ source: { title, url, source_id } }) => {
    if (url !== null && text.includes(url)) return true
    const name = wordsOf(title)
    return name.length > 0 ? running.includes(` ${name.join(' ')} `) : text.includes(source_id)
  })
}

function strayCitations(passage: string, byNumber: ReadonlyMap<number, Ground | undefined>): string[] {
  const claim = termsOf(withoutCitations(passage))
  if (claim.length < minPassageWords) return []
  return [...new Set(citations(passage))].flatMap(number => {
    const ground = byNumber.get(number)
    return !ground || shareIn(claim, ground) >= passageShare
      ? []
      : [`[${number}] says nothing about ${quote(withoutCitations(passage))}`]
  })
}

function shareIn(terms: readonly string[], ground: Ground): number {
  return terms.filter(stem => ground.terms.has(stem)).length / terms.length
}

function extractiveFinding(article: Article, grounds: readonly Ground[], faults: readonly string[]): RailFinding {
  const claims = article.blocks
    .flatMap(block => sentences(withoutCitations(block.text)))
    .filter(sentence => termsOf(sentence).length >= minClaimWords)
  const strangers = claims.filter(sentence => !grounds.some(ground => isFrom(sentence, ground)))
  const share = claims.length === 0 ? 0 : 1 - strangers.length / claims.length
  const notes = [`${Math.round(share * 100)} % of ${claims.length} sentences are found in the sources`, ...faults]
  if (strangers.length > 0) notes.push(`not found: ${quote(strangers[0] ?? '')}`)
  return { score: Math.round(Math.max(0, 100 * share - 25 * faults.length)), note: `${notes.slice(0, 5).join('; ')}.` }
}

function isFrom(sentence: string, ground: Ground): boolean {
  return shareIn(termsOf(sentence), ground) >= sentenceShare && numbers(sentence).every(n => ground.numbers.has(n))
}

function numberFaults(
  draft: Draft,
  article: Article,
  { topic, feedback }: Assignment,
  grounds: readonly Ground[]
): string[] {
  const text = [draft.title, draft.excerpt, ...article.blocks.map(block => block.outsideCode)].map(withoutCitations)
  const known = new Set(numbers(`${topic} ${feedback ?? ''}`))
  return [...new Set(text.flatMap(numbers))]
    .filter(number => !(Number.isInteger(Number(number)) && Number(number) <= smallNumber))
    .filter(number => !known.has(number) && !grounds.some(ground => ground.numbers.has(number)))
    .map(number => `the number ${number} is in none of the sources`)
}

function quotationFaults({ blocks }: Article, grounds: readonly Ground[]): string[] {
  return blocks
    .flatMap(block => quotations(withoutCitations(block.text)))
    .filter(text => wordsOf(text).length >= minQuotationWords)
    .filter(text => !grounds.some(ground => ground.running.includes(` ${wordsOf(text).join(' ')} `)))
    .map(text => `the quotation ${quote(text)} is in none of the sources`)
}
