import type { Changes, Db, Log } from '#core'
import { indexCacheTag } from '../cache-tags.ts'
import { markDamaged, type Segment } from '../repository/segments.ts'

/**
 * Has the texts of a segment indexed again, by the next run at the latest. A search that began long ago may have missed the rows of
 * one that was merged since: that is no damage.
 */
export async function recordDamage(
  { db, changes, log }: { db: Db; changes: Changes; log: Log },
  { segment_id }: Pick<Segment, 'segment_id'>
): Promise<void> {
  const isMarked = await db.transaction(async tx => {
    if (!(await markDamaged(tx, segment_id))) return false
    await changes.touch(tx, indexCacheTag)
    return true
  })
  if (isMarked) log.error({ segment: segment_id }, 'a part of the search index is damaged: its posts are indexed again')
}
