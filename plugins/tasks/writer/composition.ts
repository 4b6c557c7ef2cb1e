import type { Assignment, Draft } from '../ports.ts'
import { type FeedbackRequests, readFeedback } from './feedback.ts'
import { excerptFor, tidyTopic, titleFor } from './headline.ts'
import { type ParsedSource, parseSource } from './parse-source.ts'
import {
  chooseSources,
  missingWords,
  type RankedPassage,
  type RelevantSource,
  rankPassages,
  readQuery,
  type TermWeights
} from './relevance.ts'
import { countProse, renderDraft, untitled } from './rendering.ts'
import { type Selection, select } from './selection.ts'

/** How a re-run differs from the previous draft; tried in this order until the text differs. */
interface Variant {
  /** Factor on the score of passages that the previous draft quoted in full. */
  repeated: number
  avoidOpening: boolean
  length: number
}

const variants: readonly Variant[] = [
  { repeated: 0.9, avoidOpening: false, length: 1 },
  { repeated: 0.5, avoidOpening: false, length: 1 },
  { repeated: 0.4, avoidOpening: true, length: 1 },
  { repeated: 0.3, avoidOpening: true, length: 0.8 },
  { repeated: 0.3, avoidOpening: true, length: 0.5 }
]
/** Where to begin when the feedback asks for something else. */
const firstDifferentVariant = 2

/** Words of headings and of the list of sources, for each 100 words of a post. */
const nonProseShare = 0.04
/** Fewer words than this are no draft. */
const minWords = 60

/** Composes a draft from an assignment as JSON: in a process of its own, see `embedded-writer.ts`. */
export function composeDraft(assignment: string): Draft {
  return compose(JSON.parse(assignment) as Assignment)
}

function compose(assignment: Assignment): Draft {
  const parsedSources = assignment.sources.map(parseSource)
  const requests = readFeedback(assignment.feedback)
  let draft = draftWithoutSources(assignment, parsedSources)
  for (const variant of requests.different ? variants.slice(firstDifferentVariant) : variants) {
    draft = attempt(assignment, parsedSources, requests, variant) ?? draft
    if (draft.content.trim() !== assignment.previous?.content.trim()) break
  }
  return draft
}

/** One draft; undefined when the sources do not yield enough. */
function attempt(
  assignment: Assignment,
  parsedSources: readonly ParsedSource[],
  requests: FeedbackRequests,
  variant: Variant
): Draft | undefined {
  const query = readQuery(assignment, parsedSources)
  const chosen = chooseSources(parsedSources, query, requests)
  const previous = assignment.previous?.content ?? ''
  const selection = select({
    parsedSources: chosen,
    passages: rankPassages(chosen, query, requests).map(found => withoutRepeats(found, previous, variant.repeated)),
    query,
    words: Math.round(wantedWords(assignment, requests) * variant.length * (1 - nonProseShare)),
    avoidOpening: ({ text }) => variant.avoidOpening && previous.startsWith(text)
  })
  return selection && finish(assignment, query, chosen, selection)
}

function finish(
  { topic, sources }: Assignment,
  query: TermWeights,
  chosen: readonly RelevantSource[],
  selection: Selection
): Draft | undefined {
  const sentences = [selection.opening, ...selection.body, ...selection.closing].flatMap(extract => extract.sentences)
  if (sentences.reduce((sum, { words }) => sum + words, 0) < minWords) return undefined
  const titles = chosen.flatMap(({ title }) => title ?? [])
  const texts = chosen.map(({ source }) => sources[source]?.text ?? '')
  const title = titleFor(topic, titles, texts)
  const missing = missingWords(tidyTopic(topic), query, chosen)
  const { content, cited } = renderDraft(selection, chosen, sources, title, missing)
  return {
    title,
    excerpt: excerptFor(selection.opening.sentences, sentences),
    content,
    source_ids: [...new Set(cited.flatMap(source => sources[source]?.source_id ?? []))],
    model: 'embedded',
    isExtractive: true
  }
}

/** "Shorter" and "longer" are measured against the draft the operator has read, which may have missed its target. */
function wantedWords({ target_length, previous }: Assignment, { words, length }: FeedbackRequests): number {
  if (words !== null) return words
  const read = previous ? countProse(previous.content) : target_length
  if (length < 1) return Math.min(target_length, read) * length
  return length > 1 ? Math.max(target_length, read) * length : target_length
}

function withoutRepeats(passage: RankedPassage, previous: string, factor: number): RankedPassage {
  const repeated = passage.sentences.filter(({ text }) => previous.includes(text)).length / passage.sentences.length
  return { ...passage, score: passage.score * (1 - (1 - factor) * repeated) }
}

/** A draft that says that no source covers the topic, and what to do. */
function draftWithoutSources(
  { topic, sources, hasMemory = true }: Assignment,
  parsedSources: readonly ParsedSource[]
): Draft {
  const title = titleFor(topic, [], [])
  const looked =
    sources.length === 0
      ? 'No text in memory matches the topic.'
      : `The texts found say too little about it: ${[...new Set(parsedSources.map(({ title }) => title ?? untitled))].slice(0, 3).join('; ')}.`
  const excerpt = `No stored source covers “${title}”.`
  const first = hasMemory ? '' : 'Texts need the plugin memory: add it to plugins.config.json. '
  const content = `${excerpt} ${looked}\n\n${first}Store texts on the subject with \`galley memory store\` and run the task again.\n`
  return { title, excerpt, content, source_ids: [], model: 'embedded', isExtractive: true }
}
