import type { Changes, Db, Log } from '#core'
import { indexCacheTag } from '../cache-tags.ts'
import type { LostPosts } from '../inverted-index/lost-posts.ts'
import { addLostSegment, lockState } from '../repository/segments.ts'

/**
 * Has texts whose segments are gone indexed again, by the next run at the latest. Until then a damaged segment without postings stands
 * for each of them: so every search says that posts may be missing, and no merge takes their place.
 */
export async function recordLost(
  { db, changes, log }: { db: Db; changes: Changes; log: Log },
  { generations }: LostPosts
): Promise<void> {
  const posts = await db.transaction(async tx => {
    await lockState(tx)
    let lost = 0
    for (const each of generations) lost += await addLostSegment(tx, each)
    if (lost > 0) await changes.touch(tx, indexCacheTag)
    return lost
  })
  if (posts > 0) log.error({ posts }, 'parts of the search index are gone: their posts are indexed again')
}
