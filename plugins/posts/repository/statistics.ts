import type { Queryable } from '#core'

/**
 * Has the database count the posts anew, for its plans. The embedded one never does so by itself; a server does within a
 * minute, and until then takes a thousand posts that were just published for one. Who finds another process at it goes on.
 */
export async function analyzePosts(db: Queryable): Promise<void> {
  await db.query('analyze (skip_locked) posts, categories')
}
