import { AsyncLocalStorage } from 'node:async_hooks'
import { type Log, withAbort } from '#core'
import type { Bill, PaidCall, Purpose } from './calls.ts'
import type { Costs } from './index.ts'
import { renewLeases } from './repository/calls.ts'
import { type Charge, type ReservationDeps, recordCharge, reserve } from './reservations.ts'

/** A third of a lease: two of them may fail. */
const renewalMs = 10_000

/** A reservation of this process. */
interface OpenCall {
  /** Settles it; the first time counts. */
  end(charge: Charge): Promise<void>
}

/** Makes paid requests, each reserved before and settled after. */
export function createPayments(
  deps: ReservationDeps & { log: Pick<Log, 'warn'> }
): Pick<Costs, 'pay' | 'meter' | 'attribute'> {
  const purposes = new AsyncLocalStorage<Purpose>()
  const metered = new AsyncLocalStorage<OpenCall>()
  const openCall = createCallOpener(deps)
  const open = (call: PaidCall) => openCall(call, purposes.getStore() ?? {})
  return {
    attribute: (purpose, work) => purposes.run({ ...purposes.getStore(), ...purpose }, work),
    async pay<T>(call: PaidCall, request: (bill: Bill) => Promise<T>): Promise<T> {
      // A driver that pays for itself is not counted twice.
      await metered.getStore()?.end('nothing')
      const reserved = await open(call)
      let outcome: Charge = 'unknown'
      const bill: Bill = {
        used: usage => {
          outcome = { used: usage }
        },
        nothing: () => {
          outcome = 'nothing'
        }
      }
      try {
        return await request(bill)
      } finally {
        await reserved.end(outcome)
      }
    },
    async meter(call, work, { signal, usageOf }) {
      const reserved = await open(call)
      let outcome: Charge = 'unknown'
      try {
        const result = await withAbort(signal, metered.run(reserved, work), () => Promise.reject(signal.reason))
        if (usageOf !== undefined) outcome = { used: await usageOf(result) }
        return result
      } finally {
        await reserved.end(outcome)
      }
    }
  }
}

function createCallOpener(deps: ReservationDeps & { log: Pick<Log, 'warn'> }) {
  const { db, log } = deps
  const leases = createLeases(ids => renewLeases(db, ids).catch(() => undefined))
  return async (call: PaidCall, purpose: Purpose): Promise<OpenCall> => {
    const reservation = await reserve(deps, call, purpose)
    const { call_id } = reservation
    leases.add(call_id)
    let ended: Promise<void> | undefined
    const end = async (charge: Charge) => {
      leases.delete(call_id)
      // The answer is there whatever becomes of its price: the lease ends, and then the worst case counts.
      await recordCharge(deps, reservation, charge).catch(error =>
        log.warn({ err: error, call_id }, 'what a request cost could not be stored yet')
      )
    }
    return { end: charge => (ended ??= end(charge)) }
  }
}

/** Renews the leases of the requests that are under way here; without any it does nothing. */
function createLeases(renew: (call_ids: string[]) => Promise<void>) {
  const leased = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  return {
    add(call_id: string): void {
      leased.add(call_id)
      timer ??= setInterval(() => void renew([...leased]), renewalMs).unref()
    },
    delete(call_id: string): void {
      leased.delete(call_id)
      if (leased.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}
