import { type Db, type Enqueue, jobType, type Tx } from '#core'
import type { PublicChange, RevalidationItem, RevalidationTarget } from './index.ts'
import { everything } from './public-changes.ts'
import { addItems, countItems, deleteAll, deleteUnclaimed, findNextRetry, lockWaiting, retryAll } from './repository.ts'
import type { Targets } from './targets.ts'

/** Notifies a target of what waits; without one every target. */
export const SendToTargets = jobType<{ target?: string }>('revalidation.send')

/** More than so many items of a target become one for everything: a day of a large import. */
const maxWaiting = 20_000

/** What the targets have to be notified of, durable, in the database. */
export interface RevalidationQueue {
  /** Queues a change for every target that is set up. */
  add(change: PublicChange): Promise<void>
  addFor(tx: Tx, target: RevalidationTarget, items: readonly RevalidationItem[]): Promise<void>
  /** Queues the next run for a target, if something waits. */
  wakeNext(tx: Tx, target: string): Promise<void>
  /** In the place of what waited in a backup: whatever was shown may be another now. Sent with the next look, within a minute. */
  addAfterRestore(tx: Tx): Promise<void>
  /** Makes due what waits, the parked too. @returns how many items */
  retry(): Promise<number>
}

export function createQueue({
  db,
  enqueue,
  targets
}: {
  db: Db
  enqueue: Enqueue
  targets: Targets
}): RevalidationQueue {
  const wakeNext = async (tx: Tx, target: string) => {
    const at = await findNextRetry(tx, target)
    if (at !== null) await enqueue(tx, SendToTargets, { target }, { key: target, startAt: new Date(at) })
  }
  const addFor = async (tx: Tx, target: RevalidationTarget, items: readonly RevalidationItem[]) => {
    await lockWaiting(tx, target.name)
    await addItems(tx, target.name, mergedByKey(items))
    if ((await countItems(tx, target.name)) <= maxWaiting) return
    await deleteUnclaimed(tx, target.name)
    await addItems(tx, target.name, target.itemsOf(everything))
  }
  return {
    wakeNext,
    addFor,
    async add(change) {
      const affected = targets.affectedBy(change)
      if (affected.length === 0) return
      await db.transaction(async tx => {
        for (const { target, items } of affected) {
          await addFor(tx, target, items)
          await enqueue(tx, SendToTargets, { target: target.name }, { key: target.name })
        }
      })
    },
    async addAfterRestore(tx) {
      await deleteAll(tx)
      // For every target: which are set up is said by the settings of the backup, which are not read yet.
      for (const target of targets.all()) await addFor(tx, target, target.itemsOf(everything))
    },
    retry: () =>
      db.transaction(async tx => {
        let items = 0
        for (const { name } of targets.all().filter(target => target.isSetUp())) {
          await lockWaiting(tx, name)
          items += await retryAll(tx, name)
          await enqueue(tx, SendToTargets, { target: name }, { key: name })
        }
        return items
      })
  }
}

/** One item for each key. With a `post_url` such as `https://example.org/{slug}` a post may have the path of a list. */
function mergedByKey(items: readonly RevalidationItem[]): RevalidationItem[] {
  const byKey = Map.groupBy(items, ({ key }) => key)
  return [...byKey].map(([key, same]) => ({ key, tags: [...new Set(same.flatMap(({ tags }) => tags))] }))
}
