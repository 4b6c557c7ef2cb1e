// Queries that cost as much as one may, over the posts of search-trial.ts, by a service that runs:
//   node bench/search-hostile.ts --url http://127.0.0.1:8000 [--rounds 6]
// Every query is asked once: nothing of it is cached but lists of its words.
import { parseArgs } from 'node:util'
import { wordOf } from './seed-words.ts'

const { values } = parseArgs({
  options: { url: { type: 'string', default: 'http://127.0.0.1:8000' }, rounds: { type: 'string', default: '6' } }
})

const maxLength = 500
const words = (from: number, count: number) => Array.from({ length: count }, (_, at) => wordOf(from + at))

/** Different beginnings of so many letters, of words from a rank on. */
function prefixes(from: number, count: number, letters: number): string {
  const all = new Set(words(from, count * 4).map(word => `${word.slice(0, letters)}*`))
  return [...all].slice(0, count).join(' ')
}

const queries: Readonly<Record<string, (round: number) => string>> = {
  'four beginnings of three letters': round => prefixes(4 * round, 4, 3),
  'ten beginnings of three letters': round => prefixes(20 + 10 * round, 10, 3),
  'thirty beginnings of four letters': round => prefixes(80 + 30 * round, 30, 4),
  'ten beginnings of one letter': round =>
    [...'bcdfghjklmnprstvwxz']
      .slice(round, 10 + round)
      .map(one => `${one}*`)
      .join(' '),
  'sixty common words, any of them': round => words(7 * round, 60).join(' or '),
  'seventy common words': round => words(3 * round, 70).join(' '),
  'a common word without sixty others': round =>
    `${wordOf(round)} ${words(100 + round, 60)
      .map(word => `-${word}`)
      .join(' ')}`,
  'four phrases of common words': round => [0, 2, 4, 6].map(at => `"${words(9 * round + at, 2).join(' ')}"`).join(' '),
  'twenty misspelt words': round =>
    words(9 * round, 20)
      .map(word => `${word.slice(0, 3)}q${word.slice(3)}`)
      .join(' ')
}

const rows: Record<string, object> = {}
for (const [kind, queryOf] of Object.entries(queries)) {
  const times: number[] = []
  let degraded = 0
  for (let round = 0; round < Number(values.rounds); round++) {
    const q = encodeURIComponent(queryOf(round).slice(0, maxLength))
    const begun = performance.now()
    const response = await fetch(`${values.url}/api/posts/search?q=${q}`)
    const { degraded: isDegraded } = (await response.json()) as { degraded?: boolean }
    times.push(Math.round(performance.now() - begun))
    if (!response.ok) throw new Error(`${kind}: ${response.status}`)
    if (isDegraded) degraded += 1
  }
  const sorted = times.toSorted((a, b) => a - b)
  rows[kind] = {
    'first, ms': times[0],
    'median, ms': sorted[sorted.length >> 1],
    'longest, ms': sorted.at(-1),
    degraded
  }
}
console.table(rows)
