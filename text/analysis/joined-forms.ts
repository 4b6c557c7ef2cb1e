import { characterKinds as kinds } from './characters.ts'
import { endOfWord, kindAt } from './scan.ts'
import type { AnalyzedWord, WordReader } from './word-reader.ts'

/** Characters of a joined form. Longer ones are written together by nobody. */
const maxJoinedLength = 30

/**
 * The word that two with one hyphen or apostrophe between them make: `email` of `e-mail`, `oreilly` of `O'Reilly`. Undefined where
 * nobody writes it so: between digits (`2020-21`), in a chain (`state-of-the-art`), after an elided stop word (`l'école`), and for
 * a genitive (`John's`).
 */
export function joinedFormAt(text: string, start: number, end: number, read: WordReader): AnalyzedWord | undefined {
  if (end + 1 >= text.length) return undefined
  const joint = kindAt(text, end)
  if (joint !== kinds.hyphen && joint !== kinds.apostrophe) return undefined
  if (kindAt(text, end + 1) !== kinds.letter || isDigit(text.charCodeAt(end - 1))) return undefined
  const endOfSecond = endOfWord(text, end + 1)
  if (endOfSecond - start - 1 > maxJoinedLength || isJointAt(text, start - 1) || isChainedAt(text, endOfSecond))
    return undefined
  const second = text.slice(end + 1, endOfSecond)
  if (joint === kinds.apostrophe && (second === 's' || second === 'S' || read(text, start, end).term === ''))
    return undefined
  const joined = text.slice(start, end) + second
  return read(joined, 0, joined.length)
}

/** The genitive of `O'Reilly's` continues no chain. */
const isChainedAt = (text: string, at: number) =>
  isJointAt(text, at) && !(/^['’]s/i.test(text.slice(at, at + 2)) && endOfWord(text, at + 1) === at + 2)

/** Between two letters, as within a chain. */
function isJointAt(text: string, at: number): boolean {
  if (at <= 0 || at + 1 >= text.length) return false
  const kind = kindAt(text, at)
  if (kind !== kinds.hyphen && kind !== kinds.apostrophe) return false
  const before = kindAt(text, at - 1)
  return (before === kinds.letter || before === kinds.mark) && kindAt(text, at + 1) === kinds.letter
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39
