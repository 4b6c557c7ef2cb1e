import { type Check, type Db, degraded, type Finding, ok, type Settings } from '#core'
import { limitsOf } from './budgets.ts'
import { parseAmount, showAmount } from './money.ts'
import { periodNames } from './periods.ts'
import { listDoubtful } from './repository/lists.ts'
import { listWaits } from './repository/waits.ts'
import type { CostSettings } from './settings.ts'

interface CheckDeps {
  db: Db
  settings: Pick<Settings<CostSettings>, 'get'>
  timeZone(): string
  now(): Date
}

/** What `galley doctor` asks of the costs. */
export const costChecks = (deps: CheckDeps): Check[] => [
  { name: 'model prices', run: () => checkPrices(deps) },
  { name: 'model budgets', run: () => checkWaits(deps) }
]

async function checkPrices({ db, settings, timeZone, now }: CheckDeps): Promise<Finding> {
  const doubtful = await listDoubtful(db, periodNames(now(), timeZone()).month)
  const hasBudget = settings.get('monthly_budget') > 0 || settings.get('daily_budget') > 0
  const unpriced = doubtful.filter(({ unpriced }) => unpriced > 0).map(({ model }) => model)
  if (hasBudget && unpriced.length > 0)
    return degraded(
      `Requests to ${unpriced.slice(0, 5).join(', ')} were counted with 0 this month: there is no price.`,
      'Add their prices with galley settings set model_prices, or set unknown_price to refuse.'
    )
  const uncertain = doubtful.reduce((sum, { uncertain }) => sum + uncertain, 0)
  if (uncertain === 0) return ok('every request of this month has a known price')
  const amount = doubtful.reduce((sum, { uncertain_amount }) => sum + parseAmount(uncertain_amount), 0n)
  return degraded(
    `${uncertain} requests of this month are counted with their worst case, ${showAmount(amount, settings.get('cost_currency'))}: nobody knows what they were charged.`,
    'Compare them with the bill (galley costs list), and correct them with galley costs correct.'
  )
}

/** Work that waits for a price, or needs more than a whole budget, waits for ever. */
async function checkWaits({ db, settings, timeZone, now }: CheckDeps): Promise<Finding> {
  const waits = await listWaits(db, 1_000)
  const names = periodNames(now(), timeZone())
  const unaffordable = waits.filter(
    ({ call: { amount, niche_slug } }) =>
      amount === null || limitsOf(settings, names, niche_slug).some(limit => amount > limit.amount)
  )
  const [first] = unaffordable
  if (first === undefined)
    return ok(waits.length === 0 ? 'nothing waits for a budget' : `${waits.length} wait for room`)
  const found =
    first.call.amount === null
      ? `there is no price for its model ${first.call.model}`
      : `its next request may cost ${showAmount(first.call.amount, settings.get('cost_currency'))}, more than a whole budget`
  return degraded(
    `${unaffordable.length} of ${waits.length} that wait for a budget can never go on. The ${first.kind} ${first.id}: ${found}.`,
    'Correct model_prices or raise the budgets with galley settings set: they go on by themselves.'
  )
}
