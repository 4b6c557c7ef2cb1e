import type { Queryable, Settings } from '#core'
import { type Amount, amountOf, toNumber } from './money.ts'
import { monthOf, periodNames } from './periods.ts'
import { findPeriods } from './repository/periods.ts'
import { hasWaits } from './repository/waits.ts'
import type { CostSettings } from './settings.ts'

/** The month so far, in the currency; rounded to six decimals. Without a budget what compares with it is null. */
export interface BudgetReport {
  monthly_budget: number | null
  /** By requests that ended. */
  amount_spent: number
  /** Below 0 when requests cost more than they could. */
  amount_remaining: number | null
  percent_used: number | null
  /** What the month will have cost at the rate so far; of the first day, at least what is spent. */
  projected_final_cost: number
  /** Days of the month after today. */
  days_remaining: number
  status: BudgetStatus
}

/** `waiting`: work waits for room in a budget, or for a price. `warning`: 80 % are spent, or the projection is beyond the budget. */
type BudgetStatus = 'no_budget' | 'waiting' | 'on_track' | 'warning' | 'used_up'

interface BudgetReportDeps {
  settings: Pick<Settings<CostSettings>, 'get'>
  timeZone(): string
  now(): Date
}

export const warnPercent = 80n
const dayMs = 86_400_000

export async function budgetReport(db: Queryable, deps: BudgetReportDeps): Promise<BudgetReport> {
  const { month } = periodNames(deps.now(), deps.timeZone())
  const sum = (await findPeriods(db, [month])).find(({ niche_slug }) => niche_slug === '')
  const spent = sum?.spent ?? 0n
  const budget = amountOf(deps.settings.get('monthly_budget'))
  const projected = projectedCost(deps, spent)
  const hasBudget = budget > 0n
  return {
    monthly_budget: hasBudget ? toNumber(budget) : null,
    amount_spent: toNumber(spent),
    amount_remaining: hasBudget ? toNumber(budget - spent) : null,
    percent_used: hasBudget ? Number((spent * 10_000n) / budget) / 100 : null,
    projected_final_cost: toNumber(projected),
    days_remaining: monthOf(deps.now(), deps.timeZone()).daysRemaining,
    status: budgetStatus({ budget, spent, projected }, await hasWaits(db))
  }
}

/** What the month will have cost at the rate so far. Less than a day counts as a day. */
export function projectedCost(deps: Pick<BudgetReportDeps, 'timeZone' | 'now'>, spent: Amount): Amount {
  const now = deps.now()
  const { begins, ends } = monthOf(now, deps.timeZone())
  const elapsed = Math.max(now.getTime() - begins, dayMs)
  return (spent * BigInt(ends - begins)) / BigInt(elapsed)
}

function budgetStatus(
  { budget, spent, projected }: { budget: Amount; spent: Amount; projected: Amount },
  isWaiting: boolean
): BudgetStatus {
  if (budget > 0n && spent >= budget) return 'used_up'
  if (isWaiting) return 'waiting'
  if (budget === 0n) return 'no_budget'
  return spent * 100n >= budget * warnPercent || projected > budget ? 'warning' : 'on_track'
}
