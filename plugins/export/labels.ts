import type { Queryable } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { ReadLabels } from './index.ts'

/** Counting them takes all posts: the lists of a run share it. */
export function createLabels(published: PublishedPosts, db: Queryable): ReadLabels {
  const read = async () => {
    const [categories, tags] = await Promise.all([published.categories(db), published.tags(db)])
    return { categories, tags }
  }
  let found: ReturnType<ReadLabels> | undefined
  return () => {
    found ??= read()
    return found
  }
}
