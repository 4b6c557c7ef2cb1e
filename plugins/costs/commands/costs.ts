import { queueTable } from '#cli'
import { command } from '#core'
import { pluralized } from '#text/plural'
import { formatInstant } from '#time'
import type { Operational } from '../operational.ts'

export const costCommands = (operational: () => Promise<Operational>) => ({
  operational: command({
    describe: 'Task counts, the state of the workers, and how long each queue has been waiting',
    returns:
      '{tasks: {total, by_status}, worker: {state, active_jobs, last_seen_at}, queues: [{queue, ready, active, retrying, later, parked, oldest_seconds}]}',
    args: {},
    run: () => operational(),
    text: ({ tasks, worker, queues }, terminal) => {
      const states = Object.entries(tasks.by_status).map(([status, count]) => `${count} ${status}`)
      const seen =
        worker.last_seen_at === null
          ? 'never seen'
          : `last seen ${formatInstant(worker.last_seen_at, terminal.timeZone)}`
      return [
        `Tasks: ${tasks.total}${states.length === 0 ? '' : ` (${states.join(', ')})`}`,
        `Workers: ${worker.state}, ${pluralized(worker.active_jobs, 'job')} under way, ${seen}`,
        queueTable(queues, terminal)
      ].join('\n')
    }
  })
})
