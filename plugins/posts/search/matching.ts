import type { Db } from '#core'
import { listWithPhrase, type Phrase } from '../repository/search.ts'
import { type Alternative, type Plan, planOf } from './plan.ts'
import type { Index } from './postings.ts'
import type { Query } from './query.ts'
import { best, createRank, filter, type Hits, noHits, type Rank } from './ranking.ts'
import type { Terms } from './terms.ts'

/** What a query comes to. */
export interface Matches {
  /** Posts that have all that is asked for, in no order. */
  readonly all: Hits
  /** The best of those that have some of it, when few have all. */
  readonly some: Hits
  /** Posts that have what is not wanted. */
  readonly excluded: ReadonlySet<number>
  /** Asks for a phrase in quotes: a post without it is no match, however near it is. */
  readonly isStrict: boolean
  /** Words and phrases asked for, those that say nothing left out. */
  readonly asked: number
  /** Terms to mark in snippets. */
  readonly terms: readonly string[]
}

export interface Matcher {
  /** Undefined for a query that asks for no word. */
  match(query: Query): Promise<Matches | undefined>
  /** Posts that share terms, each counting by its rarity; best first. */
  alike(terms: readonly string[], count: number): Promise<number[]>
}

/** Fewer posts than this with all the words: those with some of the words follow, up to a hundred in all. */
const fewMatches = 20
const mostSome = 100

export function createMatcher({ db, terms, open }: { db: Db; terms: Terms; open: () => Promise<Index> }): Matcher {
  const rank = createRank()
  return {
    match: async query => {
      const [languages, index] = await Promise.all([terms.languages(), open()])
      const plan = await planOf(query, terms, index, languages)
      if (plan === undefined) return undefined
      const withPhrase = (posts: readonly number[], phrase: Phrase) => listWithPhrase(db, posts, phrase, languages)
      const excluded = await excludedBy(plan.unwanted, withPhrase)
      const isStrict = plan.wanted.some(isStrictly)
      const chosen = await choose(plan, index, { rank, withPhrase, excluded })
      return { ...chosen, excluded, isStrict, asked: plan.wanted.length, terms: plan.marked }
    },
    alike: async (wanted, count) => {
      const index = await open()
      const lists = await index.lists(wanted)
      const ranked = [...lists.values()].map(list => ({ list, bit: 0 }))
      return [...best(rank(ranked, index), count).posts]
    }
  }
}

type WithPhrase = (posts: readonly number[], phrase: Phrase) => Promise<number[]>

const isStrictly = (alternatives: readonly Alternative[]) => alternatives.every(alternative => alternative.isStrict)

/** Posts that have one of the unwanted: all its words, and its phrase word for word. */
async function excludedBy(unwanted: readonly Alternative[], withPhrase: WithPhrase): Promise<Set<number>> {
  const excluded = new Set<number>()
  for (const { lists, phrase } of unwanted) {
    const [first, ...others] = lists.map(list => list?.posts ?? new Int32Array(0)).sort((a, b) => a.length - b.length)
    const sets = others.map(posts => new Set(posts))
    const held = [...(first ?? [])].filter(post => sets.every(set => set.has(post)))
    const found = phrase === undefined || held.length === 0 ? held : await withPhrase(held, phrase)
    for (const post of found) excluded.add(post)
  }
  return excluded
}

interface Choosing {
  rank: Rank
  withPhrase: WithPhrase
  excluded: ReadonlySet<number>
}

async function choose({ terms, wanted }: Plan, index: Index, { rank, withPhrase, excluded }: Choosing) {
  const ranked = (required: number) => {
    const hits = rank(terms, index, required)
    return excluded.size === 0 ? hits : filter(hits, post => !excluded.has(post))
  }
  const required = wanted.filter(isOneWord).reduce((sum, [first]) => sum | (first?.bits ?? 0), 0)
  let all = ranked(required)
  for (const alternatives of wanted) if (!isOneWord(alternatives)) all = await having(all, alternatives, withPhrase)
  if (all.posts.length >= fewMatches) return { all, some: noHits }
  let some = ranked(0)
  for (const alternatives of wanted) if (isStrictly(alternatives)) some = await having(some, alternatives, withPhrase)
  const rest = new Set(all.posts)
  const others = filter(some, post => !rest.has(post))
  return { all, some: best(others, mostSome - all.posts.length) }
}

/** A word without a choice: bits alone tell who has it. */
const isOneWord = ([first, ...others]: readonly Alternative[]) => others.length === 0 && first?.phrase === undefined

/** Those among the hits that have one of the alternatives. */
async function having(hits: Hits, alternatives: readonly Alternative[], withPhrase: WithPhrase): Promise<Hits> {
  const hasWords = (bits: number, wanted: number) => (bits & wanted) === wanted
  const phrases = await Promise.all(
    alternatives.map(async ({ phrase, bits: wanted }) => {
      if (phrase === undefined) return undefined
      const { posts } = filter(hits, (_, bits) => hasWords(bits, wanted))
      return new Set(posts.length === 0 ? [] : await withPhrase([...posts], phrase))
    })
  )
  return filter(hits, (post, bits) =>
    alternatives.some((alternative, at) => hasWords(bits, alternative.bits) && (phrases[at]?.has(post) ?? true))
  )
}
