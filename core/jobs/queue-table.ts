import type { Terminal } from '../command.ts'
import { table } from '../table.ts'
import type { QueueStats } from './repository.ts'

/** Queues as people read them, a line each. */
export const queueTable = (queues: readonly QueueStats[], terminal: Terminal): string =>
  table(
    ['QUEUE', 'READY', 'ACTIVE', 'RETRYING', 'LATER', 'PARKED', 'OLDEST WAITS'],
    queues.map(({ queue, ready, active, retrying, later, parked, oldest_seconds }) => [
      queue,
      ...[ready, active, retrying, later, parked].map(String),
      oldest_seconds === null ? null : `${oldest_seconds} s`
    ]),
    terminal
  )
