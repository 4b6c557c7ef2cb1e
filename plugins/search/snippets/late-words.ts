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
export function createLateWords({ wholeTexts }: Pick<ResultPosts, 'wholeTexts'>): ShowLateWords {
  const remembered = createBoundedMap<string, string>({ maxEntries: () => maxRemembered })
  return async (posts, { terms, snippetOf, deadline }) => {
    const query = JSON.stringify(terms)
    const keys = new Map(posts.map(({ post_no, version }) => [post_no, `${version} ${query}`]))
    const snippets = new Map(Array.from(keys, ([post_no, key]) => [post_no, remembered.get(key)]))
    const unknown = [...snippets].flatMap(([post_no, snippet]) => (snippet === undefined ? [post_no] : []))
    if (unknown.length > 0 && !deadline.hasPassed())
      for await (const [post_no, text] of wholeTexts(unknown.slice(0, maxReadWhole))) {
        const snippet = snippetOf(text)
        remembered.set(keys.get(post_no) ?? '', hasMark(snippet) ? snippet : '')
        snippets.set(post_no, snippet)
        if (deadline.hasPassed()) break
      }
    return new Map([...snippets].flatMap(([post_no, snippet = '']) => (hasMark(snippet) ? [[post_no, snippet]] : [])))
  }
}
