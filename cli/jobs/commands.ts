import { formatInstant } from '#time'
import { type CommandGroup, command } from '../../core/index.ts'
import type { Jobs } from '../../core/jobs/jobs.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { resolveId } from '../../lists/prefix-id.ts'
import { listOf, pageTable } from '../framework/table.ts'
import { createDeadLetterJobs, type DeadLetterJobs, type RetriedJobs } from './dead-letters.ts'
import { queueTable } from './queue-table.ts'

/** `galley jobs`: the work behind the service, and what of it was given up. */
export function jobCommands({ jobs, db }: Pick<Kernel, 'jobs' | 'db'>): CommandGroup {
  const deadLetters = createDeadLetterJobs({ jobs, db })
  return {
    status: statusCommand(jobs),
    list: listCommand(deadLetters),
    retry: retryCommand(deadLetters, text => resolveId(db, 'jobs.job', 'id', text, { field: 'job_id' }))
  }
}

const queue = { type: 'string', placeholder: 'NAME', describe: 'Only jobs of this queue' } as const

const statusCommand = (jobs: Jobs) =>
  command({
    describe: 'Show each queue: what is ready, under way, to be tried again, for later and parked',
    returns: 'list of Queue',
    args: {},
    run: async () => listOf(await jobs.stats()),
    text: ({ items }, terminal) => queueTable(items, terminal)
  })

const columns = [
  { heading: 'JOB' },
  { heading: 'QUEUE' },
  { heading: 'ATTEMPTS', dropOrder: 2 },
  { heading: 'PARKED AT', dropOrder: 1 },
  { heading: 'ERROR', isText: true }
]

const listCommand = (deadLetters: DeadLetterJobs) =>
  command({
    describe: 'Parked jobs, newest first: they used up their retries, and are kept for 30 days',
    returns: 'list of ParkedJob',
    args: {
      queue,
      limit: { type: 'integer', describe: 'Jobs to show', default: 20, minimum: 1, maximum: 100 },
      offset: { type: 'integer', describe: 'Jobs to skip', default: 0, minimum: 0 }
    },
    async run({ args: { queue, limit, offset } }) {
      const { items, total } = await deadLetters.list({ queue, limit, offset })
      return { items, total, limit, offset }
    },
    text: ({ items, total, offset }, terminal) => {
      const rows = items.map(item => [
        item.id.slice(0, 8),
        item.queue,
        String(item.attempts),
        formatInstant(item.parked_at, terminal.timeZone),
        item.error
      ])
      return pageTable(columns, rows, { total, offset, empty: 'No job is parked.' }, terminal)
    }
  })

const retryCommand = (deadLetters: DeadLetterJobs, idOf: (text: string) => Promise<string>) =>
  command({
    describe: 'Start a parked job again, with all its retries; of a failed task, the task is taken up again',
    returns: '{retried, dropped}, lists of ParkedJob; a dropped one also has a reason',
    args: {
      job_id: { type: 'positional', describe: 'Id of the job, or 8 or more of its first characters' },
      all: { type: 'boolean', describe: 'Every parked job' },
      queue: { ...queue, describe: 'With --all: only jobs of this queue' }
    },
    validate: ({ job_id, all, queue }) => ({
      ...(job_id === undefined && !all ? { job_id: 'is required, or --all' } : {}),
      ...(job_id !== undefined && all ? { all: 'cannot be combined with <job_id>: give one of them' } : {}),
      ...(all || queue === undefined ? {} : { queue: 'goes with --all only' })
    }),
    async run({ args: { job_id, queue }, actor }): Promise<RetriedJobs> {
      if (job_id !== undefined) return deadLetters.retry(await idOf(job_id), actor)
      return deadLetters.retryAll(queue, actor)
    },
    text: ({ retried, dropped }) =>
      [
        ...retried.map(({ id, queue }) => `retried ${id} (${queue})`),
        ...dropped.map(({ id, queue, reason }) => `dropped ${id} (${queue}): ${reason}`),
        `${retried.length} started again${dropped.length === 0 ? '' : `, ${dropped.length} dropped`}`
      ].join('\n')
  })
