import { setImmediate } from 'node:timers/promises'
import type { EncodedList } from './encoded-list.ts'
import { createSegmentBuilder } from './segment-builder.ts'
import type { AnalyzedPost } from './text-fields.ts'

/** The lists of some texts that were analyzed together. */
export interface RecentSegment {
  readonly lists: ReadonlyMap<string, EncodedList>
}

interface RecentPost {
  readonly segment: RecentSegment
  readonly textVersion: number
  readonly lengthCode: number
  /** Stands for the language it was analyzed in. */
  readonly languageCode: number
}

/** By number: the posts that stand in no segment of the database yet, as this process analyzed them. */
export type RecentPosts = ReadonlyMap<number, RecentPost>

/** Characters of texts analyzed before the event loop goes on: a millisecond. */
const charactersPerPause = 15_000

/** Analyzes texts, in the order of their numbers. */
export async function analyzeRecent(
  posts: readonly AnalyzedPost[],
  codeOf: (language: AnalyzedPost['analyzed_as']) => number
): Promise<RecentPosts> {
  const builder = createSegmentBuilder()
  const codes = new Map<AnalyzedPost, number>()
  let characters = 0
  for (const post of posts) {
    codes.set(post, builder.add(post))
    characters += post.body.length
    if (characters < charactersPerPause) continue
    characters = 0
    await setImmediate()
  }
  const segment: RecentSegment = { lists: new Map(builder.terms().map(term => [term, ownCopy(builder.listOf(term))])) }
  return new Map(
    posts.map(post => {
      const { post_no, text_version: textVersion, analyzed_as } = post
      return [post_no, { segment, textVersion, lengthCode: codes.get(post) ?? 0, languageCode: codeOf(analyzed_as) }]
    })
  )
}

const ownCopy = ({ count, posts, positions }: EncodedList): EncodedList => ({
  count,
  posts: posts.slice(),
  positions: positions.slice()
})
