import type { Db } from '#core'
import { readWithdrawals } from './repository/withdrawals.ts'

/**
 * Whether a withdrawal waits, so that the work is to end early. Once it is true, it stays true. An answer that is younger than
 * `maxAgeMs` is used again.
 */
export type MustYield = (maxAgeMs?: number) => Promise<boolean>

export const neverYield: MustYield = async () => false
export const alwaysYield: MustYield = async () => true

/** A run that was started for a withdrawal has ended by then, unless it has much else to do. */
const pendingMs = 2000

/** For work that began when `known` withdrawals were counted: whether more were counted since. */
export const createWithdrawalCheck = (db: Db, known: number): MustYield =>
  createCheck(async () => (await readWithdrawals(db)).withdrawals > known)

/**
 * The same for a step of a run. After two seconds it also yields to withdrawals that were counted before, and that the export
 * does not show yet. It does not yield in its first `minRunMs`.
 */
export function createStepCheck(db: Db, known: number, minRunMs: number): MustYield {
  const startedAt = performance.now()
  return createCheck(async () => {
    const ranMs = performance.now() - startedAt
    if (ranMs < minRunMs) return false
    const { withdrawals, withdrawals_shown } = await readWithdrawals(db)
    return withdrawals > known || (withdrawals > withdrawals_shown && ranMs > pendingMs)
  })
}

function createCheck(ask: () => Promise<boolean>): MustYield {
  let askedAt = performance.now()
  let isWaiting = false
  return async (maxAgeMs = 0) => {
    if (isWaiting || performance.now() - askedAt < maxAgeMs) return isWaiting
    askedAt = performance.now()
    // Others that ask meanwhile may have found one.
    if (await ask()) isWaiting = true
    return isWaiting
  }
}
