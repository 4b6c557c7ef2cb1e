import type { Context, Needs, SettingsStore } from '#core'
import type { Notify } from '#plugins/notify'
import { sendAlarms } from './alarms.ts'
import { costChecks } from './checks.ts'
import type { Costs, CountByStatus } from './index.ts'
import { createOperational } from './operational.ts'
import { createPaidCalls } from './paid-calls.ts'
import { createPayments } from './payments.ts'
import { maxOutputTokens, priceFor } from './prices.ts'
import { budgetReport } from './report.ts'
import { linkCallsToPost } from './repository/calls.ts'
import { deleteWaits } from './repository/waits.ts'
import { expire } from './reservations.ts'
import type { CostSettings } from './settings.ts'
import { WakeWaiting, wait, wakeWaiting } from './wake.ts'

type ComponentsContext = Omit<Context<Needs, CostSettings>, 'needs'> & {
  needs: { store: SettingsStore; notify: Notify | undefined }
}

/** As many as one transaction ends. */
const maxExpired = 100

/** Everything the plugin consists of, wired. */
export type CostComponents = ReturnType<typeof createComponents>

export function createComponents({
  needs: { store, notify },
  settings,
  db,
  emit,
  enqueue,
  log,
  now
}: ComponentsContext) {
  const timeZone = () => store.value('operator_timezone')
  const deps = { db, emit, enqueue, settings, timeZone, now, log, notify }
  const paidCalls = createPaidCalls(deps)
  let countTasks: CountByStatus = async () => []
  const service: Costs = {
    ...createPayments(deps),
    maxOutputTokens(model) {
      const price = priceFor(settings.get('model_prices'), { kind: 'chat', model })
      return price === null ? null : maxOutputTokens(price)
    },
    wait: (tx, { kind, id }, { call }) => wait(deps, tx, { kind, id, call }),
    endWait: deleteWaits,
    linkPost: linkCallsToPost,
    estimate: paidCalls.estimate,
    ofTask: paidCalls.ofTask,
    ofPost: (from, post_id) => paidCalls.total(from, { post_id }),
    registerTasks: count => {
      countTasks = count
    }
  }
  return {
    service,
    onSettingsRead: createChangeWatch(deps),
    operational: createOperational(db, from => countTasks(from)),
    ...deps,
    paidCalls,
    checks: costChecks(deps),
    currency: () => settings.get('cost_currency'),
    budget: () => budgetReport(db, deps),
    wake: async (data: { isRepriced?: boolean }) => {
      while ((await expire(deps, maxExpired)) === maxExpired);
      const waiting = await wakeWaiting(deps, data)
      await db.transaction(tx => sendAlarms(deps, tx, waiting))
    }
  }
}

/** What waits is looked at again when budgets or prices change. */
function createChangeWatch({ db, enqueue, settings }: Pick<ComponentsContext, 'db' | 'enqueue' | 'settings'>) {
  const prices = () => JSON.stringify([settings.get('model_prices'), settings.get('unknown_price')])
  const budgets = () =>
    JSON.stringify([settings.get('monthly_budget'), settings.get('daily_budget'), settings.get('niche_budgets')])
  let seen: { prices: string; budgets: string } | undefined
  return async () => {
    const before = seen
    seen = { prices: prices(), budgets: budgets() }
    // The first read is no change. A change that no process saw is found by the cron run.
    if (before === undefined) return
    const isRepriced = before.prices !== seen.prices
    if (!isRepriced && before.budgets === seen.budgets) return
    await db.transaction(tx => enqueue(tx, WakeWaiting, { isRepriced }, { key: isRepriced ? 'repriced' : 'wake' }))
  }
}
