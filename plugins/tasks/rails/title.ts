import { splitSentences, termsOf, wordsOf } from '#text'
import type { Assignment, BuiltInRail } from '../ports.ts'
import { findingOf } from './faults.ts'

const minLength = 10
const maxLength = 90

/** A title a reader would click: about the topic, of a sensible length, not the prompt again. */
export const title: BuiltInRail = {
  name: 'title',
  describe:
    'The title has 10 to 90 characters, is about the topic, and is not the prompt, shouted or a sentence with a full stop.',
  mode: 'required',
  threshold: 70,
  weight: 1,
  check(draft, assignment) {
    return findingOf(
      [...formFaults(draft.title, assignment.topic), ...topicFaults(draft.title, assignment)],
      40,
      'The title fits the topic.'
    )
  }
}

function formFaults(text: string, topic: string): string[] {
  const faults: string[] = []
  const size = [...text].length
  // A one-word topic is the operator's own choice of title.
  if (size < minLength && !isSame(text, topic))
    faults.push(`the title has ${size} characters, at least ${minLength} wanted`)
  if (size > maxLength) faults.push(`the title has ${size} characters, at most ${maxLength} wanted`)
  if (isAllCaps(text)) faults.push('the title is all in capitals')
  if (/[^.]\.$/.test(text)) faults.push('the title ends with a full stop')
  if (/^["“*#_`]|["”*_`]$|[\r\n]/.test(text)) faults.push('the title carries quotation marks, markdown or a line break')
  return faults
}

function topicFaults(text: string, { topic, primary_keyword, feedback }: Assignment): string[] {
  const prompt = [...(splitSentences(topic).length > 1 ? splitSentences(topic) : []), ...splitSentences(feedback ?? '')]
  const isInstruction =
    /^(?:please |kindly )?(?:write|create|draft|generate|compose)\b.{0,40}\b(?:article|post|blog|text|essay)\b/i
  if (prompt.some(sentence => isSame(sentence, text)) || isInstruction.test(text))
    return ['the title repeats the prompt']
  const wanted = termsOf(`${topic} ${primary_keyword ?? ''}`)
  const own = new Set(termsOf(text))
  return wanted.length === 0 || wanted.some(stem => own.has(stem))
    ? []
    : ['the title has no word of the topic or keyword']
}

/** Acronyms ("DNS and TLS") are no shouting: that takes two long words. */
function isAllCaps(text: string): boolean {
  const long = text.match(/\p{L}{4,}/gu) ?? []
  return long.length >= 2 && text === text.toUpperCase() && text !== text.toLowerCase()
}

function isSame(one: string, other: string): boolean {
  return wordsOf(one).join(' ') === wordsOf(other).join(' ')
}
