import { service } from '#core'
import type { PostSummary, SimilarPosts } from '#plugins/posts'
import type { SearchDrivers } from './driver.ts'
import type { Correction } from './query/read-query.ts'
import type { SearchResult } from './search.ts'

export type * from './driver.ts'
export type { Correction } from './query/read-query.ts'
export type { SearchResult } from './search.ts'

/** Compares texts with the published posts: by their titles in meaning, by their passages word for word. */
export const SimilarPostsService = service<SimilarPosts>('search.similar')

/** Found public posts, best first; `total` is of all parts. `isDegraded`: without an embedder, or cut short by the time limit. */
export interface FoundPosts {
  items: SearchResult[]
  total: number
  isDegraded: boolean
  /** Words that no public post has, and those that were searched for instead. */
  corrected: readonly Correction[]
}

/** Search as the API has it, for pages beside it. */
export interface PostSearch {
  /** Posts for a query of 1 to 500 characters. `signal` is aborted when nobody waits any more. @throws UnavailableError */
  find(q: string, part: { limit: number; offset: number }, signal: AbortSignal): Promise<FoundPosts>
  /** Posts like the public post with this slug, without itself; none when there is no such post. */
  related(slug: string, limit: number): Promise<PostSummary[]>
  /** The `post_no` of each of them, without reading them. */
  relatedNumbers(slug: string, limit: number): Promise<number[]>
  /**
   * For long work that nobody waits for. What it answers is awaited before each part: while posts are searched here, it rests many
   * times as long as the last part took, and a few seconds at most. Where it `isUrgent` by then, the pause ends. @throws the abort reason
   */
  throttle(signal: AbortSignal): (isUrgent?: () => Promise<boolean>) => Promise<void>
  /** What its answers depend on beside the posts. */
  readonly cacheTags: readonly string[]
}
export const PostSearchService = service<PostSearch>('search.posts')

/** Offers search engines for the setting `search_driver`. */
export const SearchDriversService = service<SearchDrivers>('search.drivers')
