import type { Db, Enqueue, Settings, Tx } from '#core'
import { crossesAlarm } from './alarms.ts'
import { BudgetError, type RefusedCall } from './budget-error.ts'
import { type Limit, limitsOf, passedLimit, periodKeys, usedOf } from './budgets.ts'
import type { CallUsage, PaidCall, Purpose } from './calls.ts'
import { type Amount, showAmount } from './money.ts'
import { periodNames } from './periods.ts'
import { checkedUsage, costOf, maxOutputTokens, neededPrices, type Price, priceFor } from './prices.ts'
import { type Basis, type CountedCall, insertCall, lockAbandoned, lockCall, updateCall } from './repository/calls.ts'
import { addToPeriods, findPeriods, type PeriodSum } from './repository/periods.ts'
import { hasWaits } from './repository/waits.ts'
import type { CostSettings } from './settings.ts'
import { WakeWaiting } from './wake.ts'

export interface ReservationDeps {
  db: Db
  enqueue: Enqueue
  settings: Pick<Settings<CostSettings>, 'get'>
  timeZone(): string
  now(): Date
}

/** A call that may be made now. */
interface Reservation {
  call_id: string
  price: Price | null
}

/** What is known of a call that ended: its usage, that it was free, or nothing. */
export type Charge = { used: CallUsage } | 'nothing' | 'unknown'

/** Reserves the worst case of a call in all its budgets, or in none. @throws BudgetError */
export async function reserve(deps: ReservationDeps, call: PaidCall, purpose: Purpose): Promise<Reservation> {
  const { db, settings } = deps
  const niche_slug = purpose.niche_slug ?? ''
  const price = priceFor(settings.get('model_prices'), call)
  const refused = { kind: call.kind, model: call.model, size: call.size, niche_slug }
  if (price === null && settings.get('unknown_price') === 'refuse') throw unpriced({ ...refused, amount: null })
  const names = periodNames(deps.now(), deps.timeZone())
  const amount = price === null ? 0n : costOf(price, worstOf(call, price))
  const limits = limitsOf(settings, names, niche_slug)
  /** `added`: what of the sums is this call's own. */
  const requireRoom = (sums: readonly PeriodSum[], added: Amount) => {
    const passed = passedLimit(limits, sums, amount - added)
    if (passed !== undefined) throw usedUp(deps, passed, usedOf(passed, sums) - added, { ...refused, amount })
  }
  // What a used-up budget refuses holds no lock, however many ask.
  if (limits.length > 0) requireRoom(await findPeriods(db, [names.month, names.day]), 0n)
  const call_id = await db.transaction(async tx => {
    const sums = await addToPeriods(tx, periodKeys(names, niche_slug), { reserved: amount })
    // What it throws rolls back what was added.
    requireRoom(sums, amount)
    const { kind, model } = call
    return insertCall(tx, { kind, model, purpose, niche_slug, ...names, reserved: amount, is_priced: price !== null })
  })
  return { call_id, price }
}

const worstOf = ({ kind, worst }: PaidCall, price: Price): CallUsage =>
  kind === 'chat' ? { output_tokens: maxOutputTokens(price), ...worst } : worst

/** Ends a call. One whose process was taken for dead is counted anew: it is never counted twice. */
export async function recordCharge(
  deps: ReservationDeps,
  { call_id, price }: Reservation,
  outcome: Charge
): Promise<void> {
  await deps.db.transaction(async tx => {
    const call = await lockCall(tx, call_id)
    if (call === undefined || call.status === 'settled') return
    const end = endOf(deps, call, price, outcome)
    await finish(deps, tx, call, { status: 'settled', ...end })
  })
}

/** Ends calls of processes that died: nobody knows what they were charged. Returns how many. */
export async function expire(deps: ReservationDeps, limit: number): Promise<number> {
  return deps.db.transaction(async tx => {
    const calls = await lockAbandoned(tx, limit)
    for (const call of calls) {
      const { amount, basis } = unknownCharge(deps, call)
      await finish(deps, tx, call, { status: 'expired', amount, basis, usage: null })
    }
    return calls.length
  })
}

interface End {
  amount: Amount
  basis: Basis
  usage: CallUsage | null
}

function endOf(deps: ReservationDeps, call: CountedCall, price: Price | null, outcome: Charge): End {
  if (outcome === 'nothing') return { amount: 0n, basis: 'nothing', usage: null }
  const usage = outcome === 'unknown' ? null : checkedUsage(outcome.used)
  if (usage === null) return { ...unknownCharge(deps, call), usage: null }
  return { amount: price === null ? 0n : costOf(price, usage), basis: 'usage', usage }
}

const unknownCharge = ({ settings }: ReservationDeps, { reserved }: CountedCall): Omit<End, 'usage'> =>
  settings.get('uncertain_calls') === 'count'
    ? { amount: reserved, basis: 'worst_case' }
    : { amount: 0n, basis: 'nothing' }

/** Counts a call with another amount, in the periods it was made in, and wakes what waits when there is more room. */
export async function finish(
  deps: ReservationDeps,
  tx: Tx,
  call: CountedCall,
  end: End & { status: CountedCall['status'] }
): Promise<void> {
  await updateCall(tx, call.call_id, end)
  const { month, day, niche_slug, reserved } = call
  const change =
    call.status === 'reserved'
      ? { reserved: -reserved, spent: end.amount }
      : { reserved: 0n, spent: end.amount - call.amount }
  const sums = await addToPeriods(tx, periodKeys({ month, day }, niche_slug), change)
  if (crossesAlarm(limitsOf(deps.settings, { month, day }, niche_slug), sums, change.spent))
    await deps.enqueue(tx, WakeWaiting, {}, { key: 'alarm' })
  const isRoomier = change.spent + change.reserved < 0n
  if (isRoomier && (await hasWaits(tx))) await deps.enqueue(tx, WakeWaiting, {}, { key: 'wake' })
}

function usedUp(deps: ReservationDeps, limit: Limit, used: Amount, call: RefusedCall & { amount: Amount }) {
  const show = (amount: Amount) => showAmount(amount, deps.settings.get('cost_currency'))
  const budget = `the budget of ${show(limit.amount)} for ${limit.period}${limit.niche_slug === '' ? '' : ` and the niche ${limit.niche_slug}`}`
  const needs = `a request to ${call.model} may cost up to ${show(call.amount)}`
  if (call.amount > limit.amount)
    return new BudgetError(
      `${capitalized(needs)}, more than all of ${budget}`,
      `look for a mistyped price in model_prices, lower its max_output_tokens, or raise ${limit.setting}.`,
      call
    )
  return new BudgetError(
    `${capitalized(budget)} has no room: ${show(used)} are spent or reserved, and ${needs}`,
    `it goes on by itself when there is room; raise ${limit.setting} to go on now.`,
    call
  )
}

const unpriced = (call: RefusedCall): BudgetError =>
  new BudgetError(
    `There is no price for ${call.kind} requests to the model ${call.model}`,
    `add ${neededPrices(call.kind)} for it to model_prices, or set unknown_price to count.`,
    call
  )

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
