import type { Changes, Db, Log } from '#core'
import { indexCacheTag, languagesCacheTag } from '../cache-tags.ts'
import { listSegments, type Segment } from '../repository/segments.ts'
import {
  countDiffering,
  countUncovered,
  listIncomplete,
  type MisplacedPost,
  repairDiffering,
  repairMisplaced,
  repairUncovered
} from '../repository/verification.ts'
import { recordDamage } from './record-damage.ts'
import { findLostWords } from './stored-words.ts'

/** What is wrong with the index, as far as numbers and a sample say it: not all postings are read. */
export interface IndexInspection {
  /** Segments that lack rows, or have others; or with damaged ones, as far as rows are read. */
  incomplete: readonly Segment[]
  /** Posts whose entry in the index is wrong, or missing. */
  differing: number
  /** Posts that stand in no segment, and wait for none. */
  lost: number
  /** Terms that no word stands for, and that are stored again: beginnings and misspellings do not find them. */
  words: number
}

export async function inspectIndex(db: Db): Promise<IndexInspection> {
  const segments = await listSegments(db)
  const { words, damaged } = await findLostWords(db, segments)
  const incomplete = new Set([...(await listIncomplete(db)), ...damaged])
  return {
    incomplete: segments.filter(({ segment_id }) => incomplete.has(segment_id)),
    differing: await countDiffering(db),
    lost: await countUncovered(db),
    words
  }
}

interface RepairDeps {
  db: Db
  changes: Changes
  log: Log
}

interface IndexFaults extends Pick<IndexInspection, 'differing' | 'lost'> {
  damaged: readonly Segment[]
  /** Of the lost posts, those that their segment lacks. */
  misplaced?: readonly MisplacedPost[]
}

/** Has the texts of damaged segments, and lost ones, indexed again. */
export async function repairIndex(
  { db, changes, log }: RepairDeps,
  { damaged, differing, lost, misplaced = [] }: IndexFaults
): Promise<void> {
  for (const segment of damaged) if (!segment.is_damaged) await recordDamage({ db, changes, log }, segment)
  if (differing + lost === 0) return
  log.error({ differing, lost }, 'posts were missing in the search index: they are indexed again')
  await db.transaction(async tx => {
    await repairDiffering(tx)
    await repairUncovered(tx)
    await repairMisplaced(tx, misplaced)
    await changes.touch(tx, indexCacheTag)
    // Cached answers lack what is indexed again.
    await changes.touch(tx, languagesCacheTag)
  })
}
