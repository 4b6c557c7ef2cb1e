import type { Db } from '#core'
import { listWithPhrase } from '../repository/search.ts'
import { type Alternative, planOf } from './plan.ts'
import type { Index } from './postings.ts'
import type { Query } from './query.ts'
import { best, type Hits, rank } from './ranking.ts'
import type { Terms } from './terms.ts'

/** What a query comes to. */
export interface Matches {
  /** By number of the post, what orders it: higher first. */
  readonly keys: Float64Array
  /** Posts that have all that is asked for, in no order. */
  readonly all: Int32Array
  /** The best of those that have some of it, when few have all. */
  readonly some: Int32Array
  /** Posts that have what is not wanted. */
  readonly excluded: ReadonlySet<number>
  /** Asks for a phrase in quotes: a post without it is no match, however near it is. */
  readonly isStrict: boolean
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
  return {
    match: async query => {
      const [languages, index] = await Promise.all([terms.languages(), open()])
      const plan = await planOf(query, terms, index, languages)
      if (plan === undefined) return undefined
      const withPhrase = (posts: readonly number[], phrase: string) => listWithPhrase(db, posts, phrase, languages)
      const hits = rank(plan.terms, index.posts, index.nowSeconds)
      const excluded = await excludedBy(plan.unwanted, withPhrase)
      const allowed = excluded.size === 0 ? hits.posts : hits.posts.filter(post => !excluded.has(post))
      const { all, some } = await choose(allowed, hits, plan.wanted, withPhrase)
      const isStrict = plan.wanted.some(isStrictly)
      return { keys: hits.keys, all, some, excluded, isStrict, terms: plan.marked }
    },
    alike: async (wanted, count) => {
      const index = await open()
      const lists = await index.lists(wanted)
      const ranked = [...lists.values()].map(list => ({ list, bit: 0 }))
      const { posts, keys } = rank(ranked, index.posts, index.nowSeconds)
      return [...best(posts, keys, count)]
    }
  }
}

type WithPhrase = (posts: readonly number[], phrase: string) => Promise<number[]>

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

async function choose(
  allowed: Int32Array,
  { bits, keys }: Hits,
  wanted: readonly (readonly Alternative[])[],
  withPhrase: WithPhrase
) {
  let all = withAllWords(allowed, wanted, bits)
  let strict = allowed
  for (const alternatives of wanted) {
    if (!isOneWord(alternatives)) all = await having(all, alternatives, bits, withPhrase)
    if (isStrictly(alternatives)) strict = await having(strict, alternatives, bits, withPhrase)
  }
  if (all.length >= fewMatches) return { all, some: new Int32Array(0) }
  const rest = new Set(all)
  const others = strict.filter(post => !rest.has(post))
  return { all, some: best(others, keys, mostSome - all.length) }
}

/** A word without a choice: bits alone tell who has it. */
const isOneWord = ([first, ...others]: readonly Alternative[]) => others.length === 0 && first?.phrase === undefined

/** Those among the posts that have every word there is no choice about. */
function withAllWords(posts: Int32Array, wanted: readonly (readonly Alternative[])[], bits: Uint32Array): Int32Array {
  const all = wanted.filter(isOneWord).reduce((sum, [first]) => sum | (first?.bits ?? 0), 0)
  if (all === 0) return posts
  const held = new Int32Array(posts.length)
  let count = 0
  for (let at = 0; at < posts.length; at++) {
    const post = posts[at] as number
    if (((bits[post] as number) & all) === all) held[count++] = post
  }
  return held.subarray(0, count)
}

/** Those among the posts that have one of the alternatives. */
async function having(
  posts: Int32Array,
  alternatives: readonly Alternative[],
  bits: Uint32Array,
  withPhrase: WithPhrase
): Promise<Int32Array> {
  const hasWords = (post: number, wanted: number) => ((bits[post] as number) & wanted) === wanted
  const phrases = await Promise.all(
    alternatives.map(async ({ phrase, bits: wanted }) => {
      if (phrase === undefined) return undefined
      const held = posts.filter(post => hasWords(post, wanted))
      return new Set(held.length === 0 ? [] : await withPhrase([...held], phrase))
    })
  )
  return posts.filter(post =>
    alternatives.some((alternative, at) => hasWords(post, alternative.bits) && (phrases[at]?.has(post) ?? true))
  )
}
