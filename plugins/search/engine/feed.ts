import { randomUUID } from 'node:crypto'
import { type Changes, type Db, type Log, messageOf, UnavailableError } from '#core'
import { indexCacheTag } from '../cache-tags.ts'
import type { SearchDriver } from '../driver.ts'
import {
  endFeedLease,
  type FeedRole,
  hasPending,
  leaseFeed,
  listPendingChanges,
  moveHorizon,
  readEngineFeed,
  recordFeedFault,
  recordSent
} from '../repository/feed.ts'
import { readHorizon } from '../repository/horizon.ts'
import { type Sending, sendChanges } from './send.ts'

export interface EngineFeedDeps extends Omit<Sending, 'signal'> {
  db: Db
  changes: Changes
  log: Log
}

/** Posts of one batch: some megabytes for the engine. */
export const feedBatch = { posts: 500, characters: 3_000_000 }
const renewEveryMs = 15_000

/** Has this process alone do something, for as long as it takes. @returns undefined while another one does */
export async function asOnly<T>(db: Db, role: FeedRole, work: (worker: string) => Promise<T>): Promise<T | undefined> {
  const worker = randomUUID()
  if (!(await leaseFeed(db, role, worker))) return undefined
  const renewal = setInterval(() => void leaseFeed(db, role, worker).catch(() => {}), renewEveryMs).unref()
  try {
    return await work(worker)
  } finally {
    clearInterval(renewal)
    await endFeedLease(db, role, worker)
  }
}

/**
 * Sends the engine what changed, until nothing waits. Another process that does so already takes what is new along: it looks once
 * more after its end. Nothing happens before there is an index.
 */
export async function feedChanges(driver: SearchDriver, deps: EngineFeedDeps, signal: AbortSignal): Promise<void> {
  const { db } = deps
  for (;;) {
    const feed = await readEngineFeed(db)
    if (feed?.target !== driver.target || feed.index_name === null || !(await hasPending(db))) return
    if ((await asOnly(db, 'feeder', worker => sendPending(driver, deps, worker, signal))) === undefined) return
  }
}

/** @returns the horizon up to which all was sent */
export async function sendPending(
  driver: SearchDriver,
  deps: EngineFeedDeps,
  worker: string,
  signal: AbortSignal
): Promise<string> {
  const { db, changes } = deps
  for (;;) {
    signal.throwIfAborted()
    const horizon = await readHorizon(db)
    const pending = await listPendingChanges(db, feedBatch)
    if (pending.length === 0) {
      await db.transaction(async tx => {
        await moveHorizon(tx, worker, horizon)
        await changes.touch(tx, indexCacheTag)
      })
      return horizon
    }
    const { sent, languages } = await sendChanges(driver, pending, { ...deps, signal })
    await db.transaction(async tx => {
      if (!(await recordSent(tx, worker, sent, languages)))
        throw new UnavailableError('Another process has taken over what is sent to the search engine.')
      await changes.touch(tx, indexCacheTag)
    })
  }
}

/** What an engine that does not answer leaves undone is done by the next run; status and doctor say why. */
export async function unlessUnavailable(
  { db, log }: Pick<EngineFeedDeps, 'db' | 'log'>,
  work: Promise<void>
): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    log.warn({ err: error }, 'the search engine takes no changes now: they wait')
    await recordFeedFault(db, messageOf(error))
  }
}
