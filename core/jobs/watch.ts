import type { PgBoss } from 'pg-boss'
import type { Db } from '../contract/database.ts'
import type { Log } from '../log.ts'
import type { QueueWorker } from './queue-worker.ts'
import {
  deadLetterQueue,
  delayedJobPayload,
  findDue,
  findFaults,
  jobsChannel,
  reclaimLost,
  repairTimesAfterClockChange
} from './repository.ts'
import { wakeAt } from './wake-at.ts'

/** Jobs whose time has come, retries included, are found by looking; new ones are announced. */
const dueEveryMs = 1_000
/** Three heartbeats fit into the 10 s after which a silent process is taken for dead: it is noticed within 14 s. */
const heartbeatEveryMs = 3_000
const maintainEveryMs = 60 * 60 * 1_000

/** Wakes the workers in time and keeps their claims alive until it is stopped. */
export interface JobWatch {
  stop(): Promise<void>
}

interface WatchDeps {
  db: Db
  boss: PgBoss
  log: Log
  workers: ReadonlyMap<string, QueueWorker>
}

export async function startWatch({ db, boss, log, workers }: WatchDeps): Promise<JobWatch> {
  const wakeAll = () => {
    for (const worker of workers.values()) worker.wake()
  }
  const due = async () => {
    await Promise.all([...workers.values()].map(worker => worker.releaseWaiting()))
    const found = await findDue(db, [...workers.keys()], dueEveryMs)
    // A job due before the next look is not left until then: a slot would be up to a second late.
    for (const { queue, in_ms } of found) wakeAt(workers.get(queue), performance.now() + in_ms)
  }
  const heartbeat = async () => {
    const faults = (await findFaults(db)).map(({ fault }) => fault)
    if (faults.includes('clock_went_back')) await repairTimesAfterClockChange(db)
    await Promise.all([...workers.values()].map(worker => worker.heartbeat()))
    if (faults.includes('overdue')) await reclaim(db, boss, workers)
  }
  const looking = every(dueEveryMs, due, log)
  const wake = (queue: string) => (queue === delayedJobPayload ? looking.again() : workers.get(queue)?.wake())
  const listener = await db.listen(jobsChannel, wake, wakeAll)
  const maintaining = every(maintainEveryMs, () => boss.supervise(), log, false)
  const timers = [looking, every(heartbeatEveryMs, heartbeat, log), maintaining]
  return {
    async stop() {
      await Promise.all([listener.close(), ...timers.map(timer => timer.stop())])
    }
  }
}

async function reclaim(db: Db, boss: PgBoss, workers: ReadonlyMap<string, QueueWorker>): Promise<void> {
  const handlers = [...workers.values()].map(({ handler }) => handler)
  const endless = handlers.filter(({ isEndless }) => isEndless).map(({ queue }) => queue)
  const maxDeaths = Object.fromEntries(handlers.map(handler => [handler.queue, handler.maxDeaths]))
  for (const job of await reclaimLost(db, endless, maxDeaths)) {
    if (job.found === 'lost') await boss.fail(job.queue, job, { name: 'ProcessDied', message: deathOf(job) })
    if (job.found === 'expired') await boss.supervise(job.queue)
    workers.get(job.found === 'reclaimed' ? job.queue : deadLetterQueue)?.wake()
  }
}

function deathOf({ deaths }: { deaths: number }): string {
  if (deaths === 1)
    return 'Its process died while it ran (killed, out of memory, or crashed), and it has no retries left.'
  const times = deaths === 2 ? 'twice' : `${deaths} times`
  return `Its process died ${times} while it ran (killed, out of memory, or crashed): it is not tried again.`
}

interface Timer {
  /** Does the work now; when it is being done, once more after that. */
  again(): void
  stop(): Promise<void>
}

/** Repeats `work`, never twice at once. A failure is logged when it begins, not each time: the database may be unreachable for long. */
function every(ms: number, work: () => Promise<unknown>, log: Log, atOnce = true): Timer {
  let running: Promise<void> | undefined
  let hasFailed = false
  let isWantedAgain = false
  let isStopped = false
  const run = async () => {
    try {
      await work()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'checking the job queues failed, and is retried')
      hasFailed = true
    }
    running = undefined
    if (isWantedAgain) begin()
  }
  const begin = () => {
    if (running !== undefined || isStopped) return
    isWantedAgain = false
    running = run()
  }
  if (atOnce) begin()
  const interval = setInterval(begin, ms)
  return {
    again: () => {
      isWantedAgain = running !== undefined
      begin()
    },
    stop: async () => {
      isStopped = true
      clearInterval(interval)
      await running
    }
  }
}
