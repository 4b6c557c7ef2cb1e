import type { Changes, Db, Log, Settings } from '#core'
import type { TextLanguage } from '#text'
import { createIndexing, type IndexingDeps, startRebuild } from './indexing/indexing.ts'
import { inspectIndex, repairIndex } from './indexing/inspection.ts'
import { recordDamage } from './indexing/record-damage.ts'
import { recordLost } from './indexing/record-lost.ts'
import { findLostWords, refillWords } from './indexing/stored-words.ts'
import { type IndexVerification, type IndexVerifyOptions, verifyIndex } from './indexing/verify.ts'
import type { LostPosts } from './inverted-index/lost-posts.ts'
import { languagesIn } from './languages.ts'
import { createMatcher, type Matcher, type MatcherDeps } from './matching/matching.ts'
import { listSegments, type Segment } from './repository/segments.ts'
import type { searchSettings } from './settings.ts'
import type { IndexFollower } from './snapshot/index-state.ts'
import { createPostings } from './snapshot/postings.ts'
import { type IndexStatus, readIndexStatus } from './status.ts'

/** The index in the database. */
interface BuiltinIndex extends Matcher {
  update(signal: AbortSignal): Promise<void>
  updateByJob(signal: AbortSignal): Promise<void>
  rebuild(signal: AbortSignal): Promise<void>
  verify(options: IndexVerifyOptions): Promise<IndexVerification>
  status(): Promise<IndexStatus>
  /** That posts are indexed in. */
  languages(): Promise<readonly TextLanguage[]>
}

interface BuiltinIndexDeps extends IndexingDeps, Omit<MatcherDeps, 'open'> {
  db: Db
  changes: Changes
  settings: Settings<typeof searchSettings>
  follower: IndexFollower
  log: Log
  /** Of posting lists in memory. */
  maxBytes: () => number
  now: () => Date
}

/** It counts the rows of the index, and compares the numbers of all posts: tenths of a second for 100,000 posts. */
const inspectEveryMs = 3_600_000
/** A refill analyzes all texts: one that did not help is not repeated before. */
const refillAgainMs = 24 * 3_600_000

export function createBuiltinIndex(deps: BuiltinIndexDeps): BuiltinIndex {
  const { follower, log } = deps
  const onDamage = (segment: Segment) =>
    void recordDamage(deps, segment).catch(error =>
      log.error({ err: error }, 'a damaged part of the search index could not be noted')
    )
  const onLost = (lost: LostPosts) =>
    void recordLost(deps, lost).catch(error =>
      log.error({ err: error }, 'lost parts of the search index could not be noted')
    )
  const { open } = createPostings({ ...deps, onDamage, onLost })
  const index = createIndexing(deps)
  const update = (signal: AbortSignal) => index(signal, { isWaitedFor: true })
  let nextInspection = Number.NEGATIVE_INFINITY
  let nextRefill = Number.NEGATIVE_INFINITY
  const isDue = (next: number) => deps.now().getTime() >= next
  /** @returns how many words are gone that others are compared with */
  const inspectSometimes = async () => {
    if (!isDue(nextInspection)) return 0
    nextInspection = deps.now().getTime() + inspectEveryMs
    const { incomplete, words, ...found } = await inspectIndex(deps.db)
    await repairIndex(deps, { damaged: incomplete, ...found })
    return words
  }
  const refillSometimes = async (words: number, signal: AbortSignal) => {
    if (words === 0 || !isDue(nextRefill)) return
    await refillWords(deps, words, { signal, pause: () => index(signal) })
    const left = await findLostWords(deps.db, await listSegments(deps.db))
    if (left.words > 0) nextRefill = deps.now().getTime() + refillAgainMs
  }
  return {
    ...createMatcher({ ...deps, open }),
    update,
    async updateByJob(signal) {
      const words = await inspectSometimes()
      await index(signal)
      await refillSometimes(words, signal)
    },
    async rebuild(signal) {
      await startRebuild(deps)
      await update(signal)
    },
    verify: options => verifyIndex(deps, options),
    status: () => readIndexStatus(deps),
    languages: async () => languagesIn((await follower.state()).table)
  }
}
