import type { QueueWorker } from './queue-worker.ts'

/**
 * Has a worker look for jobs when `dueAt` has come, never before: it would find nothing, and the job would wait for the
 * next look. A timer counts from where the round of the event loop began, and so may end early.
 *
 * @param dueAt as performance.now() counts.
 */
export function wakeAt(worker: Pick<QueueWorker, 'wake'> | undefined, dueAt: number): void {
  const ms = dueAt - performance.now()
  if (ms <= 0) worker?.wake()
  else setTimeout(wakeAt, Math.ceil(ms), worker, dueAt).unref()
}
