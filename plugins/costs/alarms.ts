import type { Settings, Tx } from '#core'
import type { Notice, Notify } from '#plugins/notify'
import { type Limit, limitsOf } from './budgets.ts'
import { type Amount, amountOf, showAmount } from './money.ts'
import { monthOf, periodNames } from './periods.ts'
import { projectedCost, warnPercent } from './report.ts'
import { findPeriods, type PeriodSum } from './repository/periods.ts'
import type { CostSettings } from './settings.ts'

interface AlarmDeps {
  settings: Pick<Settings<CostSettings>, 'get'>
  notify: Notify | undefined
  timeZone(): string
  now(): Date
}

/** Before that a month says little about its end. */
const minElapsedMs = 3 * 86_400_000

/** Whether what is spent has passed the share of a budget that is warned of, which it had not before. */
export const crossesAlarm = (limits: readonly Limit[], sums: readonly PeriodSum[], added: Amount): boolean =>
  limits.some(limit => {
    const spent = spentOf(limit, sums)
    return isWarned(limit, spent) && !isWarned(limit, spent - added)
  })

const isWarned = ({ amount }: Limit, spent: Amount): boolean => spent * 100n >= amount * warnPercent

const spentOf = ({ period, niche_slug }: Limit, sums: readonly PeriodSum[]): Amount =>
  sums.find(sum => sum.period === period && sum.niche_slug === niche_slug)?.spent ?? 0n

/**
 * Tells the operator of budgets that are 80 % spent, and of a month that will cost more than its budget, each once; and once a
 * day of work that waits.
 */
export async function sendAlarms(deps: AlarmDeps, tx: Tx, waiting: number): Promise<void> {
  const { settings, notify, timeZone, now } = deps
  if (notify === undefined) return
  const names = periodNames(now(), timeZone())
  if (waiting > 0) await notify.queue(tx, [{ source: `costs:waiting:${names.day}`, notice: waitingNotice(waiting) }])
  const niches = ['', ...Object.keys(settings.get('niche_budgets'))]
  const limits = niches
    .flatMap(niche => limitsOf(settings, names, niche))
    // The budgets of all niches are among those of each one.
    .filter((limit, at, all) => all.findIndex(other => keyOf(other) === keyOf(limit)) === at)
  if (limits.length === 0) return
  const sums = await findPeriods(tx, [names.month, names.day])
  const currency = settings.get('cost_currency')
  const spent = limits
    .filter(limit => isWarned(limit, spentOf(limit, sums)))
    .map(limit => ({
      source: `costs:spent:${keyOf(limit)}:${limit.amount}`,
      notice: spentNotice(limit, spentOf(limit, sums), currency)
    }))
  await notify.queue(tx, [...spent, ...projected({ settings, timeZone, now }, names.month, sums)])
}

const keyOf = ({ period, niche_slug }: Limit): string => `${period}:${niche_slug}`

function projected(
  deps: Pick<AlarmDeps, 'settings' | 'timeZone' | 'now'>,
  month: string,
  sums: readonly PeriodSum[]
): { source: string; notice: Notice }[] {
  const budget = amountOf(deps.settings.get('monthly_budget'))
  const elapsed = deps.now().getTime() - monthOf(deps.now(), deps.timeZone()).begins
  const spent = sums.find(({ period, niche_slug }) => period === month && niche_slug === '')?.spent ?? 0n
  const cost = projectedCost(deps, spent)
  if (budget === 0n || elapsed < minElapsedMs || cost <= budget) return []
  const currency = deps.settings.get('cost_currency')
  const notice = {
    title: `Models will cost about ${showAmount(cost, currency)} in ${month}`,
    lines: [`That is more than monthly_budget, ${showAmount(budget, currency)}. Tasks will wait when it is used up.`],
    actions: [seeBudget]
  }
  return [{ source: `costs:projection:${month}:${budget}`, notice }]
}

const seeBudget = { label: null, chat: null, hint: '', cli: 'galley costs budget' }

const waitingNotice = (waiting: number): Notice => ({
  title: waiting === 1 ? 'One text waits for room in a budget' : `${waiting} texts wait for room in a budget`,
  lines: [
    'Writing goes on by itself when a day or a month with room begins, or when the budget is raised or the price set.'
  ],
  actions: [seeBudget]
})

const spentNotice = (limit: Limit, spent: Amount, currency: string): Notice => ({
  title: `${(spent * 100n) / limit.amount} % of a budget are spent`,
  lines: [
    `${showAmount(spent, currency)} of ${showAmount(limit.amount, currency)} for ${limit.period}${limit.niche_slug === '' ? '' : `, niche ${limit.niche_slug}`}.`,
    `Tasks wait when it is used up; ${limit.setting} raises it.`
  ],
  actions: [seeBudget]
})
