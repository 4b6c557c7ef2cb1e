import { isStopWord, stem, termFrequencyWeight, termsOf, tokensOf } from '#text'
import type { Assignment } from '../ports.ts'
import type { FeedbackRequests } from './feedback.ts'
import type { ParsedSource, Passage } from './parse-source.ts'
import { isWeakWord } from './words.ts'

/** Weights of the terms a post has to be about. */
export type TermWeights = ReadonlyMap<string, number>

/** A source worth drawing on; `share` is how much of the topic it covers, 0–1. */
export interface RelevantSource extends ParsedSource {
  share: number
  /** The whole source is about the topic, not only some of its passages. */
  isAboutTopic: boolean
}

/** A passage with its worth for this assignment. */
export interface RankedPassage extends Passage {
  score: number
}

/** The best source must cover at least this share of the topic: otherwise nothing is written. */
const minTopicShare = 0.45
/** A further source has to cover this share of what the best one covers. */
const minRelativeShare = 0.35
/** How far a passage's length counts, 0–1: BM25's b. */
const b = 0.5
/** Terms of the best source's own vocabulary that widen the query, and their joint limit of weight. */
const vocabulary = { terms: 16, weight: 0.3 }

const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}_]*/gu

/** What the operator wants left out is left out. In more than this share of the passages it only scores lower. */
const maxShareLeftOut = 0.3

/** What the topic and its keyword ask for, words of little meaning counting little. */
export function readQuery({ topic, primary_keyword }: Assignment, parsedSources: readonly ParsedSource[]): TermWeights {
  const known = countTerms(parsedSources.flatMap(reading => passagesOf(reading).flatMap(termsOfPassage)))
  const query = new Map<string, number>()
  const add = (text: string, factor: number) => {
    for (const word of tokensOf(text).filter(word => !isStopWord(word))) {
      const weight = factor * (isWeakWord(word) ? 0.15 : 1)
      const wanted = longerForm(stem(word), known)
      query.set(wanted, Math.max(query.get(wanted) ?? 0, weight))
    }
  }
  add(topic, 1)
  add(primary_keyword ?? '', 0.8)
  if (query.size === 0) for (const word of tokensOf(topic)) query.set(stem(word), 1)
  return query
}

/** A term that no source has is replaced by the commonest longer one: `postgres` finds `postgresql`. */
function longerForm(wanted: string, known: ReadonlyMap<string, number>): string {
  if (wanted.length < 5 || known.has(wanted)) return wanted
  const longer = [...known].filter(([found]) => found.startsWith(wanted))
  return longer.sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))[0]?.[0] ?? wanted
}

const passagesOf = (reading: ParsedSource): Passage[] => reading.sections.flatMap(section => section.passages)

const termsOfPassage = (passage: Passage): string[] => passage.sentences.flatMap(sentence => sentence.terms)

function countTerms(terms: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const found of terms) counts.set(found, (counts.get(found) ?? 0) + 1)
  return counts
}

/** How strongly a source treats each term, 0–1: naming it in the title beats any number of mentions. */
function strengths(reading: ParsedSource): (wanted: string) => number {
  const title = new Set(termsOf(reading.title ?? ''))
  const headings = new Set(reading.sections.flatMap(({ heading }) => termsOf(heading ?? '')))
  const counts = countTerms(passagesOf(reading).flatMap(termsOfPassage))
  return wanted => {
    if (title.has(wanted)) return 1
    const count = counts.get(wanted) ?? 0
    return Math.max(headings.has(wanted) && count > 0 ? 0.8 : 0, count / (count + 2))
  }
}

/**
 * Rare terms tell sources apart; one that no source has counts like one that a single source has. BM25's own measure is
 * for many texts: of a handful, a term that all of them have would count nearly nothing.
 */
const rarity = (total: number, holding: number): number => Math.log(1 + (total + 1) / (Math.max(1, holding) + 0.5))

/** Sources that cover enough of the topic, best first; empty when even the best does not. */
export function chooseSources(
  parsedSources: readonly ParsedSource[],
  query: TermWeights,
  requests: FeedbackRequests
): RelevantSource[] {
  const treated = parsedSources.map(reading => ({ reading, strength: strengths(reading) }))
  const weights = [...query].map(([wanted, weight]) => {
    const holding = treated.filter(({ strength }) => strength(wanted) >= 0.5).length
    return { wanted, weight: weight * rarity(parsedSources.length, holding) }
  })
  const total = weights.reduce((sum, { weight }) => sum + weight, 0)
  const rated = treated.map(({ reading, strength }) => {
    const share = weights.reduce((sum, { wanted, weight }) => sum + weight * strength(wanted), 0) / (total || 1)
    const inTitle = new Set(termsOf(reading.title ?? ''))
    const named =
      weights.reduce((sum, { wanted, weight }) => sum + (inTitle.has(wanted) ? weight : 0), 0) / (total || 1)
    const isRequested = requests.more.size > 0 && [...requests.more].every(wanted => strength(wanted) >= 0.5)
    return { ...reading, share, isAboutTopic: named >= 0.5, named, isRequested }
  })
  const best = Math.max(0, ...rated.map(({ share }) => share))
  if (best < minTopicShare) return []
  return rated
    .filter(({ share, isRequested }) => share >= best * (isRequested ? minRelativeShare / 2 : minRelativeShare))
    .filter(reading => passagesOf(reading).length > 0)
    .sort((one, other) => other.share - one.share || one.source - other.source)
    .map(({ isRequested, named, ...reading }, rank) => ({
      ...reading,
      isAboutTopic: reading.isAboutTopic || (rank === 0 && named >= 0.3)
    }))
}

/** The share of the topic's weight from which on a gap in the sources is reported. */
const minReportedGap = 0.25

/** The topic's words that no chosen source mentions, as the topic writes them; empty when they hardly matter. */
export function missingWords(topic: string, query: TermWeights, chosen: readonly ParsedSource[]): string[] {
  const found = chosen.map(strengths)
  const missing = [...query].filter(([wanted]) => found.every(strength => strength(wanted) === 0))
  const total = [...query.values()].reduce((sum, weight) => sum + weight, 0)
  if (missing.reduce((sum, [, weight]) => sum + weight, 0) < total * minReportedGap) return []
  const terms = new Set(missing.map(([wanted]) => wanted))
  return [...new Set(topic.match(wordPattern))].filter(
    word => termsOf(word).some(term => terms.has(term)) && !isWeakWord(word.toLowerCase())
  )
}

/** The best source's own vocabulary, so that passages on the subject count even where they do not repeat its name. */
function widen(
  query: TermWeights,
  best: ParsedSource | undefined,
  rarityOf: (term: string) => number
): Map<string, number> {
  const widened = new Map(query)
  const own = [...countTerms(best ? passagesOf(best).flatMap(termsOfPassage) : [])]
    .filter(([found, count]) => count > 2 && !query.has(found))
    .map(([found, count]) => [found, count * rarityOf(found)] as const)
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, vocabulary.terms)
  const top = own[0]?.[1] ?? 1
  for (const [found, value] of own) widened.set(found, (vocabulary.weight * value) / top)
  return widened
}

/** Every passage of the chosen sources with its score: BM25 over the widened query, steered by the operator's feedback. */
export function rankPassages(
  parsedSources: readonly RelevantSource[],
  query: TermWeights,
  requests: FeedbackRequests
): RankedPassage[] {
  const passages = parsedSources.flatMap(reading =>
    reading.sections.flatMap(({ heading, passages }) =>
      passages.map(passage => ({
        reading,
        passage,
        counts: countTerms([...termsOf(heading ?? ''), ...termsOfPassage(passage)])
      }))
    )
  )
  const holding = countTerms(passages.flatMap(({ counts }) => [...counts.keys()]))
  const rarityOf = (wanted: string) => rarity(passages.length, holding.get(wanted) ?? 0)
  const widened = widen(query, parsedSources[0], rarityOf)
  for (const wanted of requests.more) widened.set(wanted, 1.5)
  const meanLength = passages.reduce((sum, { counts }) => sum + counts.size, 0) / (passages.length || 1)
  const topShare = parsedSources[0]?.share ?? 1
  return passages.map(({ reading, passage, counts }) => {
    const relativeLength = counts.size / meanLength
    let score = 0
    for (const [wanted, weight] of widened) {
      score += weight * rarityOf(wanted) * termFrequencyWeight(counts.get(wanted) ?? 0, relativeLength, { b })
    }
    const unwanted = [...requests.less].filter(found => counts.has(found) && !query.has(found))
    const leftOutFactor = Math.min(
      1,
      ...unwanted.map(found => ((holding.get(found) ?? 0) > passages.length * maxShareLeftOut ? 0.5 : 0))
    )
    return { ...passage, score: score * (0.5 + (0.5 * reading.share) / topShare) * leftOutFactor }
  })
}
