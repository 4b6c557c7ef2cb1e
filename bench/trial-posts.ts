// Posts and queries of the search trial, the same at every run: words are as unevenly spread as those of a language, and a
// word that a post has said comes again in it.
import { createRandom, wordOf } from './seed-words.ts'

export interface TrialPost {
  title: string
  text: string
}

/** `phrase`: the words stand side by side. `any`: a post may lack some of them. */
export interface TrialQuery {
  words: readonly string[]
  match: 'all' | 'any' | 'phrase'
}

const vocabulary = 200_000
const wordsOfPost = 720
const repeated = 0.3

/** Posts `first` to `first + count - 1`, of about 6 kB. */
export function* trialPosts(count: number, first = 0): Generator<TrialPost> {
  for (let n = first; n < first + count; n++) yield trialPost(n)
}

function trialPost(n: number): TrialPost {
  const random = createRandom(n * 7919 + 17)
  const said: string[] = []
  const word = () => {
    const again = said[Math.floor((random() / repeated) * said.length)]
    const next = again ?? wordOf(Math.floor(vocabulary ** random()) - 1)
    said.push(next)
    return next
  }
  const words = (many: number) => Array.from({ length: many }, word).join(' ')
  const title = words(6)
  return { title, text: `${words(wordsOfPost / 2)}\n\n## ${words(4)}\n\n${words(wordsOfPost / 2)}` }
}

/** Ranks of words by how many posts have them, at any number of posts: 22 to 40 %, about 1 %, and one in 3,000. */
const ranks = { common: [80, 160], middling: [3000, 5000], rare: [100_000, 150_000], frequent: [200, 2000] } as const
type Kind = keyof typeof ranks

const kinds: Readonly<Record<string, { words: readonly Kind[]; match: TrialQuery['match'] }>> = {
  'two common words': { words: ['common', 'common'], match: 'all' },
  'common and middling': { words: ['common', 'middling'], match: 'all' },
  'two middling words': { words: ['middling', 'middling'], match: 'all' },
  'ten words': {
    words: [
      'common',
      'common',
      'common',
      'frequent',
      'frequent',
      'frequent',
      'middling',
      'middling',
      'middling',
      'rare'
    ],
    match: 'any'
  },
  'phrase of two common words': { words: ['common', 'common'], match: 'phrase' },
  'a rare word': { words: ['rare'], match: 'all' }
}

/** `count` queries of each kind, none twice. */
export function trialQueries(count: number): Map<string, TrialQuery[]> {
  const random = createRandom(3)
  const wordOfKind = (kind: Kind) => {
    const [from, to] = ranks[kind]
    return wordOf(from + Math.floor(random() * (to - from)))
  }
  const make = (words: readonly Kind[]) => {
    const chosen = new Set<string>()
    for (const kind of words) for (const size = chosen.size; chosen.size === size; ) chosen.add(wordOfKind(kind))
    return [...chosen]
  }
  return new Map(
    Object.entries(kinds).map(([name, { words, match }]) => {
      const all = new Map<string, TrialQuery>()
      while (all.size < count) {
        const query = make(words)
        all.set(query.join(' '), { words: query, match })
      }
      return [name, [...all.values()]]
    })
  )
}
