import type { Tx } from '../db/db.ts'

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

/** One attempt to deliver an event or to run a job. `id` is the same for each attempt, the first has number 1. */
export interface Delivery {
  readonly id: string
  readonly attempt: number
  /** Aborted when the attempt takes too long, or its process stops. */
  readonly signal: AbortSignal
}

/** One of the events of a batch. Its `id` is the same for each attempt, in a batch or alone. */
export interface BatchedEvent<Payload> {
  readonly id: string
  readonly payload: Payload
}
export type EventHandler<Payload> = (payload: Payload, delivery: Delivery) => Promise<void>
export type BatchHandler<Payload> = (events: readonly BatchedEvent<Payload>[], delivery: Delivery) => Promise<void>

/** A handler with the event it handles. `batch`: the most events in one call; absent, the handler takes one. */
export interface Subscription {
  readonly event: string
  readonly batch?: number
  handle(payload: never, delivery: Delivery): Promise<void>
}

/** How a kind of job runs. Durations are in seconds. */
export interface JobOptions<Data> {
  /** Jobs of this kind running at once in one process; default 1. */
  readonly concurrency?: number
  /** Retries after the first attempt, with exponential backoff from `retryDelay`; defaults 5 and 2. */
  readonly retries?: number
  readonly retryDelay?: number
  /** A running attempt is abandoned after this; default 900. A dead process is noticed within 15 s whatever this says. */
  readonly timeout?: number
  /** It runs until its signal is aborted. A stop gives it back at once and waits for others only. */
  readonly endless?: boolean
  /** Also runs on this cron expression (UTC), with `{}` as data. */
  readonly cron?: string
  /** Called once when the last retry has failed and the job is parked. */
  readonly onParked?: (data: Data, error: Error) => Promise<void>
  /**
   * Called when somebody (`actor`) retries a parked job, in the transaction that takes the job away, instead of running it
   * again. For a job whose `onParked` ended what it was for. Answers null when that is taken up again, else why not.
   */
  readonly onRetry?: (tx: Tx, data: Data, actor: string) => Promise<string | null>
}

/** A kind of job with what it does. */
export interface Job {
  readonly type: string
  readonly options: JobOptions<never>
  handle(data: never, delivery: Delivery): Promise<void>
}

/** Writes an event, or several, into the caller's transaction. They are delivered after the commit, and only then. */
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
