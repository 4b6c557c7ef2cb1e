/** Letters of a part. Shorter ones are endings as often as words. */
export const minPartLength = 4

/** Letters of a compound that is looked at. */
const maxCompound = 60

/** What may stand between two parts, in German, Dutch and the Scandinavian languages. */
const links = ['', 's', 'es', 'n', 'en'] as const

/**
 * The parts of a compound that are words on their own: `haustürschlüssel` has `haustür` and `schlüssel`. None when the word cannot
 * be divided completely. Fewer parts are preferred, as `haustür` says more than `haus` and `tür`. `word` is folded, and so are the
 * words that `isWord` knows; it is asked once for each run of 4 or more letters, so at most 1,652 times.
 */
export function splitCompound(word: string, isWord: (word: string) => boolean): string[] {
  if (word.length < 2 * minPartLength || word.length > maxCompound) return []
  // The fewest parts from each letter to the end, found from the end backwards.
  const fewest: (readonly string[] | undefined)[] = []
  for (let start = word.length - minPartLength; start >= 0; start -= 1)
    fewest[start] = partsFrom(word, start, fewest, isWord)
  return [...(fewest[0] ?? [])]
}

function partsFrom(
  word: string,
  start: number,
  fewest: readonly (readonly string[] | undefined)[],
  isWord: (word: string) => boolean
): readonly string[] | undefined {
  let found: readonly string[] | undefined
  // The whole word is no part of itself.
  for (let end = start === 0 ? word.length - minPartLength : word.length; end >= start + minPartLength; end -= 1) {
    const rest = end === word.length ? [] : remainderAfter(word, end, fewest)
    if (rest === undefined || (found !== undefined && rest.length + 1 >= found.length)) continue
    const part = word.slice(start, end)
    if (isWord(part)) found = [part, ...rest]
  }
  return found
}

function remainderAfter(word: string, end: number, fewest: readonly (readonly string[] | undefined)[]) {
  const remainders = links.flatMap(link => (word.startsWith(link, end) ? [fewest[end + link.length]] : []))
  return remainders.reduce(
    (best, rest) => (rest !== undefined && (best === undefined || rest.length < best.length) ? rest : best),
    undefined
  )
}

/** What `splitCompound` asks for of a word: its runs of letters. */
export function possibleParts(word: string): string[] {
  if (word.length < 2 * minPartLength || word.length > maxCompound) return []
  const starts = Array.from({ length: word.length - minPartLength + 1 }, (_, start) => start)
  return [...new Set(starts.flatMap(start => runsFrom(word, start)))]
}

const runsFrom = (word: string, start: number): string[] =>
  Array.from({ length: word.length - minPartLength - start + 1 }, (_, more) =>
    word.slice(start, start + minPartLength + more)
  )
