import { setTimeout as wait } from 'node:timers/promises'
import { table } from '#cli'
import { type CommandOutput, command, NotFoundError, type Terminal } from '#core'
import { formatInstant, sinceOf } from '#time'
import type { EventLog, EventLogFilter, LoggedEvent } from '../index.ts'
import type { KnownLogs } from '../logs.ts'

const pollMs = 500
/** A transaction that began earlier may commit later, under a lower id. */
const overlap = 500
const maxAtOnce = 1_000

/** `galley events`: what happened to tasks, or with `--audit` who changed what. */
export const eventsCommand = (logs: KnownLogs, now: () => Date) => {
  const logOf = ({ audit }: { audit: boolean }) => (audit ? logs.audit : logs.pipeline())
  return command({
    describe: 'Show what happened in the pipeline, newest first, or with --audit the audit log',
    returns: 'list of PipelineEvent, or of AuditEntry; with --follow one of them a line',
    args: {
      type: { type: 'string', placeholder: 'TYPE', describe: 'Only events of this type' },
      since: { type: 'string', placeholder: 'DUR|TIME', describe: 'Only from this long ago, or from this moment on' },
      follow: { type: 'boolean', describe: 'Go on showing what happens, oldest first, until Ctrl-C' },
      audit: {
        type: 'boolean',
        describe: 'The audit log: changes of settings, keys and the schedule, restores'
      },
      limit: { type: 'integer', describe: 'Events to show', default: 20, minimum: 1, maximum: 100 }
    },
    async run({ args, isJson, terminal, output }) {
      const log = logOf(args)
      if (log === undefined)
        throw new NotFoundError('No configured plugin has a pipeline: "galley events --audit" shows the audit log.')
      const filter = { type: args.type, since: sinceOf(args.since, terminal.timeZone, now()) }
      if (args.follow) return await follow(log, filter, args.limit, { isJson, terminal, output })
      const [items, total] = await Promise.all([log.list(filter, args.limit), log.count(filter)])
      return { items, total, limit: args.limit, offset: 0 }
    },
    text: (page, terminal, args) => (page === undefined ? '' : textOf(page, logOf(args), terminal))
  })
}

const columns = [
  { heading: 'TIME' },
  { heading: 'TYPE' },
  { heading: 'ACTOR', dropOrder: 1 },
  { heading: 'ABOUT', isText: true, wraps: true }
]

interface Found {
  items: readonly LoggedEvent[]
  total: number
}

function textOf({ items, total }: Found, log: EventLog | undefined, terminal: Terminal): string {
  if (items.length === 0 || log === undefined) return 'Nothing happened.'
  const rows = items.map(event => [event.at, log.typeOf(event), event.actor, log.aboutOf(event)])
  return `${table(columns, rows, terminal)}\n${items.length} of ${total}`
}

interface Shown {
  isJson: boolean
  terminal: Terminal
  output: CommandOutput
}

/** The last `limit`, then what comes, until Ctrl-C or until nobody reads any more. */
async function follow(log: EventLog, filter: EventLogFilter, limit: number, shown: Shown): Promise<undefined> {
  const stop = AbortSignal.any([shown.terminal.signal, shown.output.closed])
  // Shown and known by one read: what comes after it is new.
  const recent = await log.list(filter, maxAtOnce)
  const seen = new Set(recent.map(({ id }) => id))
  let last = Math.max(0, ...seen)
  for (const event of recent.slice(0, limit).toReversed()) print(log, event, shown)
  while (!stop.aborted) {
    await wait(pollMs, undefined, { signal: stop }).catch(() => undefined)
    if (stop.aborted) break
    for (const event of await log.after(filter, last - overlap, maxAtOnce)) {
      if (seen.has(event.id)) continue
      seen.add(event.id)
      last = Math.max(last, event.id)
      print(log, event, shown)
    }
    for (const id of seen) if (id < last - 2 * overlap) seen.delete(id)
  }
}

function print(log: EventLog, event: LoggedEvent, { isJson, terminal, output }: Shown): void {
  if (isJson) {
    output.print(JSON.stringify(event))
    return
  }
  const parts = [
    formatInstant(event.at, terminal.timeZone),
    log.typeOf(event).padEnd(20),
    event.actor.padEnd(10),
    log.aboutOf(event)
  ]
  output.print(parts.join('  '))
}
