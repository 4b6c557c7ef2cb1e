import type { Db } from '#core'
import type { Deadline } from './deadline.ts'
import { createPhraseCheck, type PhraseCheck } from './phrases.ts'
import type { Index } from './postings.ts'
import type { Query } from './query.ts'
import { type Alternative, type Plan, planOf } from './query-plan.ts'
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
  /** The time was up before every post that may have a phrase was looked at. */
  readonly isCutShort: boolean
}

export interface Matcher {
  /** Undefined for a query that asks for no word. */
  match(query: Query, deadline: Deadline): Promise<Matches | undefined>
  /** Posts that share terms, each counting by its rarity; best first. */
  alike(terms: readonly string[], count: number): Promise<number[]>
}

/** Fewer posts than this with all the words: those with some of the words follow, up to a hundred in all. */
const fewMatches = 20
const mostSome = 100

export function createMatcher({ db, terms, open }: { db: Db; terms: Terms; open: () => Promise<Index> }): Matcher {
  const rank = createRank()
  return {
    match: async (query, deadline) => {
      const [languages, index] = await Promise.all([terms.languages(), open()])
      const plan = await planOf(query, terms, index, languages)
      if (plan === undefined) return undefined
      const check = createPhraseCheck({ db, phrases: plan.phrases, languages, deadline })
      const chosen = await choose(plan, index, { rank, check })
      const isStrict = plan.wanted.some(isStrictly)
      return { ...chosen, isStrict, asked: plan.wanted.length, terms: plan.marked, isCutShort: check.isCutShort() }
    },
    alike: async (wanted, count) => {
      const index = await open()
      const lists = await index.lists(wanted)
      const ranked = [...lists.values()].map(list => ({ list, bit: 0 }))
      return [...best(rank(ranked, index), count).posts]
    }
  }
}

const isStrictly = (alternatives: readonly Alternative[]) => alternatives.every(alternative => alternative.isStrict)

/** Posts that have all the words of an unwanted one. */
interface Held {
  posts: ReadonlySet<number>
  /** Only with this phrase a post is unwanted. */
  phrase: number | undefined
}

function heldBy({ lists, phrase }: Alternative): Held {
  const [first, ...others] = lists.map(list => list?.posts ?? new Int32Array(0)).sort((a, b) => a.length - b.length)
  const sets = others.map(posts => new Set(posts))
  const posts = [...(first ?? [])].filter(post => sets.every(set => set.has(post)))
  return { posts: new Set(posts), phrase }
}

interface Choosing {
  rank: Rank
  check: PhraseCheck
}

async function choose({ terms, wanted, unwanted }: Plan, index: Index, { rank, check }: Choosing) {
  const held = unwanted.map(heldBy)
  const isExcluded = (post: number) =>
    held.some(({ posts, phrase }) => posts.has(post) && (phrase === undefined || check.of(post)?.has(phrase) !== false))
  const required = wanted.filter(isOneWord).reduce((sum, [first]) => sum | (first?.bits ?? 0), 0)
  const all = await having(rank(terms, index, required), wanted, { held, isExcluded, check })
  const found = { all, some: noHits }
  if (all.posts.length < fewMatches) {
    const inAll = new Set(all.posts)
    const others = filter(rank(terms, index), post => !inAll.has(post))
    const strict = wanted.filter(isStrictly)
    const some = await having(others, strict, { held, isExcluded, check, most: mostSome })
    found.some = best(some, mostSome - all.posts.length)
  }
  const excluded = new Set(held.flatMap(({ posts }) => [...posts].filter(isExcluded)))
  return { ...found, excluded }
}

/** A word without a choice: bits alone tell who has it. */
const isOneWord = ([first, ...others]: readonly Alternative[]) => others.length === 0 && first?.phrase === undefined

interface Having {
  held: readonly Held[]
  isExcluded(post: number): boolean
  check: PhraseCheck
  /** So many are enough. */
  most?: number
}

/** Those among the hits that have one of each of the wanted, and nothing unwanted. Where phrases decide, the best are looked at first. */
async function having(
  hits: Hits,
  wanted: readonly (readonly Alternative[])[],
  { held, isExcluded, check, most = Number.POSITIVE_INFINITY }: Having
): Promise<Hits> {
  const hasWords = (bits: number, { bits: asked }: Alternative) => (bits & asked) === asked
  const mayHave = (_: number, bits: number) => wanted.every(each => each.some(one => hasWords(bits, one)))
  const isUndecided = (post: number, bits: number) =>
    held.some(({ posts, phrase }) => phrase !== undefined && posts.has(post)) ||
    !wanted.every(each => each.some(one => one.phrase === undefined && hasWords(bits, one)))
  const has = (post: number, bits: number) =>
    wanted.every(each =>
      each.some(one => hasWords(bits, one) && (one.phrase === undefined || check.of(post)?.has(one.phrase) === true))
    )
  const candidates = filter(hits, mayHave)
  const found = () => filter(candidates, (post, bits) => has(post, bits) && !isExcluded(post))
  const undecided = filter(candidates, isUndecided)
  const { length } = undecided.posts
  if (length > 0) await check.look(best(undecided, length).posts, () => most < length && found().posts.length >= most)
  return found()
}
