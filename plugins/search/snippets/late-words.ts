import { createBoundedMap } from '#core'
import type { Deadline } from '../deadline.ts'
import type { ResultPosts } from './result-posts.ts'
import { hasMark } from './snippet.ts'

/** A post whose words stand only behind what is read of each for a snippet. */
export interface LateWordsPost {
  post_no: number
  /** Changes with its text. */
  version: string
}

interface LateWordsQuery {
  terms: readonly string[]
  snippetOf: (text: string) => string
  deadline: Deadline
}

/** Snippets with marks, by number of the post: of those whose text has the words further on. */
export type ShowLateWords = (
  posts: readonly LateWordsPost[],
  query: LateWordsQuery
) => Promise<ReadonlyMap<number, string>>

/** Of a page: to read and mark a text takes some milliseconds. */
const maxReadWhole = 3
const maxRemembered = 500

/** Remembers what it found, and where nothing is. */
export function createLateWords({ wholeText }: Pick<ResultPosts, 'wholeText'>): ShowLateWords {
  const remembered = createBoundedMap<string, string>({ maxEntries: () => maxRemembered })
  return async (posts, { terms, snippetOf, deadline }) => {
    const found = new Map<number, string>()
    const query = JSON.stringify(terms)
    let reads = 0
    for (const { post_no, version } of posts) {
      const key = `${version} ${query}`
      let snippet = remembered.get(key)
      if (snippet === undefined && reads < maxReadWhole && !deadline.hasPassed()) {
        reads += 1
        snippet = snippetOf(await wholeText(post_no))
        remembered.set(key, hasMark(snippet) ? snippet : '')
      }
      if (snippet !== undefined && hasMark(snippet)) found.set(post_no, snippet)
    }
    return found
  }
}
