import { randomUUID } from 'node:crypto'
import type { Changes, Db, Log, Settings } from '#core'
import type { TextLanguage } from '#text'
import { indexCacheTag, languagesCacheTag } from '../cache-tags.ts'
import { lostPosts } from '../inverted-index/lost-posts.ts'
import type { PostText } from '../inverted-index/text-fields.ts'
import type { LatentIndexing, LatentRun } from '../latent/latent-indexing.ts'
import { beginRebuild, endWriting, finishRebuild, leaseWriting, readIndexState } from '../repository/index-state.ts'
import { listDiscarded, listSegments, removeSegment, retireSegments, vacuumPostings } from '../repository/segments.ts'
import { listIndexedBetween, listNextWaiting } from '../repository/texts.ts'
import type { searchSettings } from '../settings.ts'
import type { IndexFollower } from '../snapshot/index-state.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { type IndexProcess, startIndexProcess } from './index-process.ts'
import { indexTexts } from './index-texts.ts'
import { DamagedPostingsError } from './merge-cursor.ts'
import { nextMerge } from './merge-policy.ts'
import { mergeSegments } from './merge-segments.ts'
import { recordDamage } from './record-damage.ts'
import { recordLost } from './record-lost.ts'

/** Brings the index up to date: texts that wait, texts to be indexed again, merges. Nothing to do: returns soon. */
export type UpdateIndex = (signal: AbortSignal, options?: Partial<Pick<LatentRun, 'isWaitedFor'>>) => Promise<void>

export interface IndexingDeps {
  db: Db
  changes: Changes
  settings: Settings<typeof searchSettings>
  follower: Pick<IndexFollower, 'state'>
  languageOf: (post: PostText) => TextLanguage
  vocabulary: Pick<Vocabulary, 'addWords'>
  latent: LatentIndexing
  log: Log
}

/** Texts that are read and analyzed at once: some tenths of a second of work. More would only take memory. */
const batch = { posts: 500, characters: 3_000_000 }
const rowsPerRemoval = 20_000
const renewEveryMs = 15_000

interface Run extends IndexingDeps {
  process: () => IndexProcess
  signal: AbortSignal
}

export function createIndexing(deps: IndexingDeps): UpdateIndex {
  const writer = randomUUID()
  const lease = () => leaseWriting(deps.db, writer, deps.settings.get('search_language'))
  return async (signal, { isWaitedFor = false } = {}) => {
    const latentRun = { signal, isWaitedFor }
    if (!((await hasWork(deps)) || (await deps.latent.hasWork(latentRun))) || !(await lease())) return
    const renewal = setInterval(() => void lease().catch(() => {}), renewEveryMs).unref()
    let process: IndexProcess | undefined
    const endProcess = () => {
      process?.end()
      process = undefined
    }
    const run: Run = { ...deps, signal, process: () => (process ??= startIndexProcess(signal)) }
    // A process that stops waits for none of what follows the end of its jobs: the next one would wait a minute for the lease.
    const giveBack = () => {
      clearInterval(renewal)
      void endWriting(deps.db, writer).catch(() => {})
    }
    signal.addEventListener('abort', giveBack, { once: true })
    try {
      await followLanguage(run)
      await indexWaiting(run)
      await rebuild(run)
      await mergeAll(run)
      await removeDiscarded(run)
      // Its memory goes back before that of the other one is taken.
      endProcess()
      await deps.latent.update(latentRun)
    } finally {
      clearInterval(renewal)
      signal.removeEventListener('abort', giveBack)
      endProcess()
      await endWriting(deps.db, writer)
    }
  }
}

/** Looks without writing: the job comes each minute, and to many installations for nothing. */
async function hasWork({ db, settings }: IndexingDeps): Promise<boolean> {
  const { language, rebuild_through, is_waiting } = await readIndexState(db)
  if (is_waiting || rebuild_through > 0) return true
  if (language !== null && language !== settings.get('search_language')) return true
  const segments = await listSegments(db)
  if (nextMerge(segments) !== undefined || segments.some(({ is_damaged }) => is_damaged)) return true
  return (await listDiscarded(db)).length > 0
}

/** Has all texts indexed again. */
export const startRebuild = ({ db, settings }: Pick<IndexingDeps, 'db' | 'settings'>): Promise<void> =>
  beginRebuild(db, settings.get('search_language'))

/** A changed setting has all texts indexed again. */
async function followLanguage({ db, settings }: Run): Promise<void> {
  const wanted = settings.get('search_language')
  if ((await readIndexState(db)).language !== wanted) await startRebuild({ db, settings })
}

async function indexWaiting(run: Run): Promise<void> {
  const afterSegment = async () => {
    // As many segments as a long import writes would make searches slow, and as many old ones fill the disk.
    await mergeAll(run)
    await removeDiscarded(run)
  }
  for (;;) {
    const { read, indexed } = await indexTexts(after => listNextWaiting(run.db, after, batch), { ...run, afterSegment })
    // Texts that others are changing wait for the next run: to write them again at once would never end.
    if (read === 0 || indexed === 0) return
  }
}

/** Indexes texts again, so that each is always found; of the whole index, then of damaged segments. */
async function rebuild(run: Run): Promise<void> {
  const { db } = run
  const { rebuild_through } = await readIndexState(db)
  if (rebuild_through > 0) {
    if (!(await rebuildBetween(run, { first: 0, last: rebuild_through }))) return
    await finishRebuild(db, rebuild_through)
  }
  for (const { is_damaged, first_generation: first, last_generation: last } of await listSegments(db))
    if (is_damaged) await rebuildBetween(run, { first, last })
}

/** @returns false when some are left for the next run */
async function rebuildBetween(run: Run, generations: { first: number; last: number }): Promise<boolean> {
  const { db, changes, settings, log } = run
  const language = settings.get('search_language')
  const isOther = () => settings.get('search_language') !== language
  // Without merges: they would take in segments that are retired at the end.
  const deps = { ...run, afterSegment: async () => {} }
  let posts = 0
  for (;;) {
    const { read, indexed } = await indexTexts(
      async after => (isOther() ? [] : await listIndexedBetween(db, generations, after, batch)),
      deps
    )
    // Another one begins with the next run.
    if (isOther()) return false
    if (read === 0) break
    if (indexed === 0) return false
    posts += indexed
  }
  await db.transaction(async tx => {
    await retireSegments(tx, generations)
    await changes.touch(tx, indexCacheTag)
    await changes.touch(tx, languagesCacheTag)
  })
  log.info({ posts, language }, 'posts were indexed again')
  return true
}

async function mergeAll(run: Run): Promise<void> {
  const { db, follower } = run
  for (;;) {
    run.signal.throwIfAborted()
    const all = await listSegments(db)
    const segments = nextMerge(all.filter(({ is_damaged }) => !is_damaged))
    if (segments === undefined) return
    try {
      const { table } = await follower.state()
      // One made of segments on both sides of a gap would hide it.
      const lost = lostPosts(table, all)
      if (lost.count > 0) await recordLost(run, lost)
      await mergeSegments(segments, table, { ...run, process: run.process() })
    } catch (error) {
      const damaged = error instanceof DamagedPostingsError ? segments[error.segment] : undefined
      if (damaged === undefined) throw error
      await recordDamage(run, damaged)
    }
  }
}

/** Their space is free for the next ones: the embedded database never cleans up by itself, and a server too late. */
async function removeDiscarded({ db, signal }: Run): Promise<void> {
  const discarded = await listDiscarded(db)
  for (const segment_id of discarded) while (!signal.aborted && !(await removeSegment(db, segment_id, rowsPerRemoval)));
  if (discarded.length > 0 && !signal.aborted) await vacuumPostings(db)
}
