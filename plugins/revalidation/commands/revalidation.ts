import { table } from '#cli'
import { command, type Db, type FieldErrors, type Terminal } from '#core'
import { pluralized } from '#text/plural'
import { formatInstant } from '#time'
import type { TargetStatus } from '../index.ts'
import { changeOfPath, everything, pathPattern } from '../public-changes.ts'
import type { RevalidationQueue } from '../queue.ts'
import type { TargetSender } from '../sender.ts'
import { readStatuses } from '../statuses.ts'
import type { Targets } from '../targets.ts'

interface RevalidationCommandDeps {
  db: Db
  targets: Targets
  queue: RevalidationQueue
  sender: TargetSender
}

export const revalidationCommands = ({ db, targets, queue, sender }: RevalidationCommandDeps) => ({
  status: command({
    describe: 'Who is notified of changes, what waits, and what the last answer was',
    returns: 'list of TargetStatus',
    args: {},
    async run() {
      const items = await readStatuses(db, targets)
      return { items, total: items.length, limit: items.length, offset: 0 }
    },
    text: ({ items }, terminal) => statusTable(items, terminal)
  }),
  send: sendCommand(sender),
  retry: command({
    describe: 'Try again now what waits for its retry, and what was given up after a day',
    returns: '{retried}',
    args: {},
    run: async () => ({ retried: await queue.retry() }),
    text: ({ retried }) =>
      `${pluralized(retried, 'change')} will be sent again: "revalidation status" shows the outcome.`
  })
})

const sendCommand = (sender: TargetSender) =>
  command({
    describe: 'Send a path now, or with --all that everything reads differently',
    returns: '{revalidated}',
    args: {
      path: { type: 'positional', describe: 'Path on the website, such as /posts/tides' },
      all: { type: 'boolean', describe: 'Everything, also to a CDN and a WebSub hub' }
    },
    validate({ path, all }): FieldErrors {
      if ((path === undefined) === (all !== true)) return { path: 'give either a path or --all' }
      const isPath = path === undefined || new RegExp(pathPattern).test(path)
      return isPath ? {} : { path: 'must be a path such as /posts/tides' }
    },
    async run({ args: { path } }) {
      return { revalidated: await sender.sendNow(path === undefined ? everything : changeOfPath(path)) }
    },
    text: ({ revalidated }) =>
      revalidated
        ? 'Sent.'
        : 'Not sent: "revalidation status" says why. What is set up is tried again in the background.',
    exitStatus: ({ revalidated }) => (revalidated ? 0 : 1),
    exitStatuses: { 1: 'somebody was not notified, or nobody is set up' }
  })

const columns = [
  { heading: 'TARGET' },
  { heading: 'WAITING' },
  { heading: 'PARKED' },
  { heading: 'LAST ANSWER' },
  { heading: 'AT', dropOrder: 1 },
  { heading: 'FAULT', isText: true }
]

function statusTable(items: readonly TargetStatus[], terminal: Terminal): string {
  const rows = items.map(status => [
    status.target,
    String(status.waiting),
    String(status.parked),
    status.is_set_up
      ? String(status.last_status ?? (status.last_sent_at === null ? 'none yet' : 'none'))
      : 'not set up',
    status.last_sent_at === null ? '' : formatInstant(status.last_sent_at, terminal.timeZone),
    status.last_error ?? ''
  ])
  return table(columns, rows, terminal)
}
