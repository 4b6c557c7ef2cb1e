import { type Sentence, sentenceKey } from './sentences.ts'

/** Share of terms in common at which two sentences say the same thing. */
const nearlyEqual = 0.65

/** Remembers the sentences a draft has used, so that none is used twice, not even in nearly the same words. */
export interface UsedSentences {
  has(sentence: Sentence): boolean
  add(sentence: Sentence): void
}

function countCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const term of one) if (other.has(term)) common++
  return common
}

/** Share of all terms of both that both have, 0–1. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = countCommon(one, other)
  return common / (one.size + other.size - common || 1)
}

export function createUsedSentences(): UsedSentences {
  const texts = new Set<string>()
  const bags: ReadonlySet<string>[] = []
  return {
    has(sentence) {
      if (texts.has(sentenceKey(sentence.text))) return true
      const bag = new Set(sentence.terms)
      return bag.size > 3 && bags.some(used => overlap(bag, used) >= nearlyEqual)
    },
    add(sentence) {
      texts.add(sentenceKey(sentence.text))
      bags.push(new Set(sentence.terms))
    }
  }
}

/** Share of the smaller set's terms found in the other, 0–1. */
export function sharedTerms(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return countCommon(one, other) / (Math.min(one.size, other.size) || 1)
}
