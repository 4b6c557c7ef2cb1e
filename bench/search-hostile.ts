// Queries that cost as much as one may, over the posts of search-trial.ts, by a service that runs:
//   node bench/search-hostile.ts --url http://127.0.0.1:8000 [--rounds 6] [--askers 24 --seconds 20]
// Every query is asked once: nothing of it is cached but lists of its words. With --askers so many ask at once, each of them
// the next query when it has its answer. The service needs rate_limit_search_per_minute=0.
import { parseArgs } from 'node:util'
import { wordOf } from './seed-words.ts'
import { quantile } from './target.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8000' },
    rounds: { type: 'string', default: '6' },
    askers: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '20' }
  }
})
const limitMs = 250

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

interface Answer {
  kind: string
  status: number
  ms: number
  isDegraded: boolean
  /** Posts on the page. */
  items: number
}

async function ask(kind: string, round: number): Promise<Answer> {
  const q = encodeURIComponent((queries[kind]?.(round) ?? '').slice(0, maxLength))
  const begun = performance.now()
  const response = await fetch(`${values.url}/api/posts/search?q=${q}`)
  const text = await response.text()
  const ms = performance.now() - begun
  const { degraded, items = [] } = JSON.parse(text) as { degraded?: boolean; items?: unknown[] }
  return { kind, status: response.status, ms, isDegraded: degraded === true, items: items.length }
}

/** One query after the other. */
async function askInTurn(rounds: number): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const kind of Object.keys(queries))
    for (let round = 0; round < rounds; round++) answers.push(await ask(kind, round))
  return answers
}

/** Many ask at once, each of them one query after the other. */
async function askAtOnce(askers: number, seconds: number): Promise<Answer[]> {
  const kinds = Object.keys(queries)
  const until = performance.now() + seconds * 1000
  const answers: Answer[] = []
  let asked = 0
  const askOn = async () => {
    while (performance.now() < until) {
      const n = asked++
      answers.push(await ask(kinds[n % kinds.length] ?? '', Math.floor(n / kinds.length)))
    }
  }
  await Promise.all(Array.from({ length: askers }, askOn))
  return answers
}

function rowOf(answers: readonly Answer[]): object {
  const answered = answers.filter(({ status }) => status === 200)
  const times = answers.map(({ ms }) => ms)
  const late = answered.filter(({ ms }) => ms > limitMs)
  return {
    'first, ms': Math.round(times[0] ?? 0),
    'p50, ms': Math.round(quantile(times, 0.5)),
    'p99, ms': Math.round(quantile(times, 0.99)),
    'longest, ms': Math.round(quantile(times, 1)),
    answers: answers.length,
    refused: answers.length - answered.length,
    degraded: answered.filter(({ isDegraded }) => isDegraded).length,
    empty: answered.filter(({ items }) => items === 0).length,
    late: late.length,
    'late, not degraded': late.filter(({ isDegraded }) => !isDegraded).length
  }
}

const answers = await (values.askers === '1'
  ? askInTurn(Number(values.rounds))
  : askAtOnce(Number(values.askers), Number(values.seconds)))
const byKind = Map.groupBy(answers, ({ kind }) => kind)
console.table({ ...Object.fromEntries(Array.from(byKind, ([kind, of]) => [kind, rowOf(of)])), all: rowOf(answers) })
