import { pageTable, queueTable } from '#cli'
import { command } from '#core'
import { pluralized } from '#text/plural'
import { formatInstant, periodOf, sinceOf } from '#time'
import type { Operational } from '../operational.ts'
import type { PaidCalls } from '../paid-calls.ts'
import type { BudgetReport } from '../report.ts'
import { budgetText } from './texts.ts'

interface CostCommandDeps {
  operational(): Promise<Operational>
  budget(): Promise<BudgetReport>
  currency(): string
  paidCalls: PaidCalls
  timeZone(): string
}

const id = (what: string) =>
  ({
    type: 'string',
    describe: `Only for this ${what}, by its id or 8 or more of its first characters`,
    placeholder: 'ID'
  }) as const

export const costCommands = (deps: CostCommandDeps) => ({
  list: listCommand(deps),
  correct: correctCommand(deps),
  budget: budgetCommand(deps),
  operational: operationalCommand(deps)
})

const budgetCommand = ({ budget, currency }: CostCommandDeps) =>
  command({
    describe: 'What this month cost so far, and what is left of its budget',
    returns:
      '{monthly_budget, amount_spent, amount_remaining, percent_used, projected_final_cost, days_remaining, status}',
    args: {},
    run: () => budget(),
    text: report => budgetText(report, currency())
  })

const operationalCommand = ({ operational }: CostCommandDeps) =>
  command({
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

const columns = [
  { heading: 'REQUEST' },
  { heading: 'AT' },
  { heading: 'MODEL', isText: true },
  { heading: 'FOR', dropOrder: 1 },
  { heading: 'COST' },
  { heading: 'BASIS', dropOrder: 2 }
]

const listCommand = ({ paidCalls, timeZone, currency }: CostCommandDeps) =>
  command({
    describe: 'Paid requests, newest first, and what they cost together',
    returns: '{items: [CostCall], total, limit, offset, amount}',
    args: {
      task: id('task'),
      post: id('post'),
      model: { type: 'string', describe: 'Only of this model' },
      since: { type: 'string', placeholder: 'DUR|TIME', describe: 'Only from this long ago, or from this moment on' },
      until: { type: 'string', placeholder: 'DUR|TIME', describe: 'Only until this long ago, or before this moment' },
      limit: { type: 'integer', describe: 'Requests to show, at most 100', default: 20, minimum: 1, maximum: 100 },
      offset: { type: 'integer', describe: 'Requests to skip', default: 0, minimum: 0, maximum: 1_000_000_000 }
    },
    async run({ args }) {
      const { task: task_id, post: post_id, model } = args
      const now = new Date()
      const since = sinceOf(args.since, timeZone(), now)?.toISOString()
      const until = sinceOf(args.until, timeZone(), now, 'until')?.toISOString()
      const period = periodOf({ since, until }, timeZone())
      const filter = await paidCalls.filterOf({ task_id, post_id, model, ...period })
      const page = { limit: args.limit, offset: args.offset, after: null }
      const { items, total, limit, offset, amount } = await paidCalls.list(filter, page)
      return { items, total, limit, offset, amount }
    },
    text: (page, terminal) => {
      const rows = page.items.map(call => [
        call.call_id.slice(0, 8),
        formatInstant(call.at, terminal.timeZone),
        call.model,
        call.part,
        call.amount.toFixed(6),
        call.basis
      ])
      const shown = pageTable(columns, rows, { ...page, empty: 'No request was paid.' }, terminal)
      return `${shown}\nTotal ${page.amount.toFixed(6)} ${currency()}`
    }
  })

const correctCommand = ({ paidCalls }: CostCommandDeps) =>
  command({
    describe: 'Set what a request did cost, as it was billed; its budgets follow',
    returns: 'CostCall',
    args: {
      call_id: {
        type: 'positional',
        describe: 'Id of the request, or 8 or more of its first characters',
        required: true
      },
      amount: { type: 'positional', describe: 'What it did cost, such as 0.25', required: true },
      reason: { type: 'string', describe: 'Why, for the history', required: true }
    },
    run: ({ args, actor }) => paidCalls.correct(args.call_id, args.amount, { actor, reason: args.reason }),
    text: call => `Request ${call.call_id} counts with ${call.amount.toFixed(6)}.`
  })
