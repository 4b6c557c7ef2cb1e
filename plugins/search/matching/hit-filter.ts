import { filter, type Hits } from '../inverted-index/hits.ts'
import type { PostTable } from '../inverted-index/post-table.ts'
import type { Alternative } from '../query/query-plan.ts'
import type { PhraseCheck } from './phrases.ts'

/** What a post has to have: one of each of these alternatives. */
export type Demands = readonly (readonly Alternative[])[]

/** Decides which hits have what is asked for. */
export interface HitFilter {
  /** Where a phrase is excluded, a post with its words counts as excluded until it is known not to have the phrase. */
  isExcluded(post: number): boolean
  /** Those among the hits that have what is demanded, and nothing excluded. Phrases are verified until `max` are found. */
  matching(hits: Hits, demands: Demands, max?: number): Promise<Hits>
}

/** Posts that have all the words of an excluded phrase, which its place among the phrases decides about. */
interface ExcludedPhrase {
  posts: ReadonlySet<number>
  phrase: number
}

export function createHitFilter(excluded: readonly Alternative[], table: PostTable, check: PhraseCheck): HitFilter {
  const { languageCodes } = table
  const exclusions = excluded.flatMap(each => excludedPhraseOf(each, languageCodes))
  const marks = markExcluded(excluded, table)
  const isKnownWithoutPhrase = (post: number, phrase: number) => check.phrasesOf(post)?.has(phrase) === false
  const isExcluded = (post: number) =>
    marks[post] === 1 || exclusions.some(({ posts, phrase }) => posts.has(post) && !isKnownWithoutPhrase(post, phrase))
  const hasWords = (post: number, bits: number, { bits: asked, languages }: Alternative) =>
    (bits & asked) === asked && (languages === undefined || languages[languageCodes[post] ?? 0] === 1)
  const hasPhrase = (post: number, { phrase }: Alternative) =>
    phrase === undefined || check.phrasesOf(post)?.has(phrase) === true
  return {
    isExcluded,
    async matching(hits, demands, max = Number.POSITIVE_INFINITY) {
      // Of a hundred thousand hits: to go through the alternatives of each takes longer than to rank them.
      const all = commonBits(demands)
      const mayMatch = demands.every(isOneInAnyLanguage)
        ? (_: number, bits: number) => (bits & all) === all
        : (post: number, bits: number) => demands.every(each => each.some(one => hasWords(post, bits, one)))
      const needsPhrase = demands.some(needPhrase)
      const isUndecided = (post: number, bits: number) =>
        needsPhrase ||
        exclusions.some(({ posts }) => posts.has(post)) ||
        !demands.every(each => each.some(one => one.phrase === undefined && hasWords(post, bits, one)))
      const matches = (post: number, bits: number) =>
        demands.every(each => each.some(one => hasWords(post, bits, one) && hasPhrase(post, one)))
      const candidates = filter(hits, mayMatch)
      const found = () => filter(candidates, (post, bits) => matches(post, bits) && !isExcluded(post))
      const undecided = filter(candidates, isUndecided)
      const { length } = undecided.postNos
      if (length > 0) await check.verify(undecided, () => max < length && found().postNos.length >= max)
      return found()
    }
  }
}

/** The words that each match has. */
export const commonBits = (demands: Demands): number =>
  demands.reduce((bits, alternatives) => bits | alternatives.reduce((common, one) => common & one.bits, -1), 0)

export const isOneInAnyLanguage = (alternatives: readonly Alternative[]): boolean =>
  alternatives.length === 1 && alternatives.every(({ languages }) => languages === undefined)

export const needPhrase = (alternatives: readonly Alternative[]): boolean =>
  alternatives.every(({ phrase }) => phrase !== undefined)

function excludedPhraseOf(alternative: Alternative, languageCodes: Uint8Array): ExcludedPhrase[] {
  const { phrase } = alternative
  return phrase === undefined ? [] : [{ posts: new Set(postsWithAll(alternative, languageCodes)), phrase }]
}

/** The posts in its languages that all of its lists have. */
function postsWithAll({ lists, languages }: Alternative, languageCodes: Uint8Array): Int32Array {
  const [first, ...others] = lists.map(list => list?.postNos ?? new Int32Array(0)).sort((a, b) => a.length - b.length)
  if (first === undefined || (others.length === 0 && languages === undefined)) return first ?? new Int32Array(0)
  const sets = others.map(posts => new Set(posts))
  const isOfLanguage = (post: number) => languages === undefined || languages[languageCodes[post] ?? 0] === 1
  return first.filter(post => isOfLanguage(post) && sets.every(set => set.has(post)))
}

/** By number of the post, 1 where it has excluded words. A set of the posts of each of many common words would take seconds. */
function markExcluded(excluded: readonly Alternative[], { languageCodes }: PostTable): Uint8Array {
  const marks = new Uint8Array(excluded.length === 0 ? 0 : languageCodes.length)
  for (const alternative of excluded)
    if (alternative.phrase === undefined) for (const post of postsWithAll(alternative, languageCodes)) marks[post] = 1
  return marks
}
