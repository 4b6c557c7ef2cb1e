import { termsOf } from '#text'
import type { RankedPassage, RelevantSource, TermWeights } from './relevance.ts'
import type { Sentence } from './sentences.ts'
import type { UsedSentences } from './used-sentences.ts'

/** Sentences of one passage, in their order. */
export interface Extract {
  passage: RankedPassage
  sentences: readonly Sentence[]
}

/** What the selection works on; `words` is the number of words wanted in all. */
export interface Material {
  parsedSources: readonly RelevantSource[]
  passages: readonly RankedPassage[]
  query: TermWeights
  words: number
  /** Passages to leave alone as an opening, because the previous draft opened with them. */
  avoidOpening: (sentence: Sentence) => boolean
}

export const sectionKey = ({ source, section }: RankedPassage): string => `${source}/${section}`

const comparePlace = (one: RankedPassage, other: RankedPassage): number =>
  one.source - other.source || one.position - other.position

/** Share of the query's weight that some terms answer. */
function coverage(found: Iterable<string>, query: TermWeights): number {
  const terms = new Set(found)
  let answered = 0
  let total = 0
  for (const [wanted, weight] of query) {
    total += weight
    if (terms.has(wanted)) answered += weight
  }
  return answered / (total || 1)
}

/** Runs that may open a text: the start of any passage, and of a lead also its later sentences. */
function openingRuns(passage: RankedPassage, maxSentences: number): Extract[] {
  const starts = passage.position === 0 ? passage.sentences.keys() : [0]
  return [...starts].flatMap(start => {
    const sentences = passage.sentences.slice(start, start + maxSentences)
    return sentences[0]?.dependsOnPrevious === false ? [{ passage, sentences }] : []
  })
}

/** How well a run answers the topic at once: best does the lead of the best source, then the start of a section on it. */
function openingValue({ passage, sentences }: Extract, { parsedSources, query, avoidOpening }: Material): number {
  const reading = parsedSources.find(({ source }) => source === passage.source)
  const section = reading?.sections[passage.section]
  if (!reading || !section || !sentences[0]) return Number.NEGATIVE_INFINITY
  const isFirst = section.passages[0]?.position === passage.position
  const announced = isFirst ? coverage(termsOf(section.heading ?? ''), query) : 0
  const place = passage.position === 0 ? (reading.isAboutTopic ? 0.9 : 0.3) * reading.share : 0.5 * announced
  const first = passage.sentences[0]
  const skipping = (first && avoidOpening(first) ? 0.2 : 1) * passage.sentences.indexOf(sentences[0])
  const answered = coverage(
    sentences.flatMap(({ terms }) => terms),
    query
  )
  return (
    answered * (sentences.length > 1 ? 1 : 0.5) +
    place +
    (reading === parsedSources[0] ? 0.6 : 0) -
    skipping -
    (avoidOpening(sentences[0]) ? 2 : 0)
  )
}

/** Two or three sentences that answer the topic. */
export function chooseOpening(material: Material): Extract | undefined {
  const maxSentences = material.words < 250 ? 2 : 3
  let best: (Extract & { value: number }) | undefined
  for (const run of material.passages.flatMap(passage => openingRuns(passage, maxSentences))) {
    const value = openingValue(run, material)
    if (!best || value > best.value) best = { ...run, value }
  }
  return best
}

/** Openings that call for a counterpart, which a closing would not have next to it. */
const halfOfAPair =
  /^(the (same|other|first|second|third|last|next|two|only|answer|result|price|tool|loop)|first|one|two|a(nother)? (second|first))\b/i

/** Words that refer to something said just before. */
const pointsBack =
  /\b(this|these|those|such|there|therefore|thus|also|too|instead|as well|(at|in|of|under|to|for) that|one of them|each of them|they|them|he|she)\b/i
/** A lead ends on what matters most about its subject. */
const leadBonus = 0.6
/** Other sentences have to answer this share of the query to close a text. */
const summing = 0.4

/** The last sentences of passages sum up best and can be taken away without tearing anything apart. */
export function chooseClosing(
  material: Material,
  eligible: readonly RankedPassage[],
  usedSentences: UsedSentences
): Extract[] {
  const wanted = material.words < 500 ? 1 : material.words < 1200 ? 2 : 3
  const top = Math.max(...eligible.map(({ score }) => score), 0) || 1
  const candidates = eligible.flatMap(passage => {
    const last = passage.sentences.at(-1)
    if (!last || passage.sentences.length < 2 || last.dependsOnPrevious || halfOfAPair.test(last.text)) return []
    if (last.words < 9 || last.words > 32 || usedSentences.has(last) || pointsBack.test(last.text)) return []
    const answered = coverage(last.terms, material.query) + (passage.position === 0 ? leadBonus : 0)
    return answered >= summing ? [{ passage, sentences: [last], value: answered + 0.4 * (passage.score / top) }] : []
  })
  candidates.sort((one, other) => other.value - one.value || comparePlace(one.passage, other.passage))
  const chosen: Extract[] = []
  for (const { passage, sentences } of candidates) {
    if (chosen.length === wanted) break
    if (chosen.some(other => sectionKey(other.passage) === sectionKey(passage)) || sentences.some(usedSentences.has))
      continue
    sentences.forEach(usedSentences.add)
    chosen.push({ passage, sentences })
  }
  return chosen
}
