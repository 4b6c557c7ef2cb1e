import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '#core'
import type { Bill, PaidCall, Purpose } from './calls.ts'
import type { Costs } from './index.ts'
import { renewLeases } from './repository/calls.ts'
import { type Charge, type Reservation, type ReservationDeps, reserve, settle } from './reservations.ts'

/** A third of a lease: two of them may fail. */
const renewalMs = 10_000

/** Makes paid requests, each reserved before and settled after. */
export function createPayments(deps: ReservationDeps & { log: Pick<Log, 'warn'> }): Pick<Costs, 'pay' | 'attribute'> {
  const { db, log } = deps
  const purposes = new AsyncLocalStorage<Purpose>()
  const leases = createLeases(ids => renewLeases(db, ids).catch(() => undefined))
  // The answer is there whatever becomes of its price: the lease ends, and then the worst case counts.
  const end = (reservation: Reservation, outcome: Charge) =>
    settle(deps, reservation, outcome).catch(error =>
      log.warn({ err: error, call_id: reservation.call_id }, 'what a request cost could not be stored yet')
    )
  return {
    attribute: (purpose, work) => purposes.run({ ...purposes.getStore(), ...purpose }, work),
    async pay<T>(call: PaidCall, request: (bill: Bill) => Promise<T>): Promise<T> {
      const reservation = await reserve(deps, call, purposes.getStore() ?? {})
      leases.add(reservation.call_id)
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
        leases.delete(reservation.call_id)
        await end(reservation, outcome)
      }
    }
  }
}

/** Renews the leases of the requests that are under way here; without any it does nothing. */
function createLeases(renew: (call_ids: string[]) => Promise<void>) {
  const held = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  return {
    add(call_id: string): void {
      held.add(call_id)
      timer ??= setInterval(() => void renew([...held]), renewalMs).unref()
    },
    delete(call_id: string): void {
      held.delete(call_id)
      if (held.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}
