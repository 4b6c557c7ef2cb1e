import { pluralized } from '#text/plural'
import type { Terminal } from '../../core/contract/command.ts'
import type { QueueStats } from '../../core/jobs/repository.ts'
import { table } from '../framework/table.ts'

const isEmpty = ({ ready, active, retrying, later, parked }: QueueStats): boolean =>
  ready + active + retrying + later + parked === 0

/** Queues as people read them: a line each for those that hold something, one line for all the others. */
export function queueTable(queues: readonly QueueStats[], terminal: Terminal): string {
  const filled = queues.filter(queue => !isEmpty(queue))
  const empty = queues.length - filled.length
  if (filled.length === 0)
    return empty === 0 ? 'There are no queues yet.' : `All ${pluralized(empty, 'queue')} are empty.`
  const shown = tableOf(filled, terminal)
  return empty === 0 ? shown : `${shown}\n${pluralized(empty, 'other queue')} ${empty === 1 ? 'is' : 'are'} empty.`
}

const tableOf = (queues: readonly QueueStats[], terminal: Terminal): string =>
  table(
    [
      { heading: 'QUEUE' },
      { heading: 'READY', dropOrder: 1 },
      { heading: 'ACTIVE', dropOrder: 4 },
      { heading: 'RETRYING', dropOrder: 3 },
      { heading: 'LATER', dropOrder: 6 },
      { heading: 'PARKED', dropOrder: 2 },
      { heading: 'OLDEST WAITS', dropOrder: 5 }
    ],
    queues.map(({ queue, ready, active, retrying, later, parked, oldest_seconds }) => [
      queue,
      ...[ready, active, retrying, later, parked].map(String),
      oldest_seconds === null ? null : `${oldest_seconds} s`
    ]),
    terminal
  )
