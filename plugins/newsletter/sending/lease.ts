import { randomUUID } from 'node:crypto'
import type { Db } from '#core'
import { endSendLease, renewSendLease, takeSendLease } from '../repository/state.ts'

/** Another process takes over so long after this one died. */
export const leaseSeconds = 15
const renewEveryMs = 4000

/**
 * Runs `work` while no other process sends newsletters. `signal` is aborted when the lease is lost. False when another
 * process has it.
 */
export async function withSendLease(
  db: Db,
  signal: AbortSignal,
  work: (holder: string, signal: AbortSignal) => Promise<void>
): Promise<boolean> {
  const holder = randomUUID()
  if (!(await takeSendLease(db, holder, leaseSeconds))) return false
  const lost = new AbortController()
  const renewing = setInterval(() => void renew(db, holder, lost), renewEveryMs)
  try {
    await work(holder, AbortSignal.any([signal, lost.signal]))
  } finally {
    clearInterval(renewing)
    await endSendLease(db, holder)
  }
  return true
}

async function renew(db: Db, holder: string, lost: AbortController): Promise<void> {
  try {
    if (!(await renewSendLease(db, holder, leaseSeconds))) lost.abort(new LeaseLost())
  } catch {
    // The rows say who holds it: every mail asks them first.
  }
}

/** Another process sends now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'

  constructor() {
    super('Another process has taken over the sending of newsletters.')
  }
}
