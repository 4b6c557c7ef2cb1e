import type { Settings } from '#core'
import { type Amount, amountOf } from './money.ts'
import type { PeriodNames } from './periods.ts'
import type { PeriodKey, PeriodSum } from './repository/periods.ts'
import type { CostSettings } from './settings.ts'

/** A limit of one month or day. `setting` names where it stands. */
export interface Limit extends PeriodKey {
  amount: Amount
  setting: string
}

type BudgetSettings = Pick<Settings<CostSettings>, 'get'>

/** The sums that a request counts in, its niche's among them. */
export function periodKeys({ month, day }: PeriodNames, niche_slug: string): PeriodKey[] {
  const niches = niche_slug === '' ? [''] : ['', niche_slug]
  return niches.flatMap(niche => [month, day].map(period => ({ period, niche_slug: niche })))
}

/** The budgets that hold for a request at a moment. */
export function limitsOf(settings: BudgetSettings, { month, day }: PeriodNames, niche_slug: string): Limit[] {
  const niche = nicheBudget(settings, niche_slug)
  const given = [
    { period: month, niche_slug: '', value: settings.get('monthly_budget'), setting: 'monthly_budget' },
    { period: day, niche_slug: '', value: settings.get('daily_budget'), setting: 'daily_budget' },
    { period: month, niche_slug, value: niche?.monthly ?? 0, setting: 'niche_budgets' },
    { period: day, niche_slug, value: niche?.daily ?? 0, setting: 'niche_budgets' }
  ]
  return given.flatMap(({ value, ...limit }) => (value > 0 ? [{ ...limit, amount: amountOf(value) }] : []))
}

function nicheBudget(settings: BudgetSettings, niche_slug: string) {
  const budgets = settings.get('niche_budgets')
  return Object.hasOwn(budgets, niche_slug) ? budgets[niche_slug] : undefined
}

/** The first budget that these sums and an amount pass together. */
export const passedLimit = (limits: readonly Limit[], sums: readonly PeriodSum[], amount: Amount): Limit | undefined =>
  limits.find(limit => limit.amount < usedOf(limit, sums) + amount)

/** What is spent and reserved of a budget. */
export function usedOf(limit: PeriodKey, sums: readonly PeriodSum[]): Amount {
  const sum = sums.find(({ period, niche_slug }) => period === limit.period && niche_slug === limit.niche_slug)
  return sum === undefined ? 0n : sum.spent + sum.reserved
}
