import type { Tx } from './database.ts'

/** Names a past-tense fact and carries its payload's type. Payloads are JSON. */
export interface EventType<Payload> {
  readonly id: string
  readonly payload?: Payload
}
/** Names a kind of durable job and carries the type of its data. Data is JSON. */
export interface JobType<Data> {
  readonly id: string
  readonly data?: Data
}

/** One delivery of an event, or one run of a job. `id` is the same each time; `deliveryCount` is 1 at the first. */
export interface Delivery {
  readonly id: string
  readonly deliveryCount: number
  /** Aborted when it takes too long, or its process stops. */
  readonly signal: AbortSignal
  /** Notes that progress was stored: processes that died of the job before count no more, see `maxDeaths`. */
  recordProgress(): Promise<void>
}

/** One of the events of a batch. Its `id` is the same at each delivery, in a batch or alone. */
export interface BatchedEvent<Payload> {
  readonly id: string
  readonly payload: Payload
}
export type EventHandler<Payload> = (payload: Payload, delivery: Delivery) => Promise<void>
export type BatchHandler<Payload> = (events: readonly BatchedEvent<Payload>[], delivery: Delivery) => Promise<void>

/** A handler with the event it handles. `maxBatch`: the most events in one call; absent, the handler takes one. */
export interface Subscription {
  readonly event: string
  readonly maxBatch?: number
  handle(payload: never, delivery: Delivery): Promise<void>
}

/** How a kind of job runs. */
export interface JobOptions<Data> {
  /** Jobs of this kind running at once in one process; default 1. */
  readonly concurrency?: number
  /** Retries after the first failure, with exponential backoff from `retryDelaySeconds`; defaults 5 and 2. */
  readonly retries?: number
  readonly retryDelaySeconds?: number
  /** A job is abandoned when it runs longer; default 900. A dead process is noticed within 15 s whatever this says. */
  readonly timeoutSeconds?: number
  /**
   * How many processes may die while they run this job; default 2. After that it is a dead letter. `recordProgress` resets the
   * count. More is for long work in child processes. From the third death on, the next start waits for 10 s to 10 min.
   */
  readonly maxDeaths?: number
  /** It runs until its signal is aborted. */
  readonly isEndless?: boolean
  /** It goes on where it was: a stop gives it back at once, as an endless one, and waits for others only. */
  readonly isResumable?: boolean
  /** Also runs on this cron expression (UTC), with `{}` as data. */
  readonly cron?: string
  /** Called once when the last retry has failed and the job is a dead letter. */
  readonly onDeadLetter?: (data: Data, error: Error) => Promise<void>
  /**
   * Called when somebody (`actor`) retries a dead letter, in the transaction that deletes the job, instead of running it
   * again. For a job whose `onDeadLetter` ended what it was for. Returns null when that is taken up again, else why not.
   */
  readonly onRetry?: (tx: Tx, data: Data, actor: string) => Promise<string | null>
}

/** A kind of job with what it does. */
export interface Job {
  readonly type: string
  readonly options: JobOptions<never>
  handle(data: never, delivery: Delivery): Promise<void>
}

/**
 * Writes an event, or several, into the caller's transaction. They are delivered after the commit, and only then. Events that
 * are given as a list wait for those given alone: an import of thousands holds up no single change.
 */
export type Emit = <Payload extends object>(
  tx: Tx,
  type: EventType<Payload>,
  payloads: Payload | readonly Payload[]
) => Promise<void>

/**
 * Queues a job in the caller's transaction, for now or for `startAt`. Of a kind of job, one with the same `key` waits at a
 * time: a second one is not queued, and the first starts at the sooner of both times.
 */
export type Enqueue = <Data extends object>(
  tx: Tx,
  type: JobType<Data>,
  data: Data,
  options?: { startAt?: Date; key?: string }
) => Promise<void>
