import { setTimeout as wait } from 'node:timers/promises'
import { ConflictError, type Settings } from '#core'
import { indexCacheTag, languagesCacheTag } from '../cache-tags.ts'
import type { NewIndex, SearchDriver } from '../driver.ts'
import {
  type ChangeRow,
  listChangesAfter,
  listPublishedAfter,
  readEngineFeed,
  recordBuiltPosts,
  recordNewIndex,
  type SentRow,
  startFeed
} from '../repository/feed.ts'
import { readHorizon } from '../repository/horizon.ts'
import type { searchSettings } from '../settings.ts'
import { asOnly, type EngineFeedDeps, feedBatch, feedChanges, sendPending, unlessUnavailable } from './feed.ts'
import { sendChanges } from './send.ts'

export interface RebuildDeps extends EngineFeedDeps {
  settings: Settings<typeof searchSettings>
}

/** What a new index was given. */
interface Built {
  languages: Set<number>
  refused: Map<number, SentRow>
  /** All changes before it are in the new index. */
  horizon: string
  posts: number
}

/** Whether the engine has no index that is ours, or one in another language. */
export async function needsRebuild(driver: SearchDriver, deps: RebuildDeps, signal: AbortSignal): Promise<boolean> {
  const feed = await readEngineFeed(deps.db)
  if (feed?.target !== driver.target || feed.index_name === null) return true
  if (feed.language !== deps.settings.get('search_language')) return true
  return (await driver.status(signal)).index !== feed.index_name
}

/**
 * Fills a new index from the database, while the old one answers and is fed. What changed meanwhile is sent to both before the
 * new one answers. @throws ConflictError while another process does so
 */
export async function rebuildIndex(driver: SearchDriver, deps: RebuildDeps, signal: AbortSignal): Promise<void> {
  const { db, settings, log } = deps
  const language = settings.get('search_language')
  await db.transaction(tx => startFeed(tx, driver.target))
  const done = await asOnly(db, 'builder', async worker => {
    const built: Built = { languages: new Set(), refused: new Map(), horizon: await readHorizon(db), posts: 0 }
    const run: Run = { ...deps, driver, worker, built, signal }
    await driver.rebuild({
      signal,
      fill: index => fill(run, index),
      complete: async (index, swap) => {
        await catchUp(run, index)
        await swapIndices(run, index, { swap, language })
      }
    })
    log.info({ posts: built.posts, language }, 'the search engine has a new index')
    return true
  })
  if (done === undefined)
    throw new ConflictError('Another process fills a new index already: galley search status shows how far it is.')
}

interface Run extends RebuildDeps {
  driver: SearchDriver
  worker: string
  built: Built
  signal: AbortSignal
}

async function fill(run: Run, index: NewIndex): Promise<void> {
  const { db, driver, worker, built, signal } = run
  let after = 0
  for (;;) {
    signal.throwIfAborted()
    const posts = await listPublishedAfter(db, after, feedBatch)
    const last = posts.at(-1)
    if (last === undefined) return
    await send(run, index, posts)
    after = last.post_no
    built.posts += posts.length
    await recordBuiltPosts(db, worker, built.posts)
    // The job that does it else may be this one.
    await unlessUnavailable(run, feedChanges(driver, run, signal))
  }
}

async function send({ built, ...run }: Run, index: NewIndex, posts: readonly ChangeRow[]): Promise<void> {
  const { sent, languages } = await sendChanges(index, posts, run)
  for (const code of languages) built.languages.add(code)
  for (const row of sent) {
    if (row.fault === null) built.refused.delete(row.post_no)
    else built.refused.set(row.post_no, row)
  }
}

/** Sends the new index what changed since its horizon, and moves that. */
async function catchUp(run: Run, index: NewIndex): Promise<void> {
  const { db, built, signal } = run
  const horizon = await readHorizon(db)
  let after = 0
  for (;;) {
    signal.throwIfAborted()
    const posts = await listChangesAfter(db, { horizon: built.horizon, after }, feedBatch)
    const last = posts.at(-1)
    if (last === undefined) break
    await send(run, index, posts)
    after = last.post_no
  }
  built.horizon = horizon
}

/**
 * While nobody else feeds the engine: what still waits goes to both indices, then the new one answers. A process that is killed
 * before the swap leaves the old one complete, one killed after it the new one.
 */
async function swapIndices(
  run: Run,
  index: NewIndex,
  { swap, language }: { swap: () => Promise<string>; language: string }
): Promise<void> {
  const { db, driver, changes, built, signal } = run
  const hasOld = (await readEngineFeed(db))?.index_name !== null && (await driver.status(signal)).index !== null
  const work = async (feeder: string) => {
    if (hasOld) await sendPending(driver, run, feeder, signal)
    await catchUp(run, index)
    const index_name = await swap()
    const refused = [...built.refused.values()]
    const row = { index_name, language, languages: [...built.languages], horizon: built.horizon, refused }
    await db.transaction(async tx => {
      await recordNewIndex(tx, row)
      await changes.touch(tx, indexCacheTag)
      await changes.touch(tx, languagesCacheTag)
    })
    return true
  }
  while ((await asOnly(db, 'feeder', work)) === undefined) await wait(feederPauseMs, undefined, { signal })
}

/** Another process that sends changes is done in seconds. */
const feederPauseMs = 200
