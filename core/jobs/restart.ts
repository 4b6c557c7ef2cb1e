import { ConflictError } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { notify } from '../db/notify.ts'
import type { Kinds } from './kinds.ts'
import { type ParkedChoice, type ParkedJob, restartParked, takeParked } from './parked-repository.ts'
import { channel, hasQueues } from './repository.ts'

/** A parked job there was nothing left to do for: it is taken away. */
export interface DroppedJob extends ParkedJob {
  reason: string
}

/** What became of parked jobs that were to be started anew, each as it was. */
export interface Restarted {
  retried: ParkedJob[]
  dropped: DroppedJob[]
}

export type Restart = (which: ParkedChoice, actor: string) => Promise<Restarted>

/** A parked job that could not be started anew, and why. */
interface StuckJob {
  job: ParkedJob
  error: unknown
}

/**
 * Starts parked jobs anew: by their kind's `onRestart`, one by one, else all in one statement. One that cannot be keeps no
 * other from it, and stays parked.
 * @throws what its `onRestart` threw, in the words of a ConflictError when others were started or dropped.
 */
export function createRestart(db: Db, kinds: Kinds): Restart {
  return async (which, actor) => {
    const result: Restarted = { retried: [], dropped: [] }
    if (!(await hasQueues(db))) return result
    const own = kinds.all().flatMap(({ queue, onRestart }) => (onRestart === undefined ? [] : [queue]))
    const stuck: StuckJob[] = []
    while (await restartNext({ db, kinds, queues: own, which, actor }, result, stuck));
    const others = await restartParked(db, which, own)
    await notify(db, channel, [...new Set(others.map(({ queue }) => queue))])
    result.retried.push(...others)
    if (stuck.length > 0) throw stuckError(stuck, result)
    return result
  }
}

interface Restarting {
  db: Db
  kinds: Kinds
  queues: readonly string[]
  which: ParkedChoice
  actor: string
}

/** One job, with what it starts: a failure leaves it parked. False when there is none. */
async function restartNext(
  { db, kinds, queues, which, actor }: Restarting,
  { retried, dropped }: Restarted,
  stuck: StuckJob[]
): Promise<boolean> {
  const without = stuck.map(({ job }) => job.id)
  let job: ParkedJob | undefined
  try {
    const reason = await db.transaction(async tx => {
      job = await takeParked(tx, which, queues, without)
      return job === undefined ? null : ((await kinds.find(job.queue)?.onRestart?.(tx, job.data, actor)) ?? null)
    })
    if (job === undefined) return false
    if (reason === null) retried.push(job)
    else dropped.push({ ...job, reason })
  } catch (error) {
    if (job === undefined) throw error
    stuck.push({ job, error })
  }
  return true
}

function stuckError(stuck: readonly StuckJob[], { retried, dropped }: Restarted): unknown {
  const [first] = stuck
  if (first === undefined || stuck.length + retried.length + dropped.length === 1) return first?.error
  const { job, error } = first
  const said = error instanceof Error ? error.message : String(error)
  const stay = stuck.length === 1 ? '1 job stays' : `${stuck.length} jobs stay`
  return new ConflictError(
    `${stay} parked, the first ${job.id} (${job.queue}): ${said} Started anew: ${retried.length}, dropped: ${dropped.length}.`
  )
}
