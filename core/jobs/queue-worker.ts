import type { PgBoss } from 'pg-boss'
import type { Db } from '../db/db.ts'
import type { Log } from '../log.ts'
import { type Attempt, createAttempt, isUnfinished } from './attempt.ts'
import type { Kind } from './kinds.ts'
import { handBack, keepAlive, noteBegun } from './repository.ts'

/** Claimed at once while jobs take next to no time: a claim costs more than such a job. */
const batchSize = 100
/** Below this, on average, jobs are claimed in batches. */
const quickMs = 20
/** A claimed job that has not been started for so long is given back: another process may be free. */
const maxWaitMs = 1_000
const recordRetryMs = 500
/** A database that is away is waited for 8 s. Then the claims lapse and the jobs run again. */
const maxRecordRetries = 16

export interface WorkerParts {
  boss: PgBoss
  db: Db
  log: Log
  kind: Kind
  /** Called when a job has used up its retries. */
  onLastFailure(): void
}

/** Claims and runs the jobs of one queue. Real state: what this process has claimed and not yet recorded as ended. */
export class QueueWorker {
  readonly #parts: WorkerParts
  readonly #claimed = new Map<string, Attempt>()
  readonly #waiting: Attempt[] = []
  #done: Attempt[] = []
  #recording: Promise<void> | undefined
  #claiming: Promise<void> | undefined
  #running = 0
  #mayHaveMore = false
  #isStopping = false
  /** Moving average over the last jobs; at first jobs are taken for slow. */
  #averageMs = 5 * quickMs

  constructor(parts: WorkerParts) {
    this.#parts = parts
  }

  get queue(): string {
    return this.#parts.kind.queue
  }

  get isEndless(): boolean {
    return this.#parts.kind.endless === true
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
    const alive = new Set(await keepAlive(this.#parts.db, this.queue, claims))
    for (const attempt of claimed.filter(isUnfinished)) {
      if (!alive.has(attempt.claim.id)) this.#abandon(attempt, 'another process has taken the job over')
    }
  }

  /** Gives back what waits behind a job that turned out slow. */
  async handBackWaiting(): Promise<void> {
    const oldest = this.#waiting[0]
    if (oldest === undefined || performance.now() - oldest.claimedAt < maxWaitMs) return
    this.#averageMs = 5 * quickMs
    this.#mayHaveMore = true
    await this.#handBack(this.#waiting.splice(0), 'not started')
  }

  /** Claims no more, gives back what has not started, and waits for what has. */
  async finish(): Promise<void> {
    this.#isStopping = true
    await this.#claiming
    await this.#handBack(this.#waiting.splice(0), 'not started')
    if (this.#parts.kind.endless) await this.abandonAll()
    await Promise.all([...this.#claimed.values()].map(({ ended }) => ended))
  }

  /** Aborts what still runs and gives it back. */
  async abandonAll(): Promise<void> {
    await this.#handBack([...this.#claimed.values()].filter(isUnfinished), 'the process is stopping')
  }

  #claim(): void {
    if (this.#claiming !== undefined) return
    this.#claiming = this.#claimAll()
      .catch(error =>
        this.#parts.log.warn({ err: error, queue: this.queue }, 'jobs could not be claimed: trying again')
      )
      .finally(() => {
        this.#claiming = undefined
        if (this.#mayHaveMore) this.#startNext()
      })
  }

  async #claimAll(): Promise<void> {
    for (let room = this.#room(); this.#mayHaveMore && room > 0 && !this.#isStopping; room = this.#room()) {
      this.#mayHaveMore = false
      const jobs = await this.#parts.boss.fetch<object>(this.queue, { batchSize: room })
      if (jobs.length === room) this.#mayHaveMore = true
      for (const { id, retryCount, data } of jobs) {
        const attempt = createAttempt({ id, retryCount }, data)
        this.#claimed.set(id, attempt)
        this.#waiting.push(attempt)
      }
      this.#startNext()
    }
  }

  #room(): number {
    if (this.#averageMs < quickMs) return this.#waiting.length < batchSize / 4 ? batchSize : 0
    return Math.max(0, this.#parts.kind.concurrency - this.#running - this.#waiting.length)
  }

  #startNext(): void {
    while (!this.#isStopping && this.#running < this.#parts.kind.concurrency) {
      const attempt = this.#waiting.shift()
      if (attempt === undefined) break
      void this.#run(attempt)
    }
    if (this.#mayHaveMore && !this.#isStopping && this.#room() > 0) this.#claim()
  }

  async #run(attempt: Attempt): Promise<void> {
    this.#running += 1
    const hasKilled = attempt.claim.retryCount > 0 && (await this.#begin(attempt))
    const startedAt = performance.now()
    const error = attempt.isAbandoned ? undefined : await attempt.run(this.#parts.kind)
    this.#running -= 1
    this.#averageMs += (performance.now() - startedAt - this.#averageMs) / 5
    if (!attempt.isAbandoned) {
      if (error === undefined) this.#done.push(attempt)
      else void this.#record(() => this.#fail(attempt, error, hasKilled), [attempt])
    }
    this.#recordDone()
    this.#startNext()
  }

  /** Says that a job begins of which a process may have died before: should this one die of it too, it is not tried again. */
  async #begin({ claim }: Attempt): Promise<boolean> {
    try {
      return await noteBegun(this.#parts.db, this.queue, claim)
    } catch (error) {
      this.#parts.log.warn({ err: error, queue: this.queue, job_id: claim.id }, 'the begin of a job could not be noted')
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
      await this.#record(() => this.#parts.boss.deleteJob(this.queue, claims), done)
    }
  }

  async #fail({ claim }: Attempt, error: Error, hasKilled: boolean): Promise<void> {
    const { boss, kind, log, onLastFailure } = this.#parts
    const { id, retryCount } = claim
    const isLast = retryCount >= kind.retries
    log.warn({ err: error, queue: this.queue, job_id: id, attempt: retryCount + 1, is_last: isLast }, 'a job failed')
    await boss.fail(this.queue, claim, hasKilled ? { ...storable(error), process_died: true } : storable(error))
    if (isLast) onLastFailure()
  }

  async #record(work: () => Promise<unknown>, attempts: readonly Attempt[]): Promise<void> {
    for (let left = maxRecordRetries; ; left--) {
      try {
        await work()
        break
      } catch (error) {
        this.#parts.log.warn(
          { err: error, queue: this.queue, jobs: attempts.length },
          'the end of jobs could not be recorded'
        )
        if (left === 0) break
        await new Promise(resolve => setTimeout(resolve, recordRetryMs))
      }
    }
    for (const attempt of attempts) this.#forget(attempt)
  }

  async #handBack(attempts: readonly Attempt[], reason: string): Promise<void> {
    if (attempts.length === 0) return
    for (const attempt of attempts) this.#abandon(attempt, reason)
    const claims = attempts.map(({ claim }) => claim)
    try {
      await handBack(this.#parts.db, this.queue, claims)
    } catch (error) {
      this.#parts.log.warn(
        { err: error, queue: this.queue, jobs: claims.length },
        'jobs were not given back: their claims lapse'
      )
    }
  }

  #abandon(attempt: Attempt, reason: string): void {
    attempt.abandon(new Error(`The job ${this.queue} ${attempt.claim.id} is abandoned: ${reason}.`))
    this.#forget(attempt)
  }

  #forget(attempt: Attempt): void {
    this.#claimed.delete(attempt.claim.id)
    attempt.end()
  }
}

/** What a json column takes: it refuses NUL and lone surrogates, and an error may hold anything. */
function storable({ name, message, stack }: Error): object {
  const clean = (text = '') => text.replaceAll('\0', '').toWellFormed()
  return { name: clean(name), message: clean(message), stack: clean(stack) }
}
