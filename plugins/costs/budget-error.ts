import { UnavailableError } from '#core'
import type { CallKind } from './calls.ts'
import type { Amount } from './money.ts'

/** The `stage` of a task whose next request does not fit a budget. */
export const awaitingBudget = 'awaiting_budget'

/** What was refused: a wait for room compares it with what is left. */
export interface RefusedCall {
  kind: CallKind
  model: string
  size?: string | undefined
  niche_slug: string
  /** Its worst case; null for a model without a price. */
  amount: Amount | null
}

/** A paid request that was not made: it does not fit a budget, or has no price. */
export class BudgetError extends UnavailableError {
  readonly call: RefusedCall

  constructor(found: string, remedy: string, call: RefusedCall) {
    super(found, { remedy })
    this.call = call
  }
}
