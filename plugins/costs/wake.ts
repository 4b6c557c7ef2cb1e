import { type Db, type Emit, type Enqueue, jobType, type Settings, type Tx } from '#core'
import type { RefusedCall } from './budget-error.ts'
import { limitsOf, periodKeys, usedOf } from './budgets.ts'
import { BudgetFreed } from './index.ts'
import type { Amount } from './money.ts'
import { nextDay, type PeriodNames, periodNames } from './periods.ts'
import { priceFor } from './prices.ts'
import { findNextLeaseEnd } from './repository/calls.ts'
import { findPeriods, type PeriodSum } from './repository/periods.ts'
import { deleteWaits, lockWaits, saveWait, type Wait } from './repository/waits.ts'
import type { CostSettings } from './settings.ts'

/** Looks for what can go on. `isRepriced`: prices changed, so what the waiting requests need is not known any more. */
export const WakeWaiting = jobType<{ isRepriced?: boolean }>('costs.wake')

interface WakeDeps {
  db: Db
  emit: Emit
  enqueue: Enqueue
  settings: Pick<Settings<CostSettings>, 'get'>
  timeZone(): string
  now(): Date
}

/** As much as one pass looks at. */
const maxWaits = 1_000
const afterLeaseMs = 500
const afterWaitMs = 500

/** Notes that work waits. A pass follows, for what was freed since it was refused; and one when the next day begins. */
export async function wait(deps: WakeDeps, tx: Tx, waiting: Wait): Promise<void> {
  await saveWait(tx, waiting)
  const now = deps.now()
  await deps.enqueue(tx, WakeWaiting, {}, { key: 'wake', startAt: new Date(now.getTime() + afterWaitMs) })
  await deps.enqueue(tx, WakeWaiting, {}, { key: 'day', startAt: nextDay(now, deps.timeZone()) })
}

/**
 * Emits `BudgetFreed` for the work that has waited longest and fits what is left, until that is used up. The rest waits on. While
 * requests are under way, another pass follows at the end of the first lease.
 * @returns how much waits for more than the end of those requests, up to what one pass looks at
 */
export async function wakeWaiting(deps: WakeDeps, { isRepriced = false }: { isRepriced?: boolean }): Promise<number> {
  const { db, settings } = deps
  return db.transaction(async tx => {
    const waits = await lockWaits(tx, maxWaits)
    if (waits.length === 0) return 0
    const names = periodNames(deps.now(), deps.timeZone())
    const room = createRoom(settings, names, await findPeriods(tx, [names.month, names.day]))
    const woken = waits.filter(({ call }) => isRepriced || room.take(call))
    if (woken.length > 0) {
      await deleteWaits(tx, woken)
      await deps.emit(
        tx,
        BudgetFreed,
        woken.map(({ kind, id }) => ({ kind, id }))
      )
    }
    const left = waits.length - woken.length
    const ends = left === 0 ? null : await findNextLeaseEnd(tx)
    if (ends === null) return left
    const startAt = new Date(Math.max(Date.parse(ends), deps.now().getTime()) + afterLeaseMs)
    await deps.enqueue(tx, WakeWaiting, {}, { key: 'wake', startAt })
    return 0
  })
}

/** What is left of the budgets, less what this pass gave away. */
function createRoom(settings: WakeDeps['settings'], names: PeriodNames, sums: readonly PeriodSum[]) {
  const taken = new Map<string, Amount>()
  const keyOf = ({ period, niche_slug }: { period: string; niche_slug: string }) => `${period} ${niche_slug}`
  return {
    take(call: RefusedCall): boolean {
      if (call.amount === null)
        return settings.get('unknown_price') === 'count' || priceFor(settings.get('model_prices'), call) !== null
      const amount = call.amount
      const fits = limitsOf(settings, names, call.niche_slug).every(
        limit => usedOf(limit, sums) + (taken.get(keyOf(limit)) ?? 0n) + amount <= limit.amount
      )
      if (!fits) return false
      for (const key of periodKeys(names, call.niche_slug).map(keyOf)) taken.set(key, (taken.get(key) ?? 0n) + amount)
      return true
    }
  }
}
