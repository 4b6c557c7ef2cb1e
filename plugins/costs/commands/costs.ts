import { queueTable } from '#cli'
import { command } from '#core'
import { pluralized } from '#text/plural'
import { formatInstant } from '#time'
import type { Operational } from '../operational.ts'
import type { BudgetReport } from '../report.ts'
import { budgetText } from './texts.ts'

export interface CostCommandParts {
  operational(): Promise<Operational>
  budget(): Promise<BudgetReport>
  currency(): string
}

export const costCommands = ({ operational, budget, currency }: CostCommandParts) => ({
  budget: command({
    describe: 'What this month cost so far, and what is left of its budget',
    returns:
      '{monthly_budget, amount_spent, amount_remaining, percent_used, projected_final_cost, days_remaining, status}',
    args: {},
    run: () => budget(),
    text: report => budgetText(report, currency())
  }),
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
