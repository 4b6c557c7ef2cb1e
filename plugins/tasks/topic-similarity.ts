import { isJoiningWord, tokensOf } from '#text'

/** Two words less alike than this are two words. */
const sameWord = 0.5

/**
 * How nearly one topic repeats another, 0–1: the share of both's words that the other has as well, in any order.
 * Inflections and typos count in part; numbers have to be the same, since "part 1" is not "part 2".
 */
export function topicSimilarity(a: string, b: string): number {
  const words = distinctWords(a)
  const others = distinctWords(b)
  const total = words.length + others.length
  return total === 0 ? 0 : (shared(words, others) + shared(others, words)) / total
}

const shared = (words: readonly string[], others: readonly string[]): number =>
  words.reduce((sum, word) => sum + Math.max(0, ...others.map(other => wordLikeness(word, other))), 0)

/** Words that nearly every topic has, left out: sharing them makes no two alike. */
function distinctWords(text: string): string[] {
  const all = tokensOf(text)
  const own = all.filter(word => !isJoiningWord(word))
  return [...new Set(own.length > 0 ? own : all)]
}

/** Shared pairs of neighbouring characters (Dice); numbers are alike or not. */
function wordLikeness(a: string, b: string): number {
  if (a === b) return 1
  if (/\p{N}/u.test(a + b)) return 0
  const pairs = pairsOf(a)
  const others = pairsOf(b)
  const both = [...pairs].filter(pair => others.has(pair)).length
  const share = (2 * both) / (pairs.size + others.size || 1)
  return share < sameWord ? 0 : share
}

const pairsOf = (word: string) => new Set(Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2)))
