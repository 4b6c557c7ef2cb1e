import { chooseClosing, chooseOpening, type Extract, type Material, sectionKey } from './opening-and-closing.ts'
import type { RankedPassage } from './relevance.ts'
import { type Sentence, wordsIn } from './sentences.ts'
import { createUsedSentences, sharedTerms, type UsedSentences } from './used-sentences.ts'

/** What a draft consists of; `body` is in no particular order. */
export interface Selection {
  opening: Extract
  body: readonly Extract[]
  closing: readonly Extract[]
}

/** Passages below this share of the best score are off the topic: a lower bar where the whole source is about it. */
const minRelativeScore = { aboutTopic: 0.04, otherwise: 0.35 }
/** A section shorter than this reads like an accident. */
const minSectionWords = 35
const wordsPerSection = 150
/** Words below which a further source is left out. */
const minWordsOfSource = 60
/** How much a passage that repeats another one's vocabulary loses. */
const redundancyCost = 0.7
/** Finishing a passage that has been begun is worth more than beginning the next. */
const continuationBonus = 1.4

/** A passage being taken sentence by sentence, from its start. */
interface Candidate {
  passage: RankedPassage
  /** Not yet taken. */
  rest: Sentence[]
  taken: Sentence[]
  terms: ReadonlySet<string>
  redundancy: number
}

/** The sentences of a passage that may still be taken: none is used, and none depends on one that is left out. */
function remaining({ sentences }: RankedPassage, usedSentences: UsedSentences): Sentence[] {
  const rest: Sentence[] = []
  let hasPrevious = false
  for (const sentence of sentences) {
    const canBeTaken: boolean = !usedSentences.has(sentence) && (hasPrevious || !sentence.dependsOnPrevious)
    if (canBeTaken) rest.push(sentence)
    hasPrevious = canBeTaken
  }
  return rest
}

/** The next sentences to take: two to begin with, so that no paragraph is a lone remark, and all that lean on them. */
function nextStep({ rest, taken }: Candidate): Sentence[] {
  let count = taken.length === 0 ? 2 : 1
  while (rest[count]?.dependsOnPrevious) count++
  return rest.slice(0, count)
}

function bestOf(candidates: readonly Candidate[], worth: (candidate: Candidate) => number): Candidate | undefined {
  let best: Candidate | undefined
  let bestValue = 0
  for (const candidate of candidates) {
    const value = candidate.rest.length > 0 ? worth(candidate) : 0
    if (value > bestValue) [best, bestValue] = [candidate, value]
  }
  return best
}

/** Takes sentences where they are worth most until the words are used up. */
function chooseBody(candidates: Candidate[], words: number, usedSentences: UsedSentences): Extract[] {
  const sections = new Map<string, number>()
  const maxSections = Math.min(10, Math.max(2, Math.round(words / wordsPerSection)))
  const room = new Map<string, number>()
  for (const { passage, rest } of candidates)
    room.set(sectionKey(passage), (room.get(sectionKey(passage)) ?? 0) + wordsIn(rest))
  const worth = ({ passage, taken, redundancy }: Candidate): number => {
    const key = sectionKey(passage)
    const filled = sections.get(key)
    if (filled === undefined && (room.get(key) ?? 0) < minSectionWords) return 0
    const sectionPenalty = filled === undefined && sections.size >= maxSections ? 0.01 : 1
    const urgency = filled !== undefined && filled < minSectionWords ? 3 : 1
    const flow = taken.length > 0 ? continuationBonus * 0.92 ** taken.length : 1 - redundancyCost * redundancy
    return passage.score * flow * urgency * sectionPenalty
  }
  let left = words
  while (left > 10) {
    const best = bestOf(candidates, worth)
    if (!best) break
    const step = nextStep(best)
    best.rest = best.rest.slice(step.length)
    if (wordsIn(step) > left + 25 || !addUnused(step, usedSentences)) {
      best.rest = []
      continue
    }
    if (best.taken.length === 0) for (const other of candidates) weighRedundancy(other, best)
    best.taken.push(...step)
    left -= wordsIn(step)
    sections.set(sectionKey(best.passage), (sections.get(sectionKey(best.passage)) ?? 0) + wordsIn(step))
  }
  return candidates.filter(({ taken }) => taken.length > 0).map(({ passage, taken }) => ({ passage, sentences: taken }))
}

/** Adds sentences one by one, as two of them may say the same. False when one of them is used already. */
function addUnused(step: readonly Sentence[], usedSentences: UsedSentences): boolean {
  return step.every(sentence => {
    const isNew = !usedSentences.has(sentence)
    if (isNew) usedSentences.add(sentence)
    return isNew
  })
}

function weighRedundancy(other: Candidate, chosen: Candidate): void {
  if (other.passage.source === chosen.passage.source) return
  other.redundancy = Math.max(other.redundancy, sharedTerms(other.terms, chosen.terms))
}

/** Chooses opening, closing and body, in this order, so that no sentence is wanted twice. Undefined: nothing quotable. */
export function select(material: Material): Selection | undefined {
  const opening = chooseOpening(material)
  if (!opening) return undefined
  const usedSentences = createUsedSentences()
  opening.sentences.forEach(usedSentences.add)
  const top = Math.max(...material.passages.map(({ score }) => score))
  const eligible = material.passages.filter(({ source, score }) => {
    const aboutTopic = material.parsedSources.find(reading => reading.source === source)?.isAboutTopic
    return score > 0 && score >= top * (aboutTopic ? minRelativeScore.aboutTopic : minRelativeScore.otherwise)
  })
  const closing = chooseClosing(material, eligible, usedSentences)
  const others = eligible.filter(passage => passage !== opening.passage)
  const candidates = others.map(passage => ({
    passage,
    rest: remaining(passage, usedSentences),
    taken: [],
    terms: new Set(passage.sentences.flatMap(({ terms }) => terms)),
    redundancy: 0
  }))
  const wordsLeft = material.words - wordsIn([opening, ...closing].flatMap(({ sentences }) => sentences))
  const body = withoutMinorSources(chooseBody(candidates, wordsLeft, usedSentences), opening)
  const drawnOn = new Set([opening, ...body].map(({ passage }) => passage.source))
  return { opening, body, closing: closing.filter(({ passage }) => drawnOn.has(passage.source)) }
}

/** A source that would add only a remark or two beside the main one is left out. */
function withoutMinorSources(body: readonly Extract[], opening: Extract): Extract[] {
  const words = new Map<number, number>()
  for (const { passage, sentences } of body)
    words.set(passage.source, (words.get(passage.source) ?? 0) + wordsIn(sentences))
  return body.filter(
    ({ passage: { source } }) => source === opening.passage.source || (words.get(source) ?? 0) >= minWordsOfSource
  )
}
