import type { Changes, Db, Log } from '#core'
import { indexCacheTag } from '../cache-tags.ts'
import { markDamaged, type Segment } from '../repository/segments.ts'

/** Has the texts of a segment indexed again, by the next run at the latest. */
export async function noteDamage(
  { db, changes, log }: { db: Db; changes: Changes; log: Log },
  { segment_id }: Pick<Segment, 'segment_id'>
): Promise<void> {
  log.error({ segment: segment_id }, 'a part of the search index is damaged: its posts are indexed again')
  await db.transaction(async tx => {
    await markDamaged(tx, segment_id)
    await changes.touch(tx, indexCacheTag)
  })
}
