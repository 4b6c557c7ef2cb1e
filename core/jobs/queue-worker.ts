import type { PgBoss } from 'pg-boss'
import type { Db } from '../contract/database.ts'
import type { Log } from '../log.ts'
import { createJobRun, isUnfinished, type JobRun } from './job-run.ts'
import type { QueueHandler } from './queue-handlers.ts'
import { forgetDeaths, markStarted, recordHeartbeat, releaseJobs } from './repository.ts'

/** Claimed at once while jobs take next to no time: a claim costs more than such a job. */
const batchSize = 100
/** Below this, on average, jobs are claimed in batches. */
const quickMs = 20
/** A claimed job that has not been started for so long is given back: another process may be free. */
const maxWaitMs = 1_000
const recordRetryMs = 500
/** A database that is unreachable is waited for 8 s. Then the claims lapse and the jobs run again. */
const maxRecordRetries = 16

interface WorkerDeps {
  boss: PgBoss
  db: Db
  log: Log
  handler: QueueHandler
  /** Called when a job has used up its retries. */
  onLastFailure(): void
}

/** Claims and runs the jobs of one queue. Real state: what this process has claimed and not yet recorded as ended. */
export class QueueWorker {
  readonly handler: QueueHandler
  readonly queue: string
  readonly #deps: WorkerDeps
  readonly #claimed = new Map<string, JobRun>()
  readonly #waiting: JobRun[] = []
  #done: JobRun[] = []
  #recording: Promise<void> | undefined
  #claiming: Promise<void> | undefined
  #running = 0
  #mayHaveMore = false
  #isStopping = false
  /** Moving average over the last jobs; at first jobs are taken for slow. */
  #averageMs = 5 * quickMs

  constructor(deps: WorkerDeps) {
    this.#deps = deps
    this.handler = deps.handler
    this.queue = deps.handler.queue
  }

  /** Looks for jobs now. */
  wake(): void {
    this.#mayHaveMore = true
    this.#claim()
  }

  /** Notes that the claimed jobs are alive. A job that another process has claimed is aborted. */
  async heartbeat(): Promise<void> {
    const claimed = [...this.#claimed.values()].filter(isUnfinished)
    if (claimed.length === 0) return
    const claims = claimed.map(({ claim }) => claim)
    const alive = new Set(await recordHeartbeat(this.#deps.db, this.queue, claims))
    for (const jobRun of claimed.filter(isUnfinished)) {
      if (!alive.has(jobRun.claim.id)) this.#abandon(jobRun, 'another process has taken the job over')
    }
  }

  /** Releases what waits behind a job that turned out slow. */
  async releaseWaiting(): Promise<void> {
    const oldest = this.#waiting[0]
    if (oldest === undefined || performance.now() - oldest.claimedAt < maxWaitMs) return
    this.#averageMs = 5 * quickMs
    this.#mayHaveMore = true
    await this.#release(this.#waiting.splice(0), 'not started')
  }

  /** Claims no more, gives back what has not started, and waits for what has. */
  async finish(): Promise<void> {
    this.#isStopping = true
    await this.#claiming
    await this.#release(this.#waiting.splice(0), 'not started')
    if (isGivenBack(this.handler)) await this.abandonAll()
    await Promise.all([...this.#claimed.values()].map(({ ended }) => ended))
  }

  /** Aborts what still runs and gives it back. */
  async abandonAll(): Promise<void> {
    const left = [...this.#claimed.values()].filter(isUnfinished)
    if (left.length > 0 && !isGivenBack(this.handler))
      this.#deps.log.warn({ queue: this.queue, jobs: left.length }, 'jobs did not end in time: they are handed back')
    await this.#release(left, 'the process is stopping')
  }

  #claim(): void {
    if (this.#claiming !== undefined) return
    this.#claiming = this.#claimAll()
      .catch(error => this.#deps.log.warn({ err: error, queue: this.queue }, 'jobs could not be claimed: trying again'))
      .finally(() => {
        this.#claiming = undefined
        if (this.#mayHaveMore) this.#startNext()
      })
  }

  async #claimAll(): Promise<void> {
    for (let room = this.#room(); this.#mayHaveMore && room > 0 && !this.#isStopping; room = this.#room()) {
      this.#mayHaveMore = false
      const jobs = await this.#deps.boss.fetch<object>(this.queue, { batchSize: room })
      if (jobs.length === room) this.#mayHaveMore = true
      for (const { id, retryCount, data } of jobs) {
        const jobRun = createJobRun({ id, retryCount }, data)
        this.#claimed.set(id, jobRun)
        this.#waiting.push(jobRun)
      }
      this.#startNext()
    }
  }

  #room(): number {
    if (this.#averageMs < quickMs) return this.#waiting.length < batchSize / 4 ? batchSize : 0
    return Math.max(0, this.handler.concurrency - this.#running - this.#waiting.length)
  }

  #startNext(): void {
    while (!this.#isStopping && this.#running < this.handler.concurrency) {
      const jobRun = this.#waiting.shift()
      if (jobRun === undefined) break
      void this.#run(jobRun)
    }
    if (this.#mayHaveMore && !this.#isStopping && this.#room() > 0) this.#claim()
  }

  async #run(jobRun: JobRun): Promise<void> {
    this.#running += 1
    const hasKilled = jobRun.claim.retryCount > 0 && (await this.#begin(jobRun))
    const recordProgress = async () => {
      if (hasKilled) await forgetDeaths(this.#deps.db, this.queue, jobRun.claim)
    }
    const startedAt = performance.now()
    const error = jobRun.isAbandoned ? undefined : await jobRun.run(this.handler, recordProgress)
    this.#running -= 1
    this.#averageMs += (performance.now() - startedAt - this.#averageMs) / 5
    if (!jobRun.isAbandoned) {
      if (error === undefined) this.#done.push(jobRun)
      else void this.#record(() => this.#fail(jobRun, error, hasKilled), [jobRun])
    }
    this.#recordDone()
    this.#startNext()
  }

  /** Marks a job as started that may have killed its process before: if it kills too many, it is not retried. */
  async #begin({ claim }: JobRun): Promise<boolean> {
    try {
      return await markStarted(this.#deps.db, this.queue, claim)
    } catch (error) {
      this.#deps.log.warn({ err: error, queue: this.queue, job_id: claim.id }, 'the begin of a job could not be noted')
      return false
    }
  }

  /** One statement for all that finished while the last one ran. */
  #recordDone(): void {
    if (this.#recording !== undefined || this.#done.length === 0) return
    this.#recording = this.#recordAllDone().finally(() => {
      this.#recording = undefined
    })
  }

  async #recordAllDone(): Promise<void> {
    while (this.#done.length > 0) {
      const done = this.#done
      this.#done = []
      const claims = done.map(({ claim }) => claim)
      await this.#record(() => this.#deps.boss.deleteJob(this.queue, claims), done)
    }
  }

  async #fail({ claim }: JobRun, error: Error, hasKilled: boolean): Promise<void> {
    const { boss, handler, log, onLastFailure } = this.#deps
    const { id, retryCount } = claim
    const isLast = retryCount >= handler.retries
    log.warn(
      { err: error, queue: this.queue, job_id: id, delivery_count: retryCount + 1, is_last: isLast },
      'a job failed'
    )
    await boss.fail(this.queue, claim, hasKilled ? { ...storedError(error), process_died: true } : storedError(error))
    if (isLast) onLastFailure()
  }

  async #record(work: () => Promise<unknown>, jobRuns: readonly JobRun[]): Promise<void> {
    for (let left = maxRecordRetries; ; left--) {
      try {
        await work()
        break
      } catch (error) {
        this.#deps.log.warn(
          { err: error, queue: this.queue, jobs: jobRuns.length },
          'the end of jobs could not be recorded'
        )
        if (left === 0) break
        await new Promise(resolve => setTimeout(resolve, recordRetryMs))
      }
    }
    for (const jobRun of jobRuns) this.#forget(jobRun)
  }

  async #release(jobRuns: readonly JobRun[], reason: string): Promise<void> {
    if (jobRuns.length === 0) return
    for (const jobRun of jobRuns) this.#abandon(jobRun, reason)
    const claims = jobRuns.map(({ claim }) => claim)
    try {
      await releaseJobs(this.#deps.db, this.queue, claims)
    } catch (error) {
      this.#deps.log.warn(
        { err: error, queue: this.queue, jobs: claims.length },
        'jobs were not given back: their claims lapse'
      )
    }
  }

  #abandon(jobRun: JobRun, reason: string): void {
    jobRun.abandon(new Error(`The job ${this.queue} ${jobRun.claim.id} is abandoned: ${reason}.`))
    this.#forget(jobRun)
  }

  #forget(jobRun: JobRun): void {
    this.#claimed.delete(jobRun.claim.id)
    jobRun.end()
  }
}

const isGivenBack = ({ isEndless, isResumable }: QueueHandler) => isEndless || isResumable

/** What a json column takes: it refuses NUL and lone surrogates, and an error may hold anything. */
function storedError({ name, message, stack }: Error): object {
  const clean = (text = '') => text.replaceAll('\0', '').toWellFormed()
  return { name: clean(name), message: clean(message), stack: clean(stack) }
}
