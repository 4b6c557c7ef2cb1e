import { type CommandGroup, command, listOf, resolveId, showTime, table } from '../core/index.ts'
import { queueTable } from '../core/jobs/queue-table.ts'
import type { Jobs, ParkedJob } from '../core/jobs.ts'
import type { Kernel } from '../core/kernel.ts'

/** `galley jobs`: the work behind the service, and what of it was given up. */
export const jobCommands = ({ jobs, db }: Pick<Kernel, 'jobs' | 'db'>): CommandGroup => ({
  status: statusCommand(jobs),
  list: listCommand(jobs),
  retry: retryCommand(jobs, text => resolveId(db, 'jobs.job', 'id', text))
})

const queue = { type: 'string', placeholder: 'NAME', describe: 'Only jobs of this queue' } as const

const statusCommand = (jobs: Jobs) =>
  command({
    describe: 'Show each queue: what is ready, under way, to be tried again, for later and parked',
    returns: 'list of Queue',
    args: {},
    run: async () => listOf(await jobs.stats()),
    text: ({ items }, terminal) => queueTable(items, terminal)
  })

const listCommand = (jobs: Jobs) =>
  command({
    describe: 'Parked jobs, newest first: they used up their retries, and are kept for 30 days',
    returns: 'list of ParkedJob',
    args: {
      queue,
      limit: { type: 'integer', describe: 'Jobs to show', default: 20, minimum: 1, maximum: 100 },
      offset: { type: 'integer', describe: 'Jobs to skip', default: 0, minimum: 0 }
    },
    async run({ args: { queue, limit, offset } }) {
      const { items, total } = await jobs.parked({ queue, limit, offset })
      return { items, total, limit, offset }
    },
    text: ({ items, total }, terminal) => {
      const rows = items.map(item => [
        item.id.slice(0, 8),
        item.queue,
        String(item.attempts),
        showTime(item.parked_at, terminal.timeZone),
        item.error
      ])
      return `${table(['JOB', 'QUEUE', 'ATTEMPTS', 'PARKED AT', 'ERROR'], rows, terminal)}\n${items.length} of ${total}`
    }
  })

const retryCommand = (jobs: Jobs, idOf: (text: string) => Promise<string>) =>
  command({
    describe: 'Start a parked job anew, with all its retries',
    returns: '{retried}, a list of ParkedJob',
    args: {
      job_id: { type: 'positional', describe: 'Id of the job, or 8 or more of its first characters' },
      all: { type: 'boolean', describe: 'Every parked job' },
      queue: { ...queue, describe: 'With --all: only jobs of this queue' }
    },
    check: ({ job_id, all, queue }) => ({
      ...(job_id === undefined && !all ? { job_id: 'is required, or --all' } : {}),
      ...(job_id !== undefined && all ? { all: 'cannot be combined with <job_id>: give one of them' } : {}),
      ...(all || queue === undefined ? {} : { queue: 'goes with --all only' })
    }),
    async run({ args: { job_id, queue } }): Promise<{ retried: ParkedJob[] }> {
      if (job_id !== undefined) return { retried: [await jobs.retryParked(await idOf(job_id))] }
      return { retried: await jobs.retryAllParked(queue) }
    },
    text: ({ retried }) =>
      [...retried.map(({ id, queue }) => `retried ${id} (${queue})`), `${retried.length} started anew`].join('\n')
  })
