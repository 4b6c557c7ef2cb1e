import { setImmediate } from 'node:timers/promises'
import { createByteWriter, writeBytes, written } from './byte-writer.ts'
import type { EncodedList } from './encoded-list.ts'
import { createSegmentBuilder, type SegmentBuilder } from './segment-builder.ts'
import type { AnalyzedPost } from './text-fields.ts'

/** The lists of some texts that were analyzed together. */
export interface RecentSegment {
  /** The list of a term; undefined where no text has it. */
  listOf(term: string): Pick<EncodedList, 'posts' | 'positions'> | undefined
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
  const segment = segmentOf(builder)
  return new Map(
    posts.map(post => {
      const { post_no, text_version: textVersion, analyzed_as } = post
      return [post_no, { segment, textVersion, lengthCode: codes.get(post) ?? 0, languageCode: codeOf(analyzed_as) }]
    })
  )
}

/** Lists of some texts have some bytes each: an array for each takes ten times as much. */
function segmentOf(builder: SegmentBuilder): RecentSegment {
  const bytes = createByteWriter()
  const terms = new Map<string, number>()
  // Where the posts of each term end, then its positions; those of the next follow.
  const ends = [0]
  for (const term of builder.terms()) {
    const { posts, positions } = builder.listOf(term)
    terms.set(term, ends.length)
    writeBytes(bytes, posts)
    ends.push(bytes.length)
    writeBytes(bytes, positions)
    ends.push(bytes.length)
  }
  const all = written(bytes).slice()
  const limits = Int32Array.from(ends)
  return {
    listOf(term) {
      const at = terms.get(term)
      if (at === undefined) return undefined
      return { posts: all.subarray(limits[at - 1], limits[at]), positions: all.subarray(limits[at], limits[at + 1]) }
    }
  }
}
