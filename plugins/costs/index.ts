import { event, type Queryable, service, type Tx } from '#core'
import type { BudgetError } from './budget-error.ts'
import type { Payments, Purpose } from './calls.ts'

export { awaitingBudget, BudgetError, type RefusedCall } from './budget-error.ts'
export {
  type Bill,
  type CallKind,
  type CallUsage,
  type PaidCall,
  type Payments,
  type Purpose,
  payIfCounted
} from './calls.ts'

export { chatCall, isMetered, type MeteredDriver, withMethods } from './metered.ts'
export { TaskCostSchema } from './schemas.ts'

/** What several calls cost together, in the currency; rounded to six decimals. */
export interface CostTotal {
  amount: number
  currency: string
  calls: number
}

/** What a task cost, by attempts and their parts. `next_run`: what one more attempt is likely to cost. */
export interface TaskCost extends CostTotal {
  attempts: { attempt: number; amount: number; parts: { part: string; amount: number; calls: number }[] }[]
  next_run: Estimate
}

/** `based_on`: how many earlier attempts it is the mean of; 0 where there were none, and `amount` is null. */
export interface Estimate {
  amount: number | null
  currency: string
  based_on: number
}

/** What waits for room in a budget: a task, or work of another plugin. */
export interface WaitingWork {
  kind: string
  id: string
}

/** How many things of a kind are in each state, for `galley costs operational`. */
export type CountByStatus = (db: Queryable) => Promise<{ status: string; tasks: number }[]>

/** Counts what requests to models, voices and image models cost, and keeps the budgets. */
export interface Costs extends Payments {
  /** The longest answer to ask a chat model for, in tokens; null when it has no price and so no bound. */
  maxOutputTokens(model: string): number | null
  /** Runs `work`: what is paid within it is for this purpose. A purpose within another one adds to it. */
  attribute<T>(purpose: Purpose, work: () => Promise<T>): Promise<T>
  /** Notes that work waits until there is room for what was refused. Then `BudgetFreed` names it. */
  wait(tx: Tx, work: WaitingWork, refused: BudgetError): Promise<void>
  /** The work waits no more: it ended otherwise. */
  endWait(tx: Tx, work: readonly WaitingWork[]): Promise<void>
  /** What was paid for a task is for its post, too. */
  linkPost(tx: Tx, task_id: string, post_id: string): Promise<void>
  /** What one more attempt at a task costs, from earlier attempts of it, or of all. */
  estimate(db: Queryable, task_id: string | null): Promise<Estimate>
  ofTask(db: Queryable, task_id: string): Promise<TaskCost>
  ofPost(db: Queryable, post_id: string): Promise<CostTotal>
  /** Who knows how many tasks there are; the last to register is asked. */
  registerTasks(count: CountByStatus): void
}
export const CostsService = service<Costs>('costs')

/** There is room for work that waited. It may be refused again, and then waits again. */
export const BudgetFreed = event<WaitingWork>('costs.budget_freed')
