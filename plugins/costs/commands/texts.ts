import { amountOf, showAmount } from '../money.ts'
import type { BudgetReport } from '../report.ts'

const money = (amount: number, currency: string): string => showAmount(amountOf(amount), currency)

/** The month in two lines. */
export function budgetText(report: BudgetReport, currency: string): string {
  const { monthly_budget, amount_spent, amount_remaining, percent_used, projected_final_cost, days_remaining } = report
  const spent = `Spent this month: ${money(amount_spent, currency)}`
  const projection = `Projected for the month: ${money(projected_final_cost, currency)}, ${days_remaining} days remain after today (${report.status})`
  if (monthly_budget === null || amount_remaining === null) return `${spent}; there is no monthly_budget\n${projection}`
  return `${spent} of ${money(monthly_budget, currency)} (${percent_used} %); ${money(amount_remaining, currency)} remain\n${projection}`
}
