import { splitSentences, wordsOf } from '#text'
import { readMarkdown, withoutCitations } from '../article.ts'
import type { BuiltInRail, RailFinding } from '../ports.ts'
import { quote } from './faults.ts'

const gram = 5
/** Sentences shorter than this may well return ("Why does it matter?"). */
const minSentenceWords = 4
/** Ordinary prose repeats up to this share of its five-word runs (names, set phrases). */
const ordinaryShare = 0.03

/** No sentence twice, and no phrases coming back again and again. */
export const repetition: BuiltInRail = {
  name: 'repetition',
  describe: 'No sentence stands twice, and runs of five words do not keep coming back.',
  mode: 'required',
  threshold: 70,
  weight: 1,
  check({ content }) {
    const found = readMarkdown(content)
      .blocks.flatMap(block => splitSentences(withoutCitations(block.text)))
      .map(text => ({ text, words: wordsOf(text) }))
    return finding(twice(found), repeatedRuns(found.map(sentence => sentence.words)))
  }
}

function finding(again: readonly string[], { share, run }: { share: number; run: string }): RailFinding {
  const excess = Math.max(0, share - ordinaryShare)
  const score = Math.round(Math.max(0, 100 - 40 * again.length - 300 * excess))
  const notes: string[] = []
  if (again.length > 0) notes.push(`${again.length} repeated, first ${quote(again[0] ?? '')}`)
  if (excess > 0) notes.push(`${Math.round(share * 100)} % of the text is repeated phrases such as ${quote(run)}`)
  return {
    score,
    note: notes.length === 0 ? 'Nothing is said twice.' : `Sentences or phrases said twice: ${notes.join('; ')}.`
  }
}

function twice(found: readonly { text: string; words: string[] }[]): string[] {
  const seen = new Set<string>()
  return found
    .filter(sentence => sentence.words.length >= minSentenceWords)
    .filter(({ words: own }) => {
      const key = own.join(' ')
      return seen.has(key) || !seen.add(key)
    })
    .map(sentence => sentence.text)
}

function repeatedRuns(found: readonly string[][]): { share: number; run: string } {
  const seen = new Set<string>()
  let repeated = 0
  let all = 0
  let run = ''
  for (const own of found) {
    for (let start = 0; start + gram <= own.length; start++) {
      const key = own.slice(start, start + gram).join(' ')
      all++
      if (!seen.has(key)) seen.add(key)
      else if (repeated++ === 0) run = key
    }
  }
  return { share: all === 0 ? 0 : repeated / all, run }
}
